internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetSimulation

/// How many measured runs lie in the ranges of their predictions, by kind of prediction, and how many if the ranges are widened by
/// what other scenarios show.
struct CoverageTable {
  static let marker = "make measure, ranges"
  /// The source file with the margins, and the command that writes them.
  static let margins = "Sources/Model/FrameBudget/Metrics/RangeCalibration.swift"
  static let marginsMarker = "make results, margins"
  /// The share of measured runs that widened ranges are to contain.
  private static let share = Double(RangeCalibration.level) / 100

  /// A prediction, and what its runs have measured.
  private struct Row {
    let scenario: String
    let kind: PredictionKind
    let period: TimeSpan
    let range: PredictionRange
    let measured: [RunRecord]

    /// By how much each run is outside of the range, in margin units of `metric`; 0 if it is inside.
    func excesses(_ metric: Metric) -> [Double] {
      guard let range = range[metric] else { return [] }
      return measured.compactMap { $0[metric.name] }.map { value in
        max(range.lowerBound - value, value - range.upperBound, 0)
          / metric.marginUnit(period: period)
      }
    }

    /// The width of the range with a margin on either side.
    func width(_ metric: Metric, margin: Double) -> Double? {
      range[metric].map { range in
        let wide = metric.widened(range, by: margin * metric.marginUnit(period: period))
        return wide.upperBound - wide.lowerBound
      }
    }
  }

  private let rows: [Row]

  /// `predictions` are of measured rows, on the machines that they were measured on.
  init(_ predictions: [PredictedRow]) {
    rows = predictions.compactMap { predicted in
      let plan = RunPlan(predicted.row.scenario, under: predicted.row.strategy)
      let engine = VirtualEngine(machine: predicted.machine)
      guard let range = engine.range(around: predicted.metrics, of: plan) else { return nil }
      return Row(
        scenario: plan.scenario.name, kind: PredictionKind(plan, on: predicted.machine),
        period: plan.scenario.display.refresh.period, range: range,
        measured: predicted.row.measured)
    }
  }

  var markdown: String {
    let body = PredictionKind.allCases.flatMap { kind in
      PredictionRange.metrics.map { cells(kind, $0) }
    }
    return MarkdownTable.text(
      [
        "prediction", "figure", "scenarios", "runs", "inside, small changes", "margin",
        "inside, held back", "median width, held back",
      ], body)
  }

  /// The lines of `RangeCalibration`: without a margin whose coverage could not be checked.
  var margins: String {
    PredictionKind.allCases.map { kind in
      let margins = PredictionRange.metrics.map { metric in
        Self.checkedMargin(scenarios(kind, metric), metric).map { margin in
          // Rounded up, because the margin is often that of a run.
          Decimal.text((margin * 1e4).rounded(.up) / 1e4, places: 4)
        } ?? "nil"
      }
      let runs = scenarios(kind, .droppedPercent).joined().reduce(0) { $0 + $1.measured.count }
      let list = margins.joined(separator: ", ")
      return "    RangeCalibration(.\(kind), runs: \(runs), margins: [\(list)]),\n"
    }.joined() + "    // "
  }

  private static func checkedMargin(_ scenarios: [[Row]], _ metric: Metric) -> Double? {
    heldBack(scenarios, metric).flatMap { _ in margin(scenarios, metric) }
  }

  /// The rows of each scenario with the metric.
  private func scenarios(_ kind: PredictionKind, _ metric: Metric) -> [[Row]] {
    rows.filter { $0.kind == kind && !$0.excesses(metric).isEmpty }
      .grouped(by: \.scenario).sorted { $0.key < $1.key }.map(\.elements)
  }

  private func cells(_ kind: PredictionKind, _ metric: Metric) -> [String] {
    let scenarios = scenarios(kind, metric)
    let excesses = scenarios.flatMap(\.self).flatMap { $0.excesses(metric) }
    let held = Self.heldBack(scenarios, metric)
    let isTime = metric.unit == .milliseconds
    let margin = Self.checkedMargin(scenarios, metric).map { margin in
      isTime ? "\(Figure.text(margin)) periods" : "\(Figure.text(margin)) points"
    }
    let unit = isTime ? "ms" : "points"
    return [
      kind.rawValue, "`\(metric.name)`", "\(scenarios.count)", "\(excesses.count)",
      Self.percent(excesses.count { $0 == 0 }, of: excesses.count), margin ?? "too few",
      held?.percent ?? "too few",
      held?.widths.median.map { "\(Figure.text($0)) \(unit)" } ?? "–",
    ]
  }

  private static func margin(_ scenarios: [[Row]], _ metric: Metric) -> Double? {
    ConformalMargin.margin(
      scenarios.map { $0.flatMap { $0.excesses(metric) } }, containing: share)
  }

  /// Runs in ranges with margins from other scenarios: half of them at random calibrates the other half, many times.
  private struct HeldBack {
    /// The share of runs inside, by halving.
    var shares: [Double] = []
    var widths: [Double] = []

    /// `92 ± 6 %`: the mean and the standard deviation over halvings.
    var percent: String {
      let mean = shares.reduce(0, +) / Double(shares.count)
      let squares = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let deviation = (squares / Double(shares.count)).squareRoot()
      return [mean, deviation].map { Decimal.text(100 * $0, places: 0) }
        .joined(separator: " ± ") + " %"
    }
  }

  private static let halvings = 200

  /// Nil if half of the scenarios are too few for a margin.
  private static func heldBack(_ scenarios: [[Row]], _ metric: Metric) -> HeldBack? {
    var stream = RandomStream(seed: 1, name: "halves")
    var order = scenarios
    var held = HeldBack()
    for _ in 0..<halvings {
      for place in order.indices.dropFirst() {
        order.swapAt(place, Int(stream.unit() * Double(place + 1)))
      }
      let half = order.count / 2
      guard let margin = margin(Array(order[..<half]), metric) else { return nil }
      let rows = order[half...].flatMap(\.self)
      let excesses = rows.flatMap { $0.excesses(metric) }
      held.shares.append(Double(excesses.count { $0 <= margin }) / Double(excesses.count))
      held.widths += rows.compactMap { $0.width(metric, margin: margin) }
    }
    return held
  }

  private static func percent(_ part: Int, of all: Int) -> String {
    all == 0 ? "–" : "\(Decimal.text(100 * Double(part) / Double(all), places: 0)) %"
  }
}
