import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import FrameBudgetReports
import FrameBudgetSimulation
import Testing

/// Traces of `run --trace`; `OwnMetricsTests` compares every metric.
struct OwnTraceTests {
  private static func row(
    _ strategy: String, repetition: Int = 1
  ) throws -> ReportRow {
    ReportRow(
      try OwnFramesTests.log(strategy, detail: .trace), cores: 2, repetition: repetition)
  }

  private static func text(_ rows: [ReportRow]) -> String {
    var file = TraceFile()
    var text = TraceFile.head
    for row in rows { file.write(row) { text += $0 } }
    return text + TraceFile.tail
  }

  @Test func `each run of a trace is a row`() throws {
    let rows = [try Self.row("main-thread"), try Self.row("schedulable", repetition: 2)]
    let imported = try log(Self.text(rows))
    #expect(imported.format == .trace)
    #expect(
      imported.streams.map(\.process) == [
        "own, \"quoted\" · main-thread · virtual", "own, \"quoted\" · schedulable · virtual · #2",
      ])
    #expect(imported.streams.map(\.rows) == rows.map { $0.log.frames.records.count })
    #expect(imported.streams.flatMap(\.warnings) == [])
  }

  @Test func `a trace with more runs than a log has processes is read`() throws {
    let run = try OwnFramesTests.log(
      "main-thread", detail: .trace, duration: .milliseconds(50))
    let rows = (1...300).map { ReportRow(run, cores: 2, repetition: $0) }
    #expect(try log(Self.text(rows)).streams.count == 300)
    #expect(try log(FramesCSV.text(rows)).streams.count == 300)
  }

  @Test(arguments: [
    ("\"present_vsync\":", "\"x\":", "a frame lacks vsyncs, or the time at which it was ready"),
    ("\"dropped_vsyncs\":0", "\"dropped_vsyncs\":1", "each frame belongs to a later vsync"),
    ("\"duration_ms\":4321", "\"duration_ms\":99999999", "duration_ms is longer than a day"),
    ("\"duration_ms\":4321", "\"x\":1", "refresh_hz and duration_ms are needed"),
    ("\"on_demand\":0", "\"on_demand\":1,\"due_vsync\":9007199254740993", "lacks vsyncs"),
  ])
  func `a trace that contradicts itself is refused with its line`(
    _ old: String, _ new: String, _ words: String
  ) throws {
    let text = try Self.text([Self.row("main-thread")])
    try #require(text.contains(old))
    let problem = try #require(failure(Array(text.replacing(old, with: new).utf8)))
    #expect(problem.contains(words) && problem.hasPrefix("log:"), "\(problem)")
  }
}
