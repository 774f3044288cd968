internal import Foundation
internal import FrameBudget
internal import Reports
internal import ShippedScenarios

/// The closed loop over all shipped scenarios: a table for the documentation's page on learning, and all figures as CSV.
struct ClosedLoopTable {
  private let loops: [ClosedLoop]
  /// Scenarios of whose main thread nothing can be learned.
  private let left: [String]

  static func file(in project: URL) -> URL {
    project.appending(components: "results", "learned", "closed-loop.csv")
  }

  static func measured(in project: URL) -> URL {
    project.appending(components: "results", "measured", "every-scenario")
  }

  init(_ project: URL) throws {
    var (loops, left): ([ClosedLoop], [String]) = ([], [])
    for shipped in ShippedScenarios.all {
      if let loop = try ClosedLoop(shipped, measured: Self.measured(in: project)) {
        loops.append(loop)
      } else {
        left.append(shipped.name)
      }
    }
    (self.loops, self.left) = (loops, left)
  }

  static let head =
    "scenario,strategy,predicted_dropped_pct,simulated_dropped_pct,measured_dropped_pct\n"

  /// A line for each strategy of each scenario.
  var csv: String { Self.head + loops.map(Self.lines).joined() }

  static func lines(of loop: ClosedLoop) -> String {
    loop.rows.map { row in
      let figures = [row.predicted, row.simulated, row.measured].map { figure in
        figure.map { Decimal.text($0, places: 3) } ?? ""
      }
      return ([loop.scenario, row.strategy] + figures).joined(separator: ",") + "\n"
    }.joined()
  }

  var markdown: String {
    let head = [
      "scenario", "strategies", "tau-b", "median error, points", "worst", "predicted, %", "true, %",
    ]
    return MarkdownTable.text(head, loops.map(Self.cells)) + "\n" + summary
  }

  private static func cells(of loop: ClosedLoop) -> [String] {
    let worst = loop.worst.map {
      [$0.strategy, Figure.text($0.predicted), Figure.text($0.simulated)]
    }
    return [
      loop.scenario, "\(loop.rows.count)",
      loop.tau.map { Decimal.text($0, places: 2) } ?? "all tie",
      loop.medianError.map { Decimal.text($0, places: 1) } ?? "",
    ] + (worst ?? ["", "", ""])
  }

  private var summary: String {
    let taus = loops.compactMap(\.tau)
    let errors = loops.flatMap { $0.rows.map(\.error) }
    func text(_ value: Double?, _ places: Int) -> String {
      value.map { Decimal.text($0, places: places) } ?? "not known"
    }
    let none = left.isEmpty ? "" : " Nothing is learned of \(left.joined(separator: ", "))."
    return """
      Kendall's tau-b is \(text(taus.median, 2)) in the middle of \(taus.count) scenarios; in \
      \(loops.count - taus.count) all strategies tie. The median error of \(errors.count) predictions is \
      \(text(errors.median, 2)) points, and \(errors.count { $0 > 2 }) are off by more than 2.\(none)

      """
  }
}
