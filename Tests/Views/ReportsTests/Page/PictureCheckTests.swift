import FrameBudget
import FrameBudgetParsing
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetReports

/// Frames and traces beside results are matched by names, which an edited scenario keeps.
@Suite struct `Pictures of another run` {
  private static func row(drawing: TimeSpan, repetition: Int = 1) -> ReportRow {
    var scenario = HandMadeRun.upload
    scenario.display.render = .constant(drawing)
    let strategy = Strategy(name: "main", arrangement: .onMain(scenario))
    let log = VirtualEngine(detail: .trace).run(RunPlan(scenario, under: strategy))
    return ReportRow(log, changes: "", cores: 2, repetition: repetition)
  }

  private static func frames(_ row: ReportRow) throws -> [RecordedRun] {
    try FramesFile(ByteSource(Array(FramesCSV.text([row]).utf8), name: "frames.csv")).runs
  }

  private static func page(
    _ rows: [ReportRow], _ frames: [RecordedRun] = [], traceOf traced: ReportRow? = nil
  ) throws -> String {
    let traces = try traced.map { row in
      var file = TraceFile()
      var text = TraceFile.head
      file.write(row) { text += $0 }
      text += TraceFile.tail
      return [try TracedRuns(ByteSource(Array(text.utf8), name: "trace.json"))]
    }
    return try ReportPage(
      title: "t", results: ResultSet(rows), frames: frames, traces: traces ?? []
    ).html()
  }

  @Test func `are not drawn, and the page says why`() throws {
    let (own, other) = (Self.row(drawing: .milliseconds(4)), Self.row(drawing: .milliseconds(15)))
    let right = try Self.page([own], Self.frames(own))
    #expect(right.contains("data-frames=") && !right.contains("are of another run"))
    let wrong = try Self.page([own], Self.frames(other))
    #expect(!wrong.contains("data-frames="))
    #expect(wrong.contains("main: the recorded frames are of another run, which"))
    let traced = try Self.page([own], traceOf: other)
    #expect(traced.contains("main: the trace is of another run, whose frames"))
    #expect(try !Self.page([own], traceOf: own).contains("of another run"))
  }

  @Test func `are not those of the first repetition, which is the traced one`() throws {
    let rows = [4, 6, 8].enumerated().map { place, milliseconds in
      Self.row(drawing: .milliseconds(milliseconds), repetition: place + 1)
    }
    #expect(try !Self.page(rows, traceOf: rows[0]).contains("of another run"))
    // With the drawing of the second, which represents them.
    let other = Self.row(drawing: .milliseconds(6))
    #expect(try Self.page(rows, traceOf: other).contains("the trace is of another run"))
  }
}
