internal import Foundation
internal import FrameBudget
internal import Parsing
internal import Reports
internal import Simulation

/// Results that were measured on a machine with two cores, and what the virtual engine predicts for one.
enum PublishedResults {
  static let cores = 2
  static let capacity = Double(cores)

  /// The rows of the `summary.csv` in `folder`; none where nothing is published.
  static func rows(in folder: URL) throws -> [ResultRow] {
    let file = folder.appending(component: "summary.csv")
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try ResultSet(ByteSource(path: file.path)).rows
  }

  static func prediction(of scenario: Scenario, under strategy: Strategy) -> RunMetrics {
    let engine = VirtualEngine(machine: scenario.machine.having(cores: cores))
    return RunMetrics(engine.run(RunPlan(scenario, under: strategy)))
  }
}

extension [ResultRow] {
  /// The median of several runs' values; nil where none has one.
  func median(_ metric: String) -> Observation? {
    Observation.median(compactMap { $0.observed(metric) })
  }
}

/// A table in Markdown, its first row being the head.
enum MarkdownTable {
  static func text(_ head: [String], _ body: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + body).map {
      "| \($0.joined(separator: " | ")) |\n"
    }.joined()
  }
}
