import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Ranges of predictions, in all outputs.
struct `Ranges of predictions` {
  private static let columns = [
    "dropped_frames_pct_low", "dropped_frames_pct_high", "frame_ms_p99_low", "frame_ms_p99_high",
    "response_ms_p99_low", "response_ms_p99_high",
  ]

  private static let margins = [
    "dropped_frames_pct_margin", "frame_ms_p99_margin", "response_ms_p99_margin",
    "range_level_pct", "range_runs", "range_kind",
  ]

  private func run(_ flags: String..., scenario: String = ShortScenario.edge) throws -> Performed {
    let scratch = try Scratch()
    try scratch.write(scenario, to: "edge.yaml")
    return try Performed(["run", scratch.path("edge.yaml"), "--engine", "virtual"] + flags)
  }

  /// The cells of those columns, by row.
  private func cells(_ csv: String) -> [[String]] {
    let rows = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let place = rows[0].firstRange(of: Self.columns)
    #expect(place != nil)
    return rows.dropFirst().map { row in place.map { Array(row[$0]) } ?? [] }
  }

  @Test func `are printed where they are wider than a point, and left out with --no-range`() throws
  {
    let told = try run()
    #expect(told.output.contains("In 90 % of runs on threads, main-thread drops "))
    #expect(told.output.contains("range: 90 % of runs on threads lie inside (by "))
    let exact = try run("--no-range")
    #expect(!exact.output.contains("range") && !exact.output.contains("runs on threads"))
    // No measured runs say how far predictions of recordings are off.
    let mark = "learned: {source: trace.json, coverage: 1, replay: good}\n"
    let calm = try run(
      scenario: mark + ShortScenario.text.replacing("once: 100", with: "once: 1"))
    #expect(!calm.output.contains("range") && !calm.output.contains("runs on threads"))
    #expect(calm.output.contains("these figures hardly move") && !exact.output.contains("hardly"))
    let learned = try run(scenario: mark + ShortScenario.edge)
    #expect(learned.output.contains("If costs are up to 5 % off, main-thread drops "))
    #expect(learned.output.contains("range: for costs from 5 % lower to 5 % higher"))
    // The ranges are wide, and have no room.
    let narrow = try Performed(["run", "camera-upload", "--engine", "virtual"], columns: 40)
    #expect(!narrow.output.contains("hardly") && !narrow.output.contains("range:"))
  }

  @Test func `are in columns of their own`() throws {
    let csv = try run("--format", "csv").output
    let numbers = try #require(cells(csv).first).compactMap(Double.init)
    #expect(numbers.count == Self.columns.count)
    #expect(numbers[0] < 10 && numbers[1] > 40)
    let without = try run("--format", "csv", "--no-range").output
    #expect(cells(without) == [Array(repeating: "", count: Self.columns.count)])
    func others(_ csv: String) -> [[Substring]] {
      var rows = csv.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
      for columns in [Self.columns, Self.margins] {
        let place = rows[0].firstRange(of: columns.map { Substring($0) }) ?? 0..<0
        for row in rows.indices { rows[row].removeSubrange(place) }
      }
      return rows
    }
    #expect(others(csv) == others(without))
    let json = try run("--format", "json").output
    #expect(json.contains("\"dropped_frames_pct_high\": "))
    #expect(json.contains("\"range_level_pct\": 90") && json.contains("\"threads-fit-cores\""))
    #expect(csv.contains(",90,") && csv.contains("threads-fit-cores"))
    #expect(try !run("--format", "json", "--no-range").output.contains("_pct_high"))
  }

  @Test func `cost a sweep nothing unless it asks, and are then the same for any number of jobs`()
    throws
  {
    let vary = ["--vary", "seed=1..3", "--format", "csv"]
    func sweep(_ flags: String...) throws -> String {
      let scratch = try Scratch()
      try scratch.write(ShortScenario.edge, to: "edge.yaml")
      return try Performed(
        ["run", scratch.path("edge.yaml"), "--engine", "virtual"] + vary + flags
      ).output
    }
    let none = cells(try sweep())
    #expect(none.count == 3 && none.flatMap(\.self).allSatisfy(\.isEmpty))
    let asked = try sweep("--range", "--jobs", "1")
    #expect(cells(asked).flatMap(\.self).allSatisfy { !$0.isEmpty })
    #expect(try sweep("--range", "--jobs", "3") == asked)
  }

  @Test func `are the same whether the runs for them are made side by side or one after another`()
    throws
  {
    let many = ["--strategy", "main-thread", "--strategy", "schedulable", "--seed", "7"]
    let alone = ["--strategy", "main-thread", "--seed", "7"]
    for strategies in [many, alone] {
      let scratch = try Scratch()
      try scratch.write(ShortScenario.edge, to: "edge.yaml")
      let edge = [scratch.path("edge.yaml"), "--engine", "virtual", "--format", "csv"]
      let table = try Performed(["run"] + edge + strategies).output
      let vary = ["--vary", "seed=7", "--range", "--jobs", "1"]
      let sweep = try Performed(["run"] + edge + strategies.dropLast(2) + vary).output
      #expect(cells(table).flatMap(\.self).allSatisfy { !$0.isEmpty })
      #expect(cells(table) == cells(sweep))
    }
  }

  @Test func `are refused of the real engine alone`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.edge, to: "edge.yaml")
    let run = try Performed("run", scratch.path("edge.yaml"), "--engine", "real", "--range")
    #expect(run.status == .usage)
    #expect(run.diagnostics.contains("--range is for the virtual engine"))
  }

  @Test func `are on the page`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.edge, to: "edge.yaml")
    _ = try Performed(
      "run", scratch.path("edge.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("result"))
    let page = try Performed(
      "report", scratch.path("result"), "-o", scratch.path("page.html"), "-q")
    #expect(page.status == .success)
    let text = try #require(scratch.text("page.html"))
    #expect(text.contains("title=\"90 % of runs on threads lie inside (by "))
    #expect(text.contains("In 90 % of runs on threads, main-thread drops "))
  }
}
