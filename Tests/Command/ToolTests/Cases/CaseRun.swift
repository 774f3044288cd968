import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A run of an input of `Tests/Cases`: everyday apps after public reports, with answers that were worked out by hand.
struct CaseRun {
  /// The rows of its `summary.csv`, each a value by column.
  let rows: [[String: String]]
  let performed: Performed

  init(_ name: String, _ flags: String...) throws {
    let scratch = try Scratch()
    performed = try Performed(
      ["run", Self.path(name), "--engine", "virtual", "-o", scratch.path("out")] + flags)
    let lines = (scratch.text("out/summary.csv") ?? "").split(separator: "\n").map(String.init)
    let fields = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    rows = fields.dropFirst().map { row in
      Dictionary(uniqueKeysWithValues: zip(fields[0].map(String.init), row.map(String.init)))
    }
  }

  static func path(_ name: String) -> String {
    Project.folder.appending(path: "Tests/Cases/\(name).yaml").path
  }

  /// The value of `metric` under `strategy`; nil if the cell is empty.
  subscript(strategy: String, metric: Metric) -> Double? {
    rows.first { $0["strategy"] == strategy }?[metric.name].flatMap(Double.init)
  }
}
