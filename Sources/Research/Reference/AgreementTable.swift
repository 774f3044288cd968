internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Predictions for the shipped scenarios on two cores, beside measurements on such a machine.
struct AgreementTable {
  /// A scenario under one of its strategies, with the median of each metric over its runs.
  private struct Row {
    let scenario: Scenario
    let strategy: Strategy
    /// With its range.
    let predicted: RunMetrics
    let measured: [RunRecord]
  }

  /// A metric, and whether a prediction and a measurement of it differ.
  private struct Column {
    let metric: Metric
    let title: String
    let differ: @Sendable (_ predicted: Double, _ measured: Double) -> Bool

    init(_ metric: Metric, _ title: String, differ: @escaping @Sendable (Double, Double) -> Bool) {
      self.metric = metric
      self.title = title
      self.differ = differ
    }
  }

  private static let columns: [Column] = [
    Column(.droppedPercent, "dropped, %") { abs($0 - $1) > 2 },
    Column(.itemsDone, "items done") { abs($0 - $1) > 0.03 * $0 },
    Column(.response(.p99), "response p99, ms") { abs($0 - $1) > max(0.2 * $0, 5) },
  ]
  /// The load from which the cores count as overloaded.
  private static let fullLoad = 0.9

  private let rows: [Row]

  /// `folder` holds a folder of results for each scenario.
  init(_ folder: URL) throws {
    rows = try ShippedScenarios.all.flatMap { shipped -> [Row] in
      let results = try PublishedResults.rows(in: folder.appending(component: shipped.name))
      return Self.rows(of: try shipped.scenario, measured: results)
    }
  }

  private static func rows(of scenario: Scenario, measured: [RunRecord]) -> [Row] {
    scenario.strategies.compactMap { strategy in
      let measured = measured.measured(under: strategy)
      if measured.isEmpty { return nil }
      return Row(
        scenario: scenario, strategy: strategy,
        predicted: PublishedResults.prediction(of: scenario, under: strategy, ranges: true),
        measured: measured)
    }
  }

  var markdown: String {
    let titles = Self.columns.flatMap { ["\($0.title), predicted", "measured"] }
    let head = ["scenario", "strategy"] + titles
    let body = rows.map { [$0.scenario.name + load(of: $0), $0.strategy.label] + cells(of: $0) }
    return MarkdownTable.text(head, body) + "\n" + coverage
  }

  /// How many measured figures lie in the ranges of their predictions.
  private var coverage: String {
    let lines = PredictionRange.metrics.map { metric in
      let outside = rows.compactMap { excess(of: metric, in: $0) }
      let micro = Percentiles(outside.map { Int64(($0 * 1e6).rounded()) })
      let most = micro.quantile(0.9).map { Figure.text($0 / 1e6) } ?? ""
      let unit = metric.unit == .milliseconds ? "ms" : "points"
      return "- `\(metric.name)`: \(outside.count { $0 == 0 }) of \(outside.count); "
        + "90 % are outside by at most \(most) \(unit)"
    }
    return """
      Measured figures that lie in the ranges that `run` prints, which are about costs and arrivals and not about the machine:

      \(lines.joined(separator: "\n"))

      """
  }

  /// By how much the measured median is outside of the predicted range; nil without either.
  private func excess(of metric: Metric, in row: Row) -> Double? {
    guard let range = row.predicted.range?[metric], let measured = row.measured.median(metric.name)
    else { return nil }
    let rounding = 1e-6
    return max(range.lowerBound - measured.value, measured.value - range.upperBound, rounding)
      - rounding
  }

  private func cells(of row: Row) -> [String] {
    Self.columns.flatMap { column in
      let name = column.metric.name
      let values = (row.predicted.observed(name), row.measured.median(name))
      guard let predicted = values.0, let measured = values.1 else {
        return [values.0, values.1].map { $0.map(Figure.text) ?? "" }
      }
      let mark = column.differ(predicted.value, measured.value) ? " *" : ""
      return [Figure.text(predicted), Figure.text(measured) + mark]
    }
  }

  /// A mark for a run with a prediction of overloaded cores.
  private func load(of row: Row) -> String {
    let used = [Metric.mainCPU, .backgroundCPU].compactMap { row.predicted[$0] }.reduce(0, +)
    let there = row.scenario.duration.inMilliseconds * PublishedResults.capacity
    return used > there * Self.fullLoad ? " †" : ""
  }
}
