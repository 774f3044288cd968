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
        predicted: PublishedResults.prediction(of: scenario, under: strategy),
        measured: measured)
    }
  }

  var markdown: String {
    let titles = Self.columns.flatMap { ["\($0.title), predicted", "measured"] }
    let head = ["scenario", "strategy"] + titles
    let body = rows.map { [$0.scenario.name + load(of: $0), $0.strategy.label] + cells(of: $0) }
    return MarkdownTable.text(head, body)
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
