import FrameBudget
import FrameBudgetParsing
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetReports

/// Frames and traces beside results are matched by names, which an edited scenario keeps.
@Suite struct `Pictures of another run` {
  private static func row(drawing: TimeSpan) -> ReportRow {
    var scenario = HandMadeRun.upload
    scenario.display.render = .constant(drawing)
    let strategy = Strategy(name: "main", arrangement: .onMain(scenario))
    let log = VirtualEngine(detail: .trace).run(RunPlan(scenario, under: strategy))
    return ReportRow(log, changes: "", cores: 2, repetition: 1)
  }

  private static func frames(_ row: ReportRow) throws -> [RecordedRun] {
    try FramesFile(ByteSource(Array(FramesCSV.text([row]).utf8), name: "frames.csv")).runs
  }

  private static func page(_ row: ReportRow, _ frames: [RecordedRun]) throws -> String {
    try ReportPage(title: "t", results: ResultSet([row]), frames: frames).html()
  }

  @Test func `are not drawn, and the page says why`() throws {
    let (own, other) = (Self.row(drawing: .milliseconds(4)), Self.row(drawing: .milliseconds(15)))
    let right = try Self.page(own, Self.frames(own))
    #expect(right.contains("data-frames=") && !right.contains("are of another run"))
    let wrong = try Self.page(own, Self.frames(other))
    #expect(!wrong.contains("data-frames="))
    #expect(wrong.contains("main: the recorded frames are of another run, which"))
  }
}
