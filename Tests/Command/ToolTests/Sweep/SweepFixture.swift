import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A small sweep in a folder of its own.
struct SweepFixture {
  let scratch: Scratch
  static let flags = [
    "--vary", "workloads.add-file.arrival.once=20..100:40", "--vary", "display.render=4..8:4 ms",
    "--vary", "seed=1..3",
  ]
  /// 3 by 2 combinations, 3 seeds, 2 strategies.
  static let runs = 36

  init(_ text: String = ShortScenario.text) throws {
    scratch = try Scratch()
    try scratch.write(
      text.replacing("cpu: 2 ms", with: "cpu: {normal: {mean: 2 ms, deviation: 1 ms}}"),
      to: "s.yaml")
  }

  func path(_ name: String) -> String { scratch.path(name) }

  func run(_ more: String...) throws -> Performed { try run(more) }

  func run(_ more: [String], flags: [String] = Self.flags) throws -> Performed {
    try Performed(["run", path("s.yaml"), "--engine", "virtual"] + flags + more)
  }

  /// The rows in both files of a folder.
  func rows(in folder: String) -> [String?] {
    ["summary.csv", "workloads.csv"].map { scratch.text("\(folder)/\($0)") }
  }

  /// The results of a whole sweep that do not depend on the time of its run.
  func content(of folder: String) -> [String?] {
    rows(in: folder) + [scratch.text("\(folder)/sweep.json")]
  }

  /// The runs in `run.json`, without the time of day.
  func runs(of folder: String) -> [Substring] {
    (scratch.text("\(folder)/run.json") ?? "").split(separator: "\n").filter {
      !$0.contains("\"started\":")
    }
  }

  /// Changes `folder` to the state after a process was killed with this much of the files written.
  func interrupt(_ folder: String, summary: Int, workloads: Int) throws {
    let files = FileManager.default
    for (name, length) in [("summary.csv", summary), ("workloads.csv", workloads)] {
      let text = try #require(scratch.text("\(folder)/\(name)"))
      try files.removeItem(atPath: path("\(folder)/\(name)"))
      try scratch.write(
        String(decoding: Array(text.utf8).prefix(length), as: UTF8.self),
        to: "\(folder)/\(name).partial")
    }
    try files.moveItem(
      atPath: path("\(folder)/sweep.json"), toPath: path("\(folder)/sweep.json.partial"))
    try files.removeItem(atPath: path("\(folder)/run.json"))
  }
}
