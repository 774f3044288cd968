import FrameBudget
import FrameBudgetLearning
import FrameBudgetParsing
import FrameBudgetCaptures
import FrameBudgetReports
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

/// Traces that `run --trace` writes and `learn` reads: both have the same figures.
struct OwnRunTests {
  private static func run(_ name: String, _ label: String? = nil) throws -> ReportRow {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    let strategy = try #require(
      scenario.strategies.first { label == nil || $0.label == label })
    return ReportRow(
      VirtualEngine(detail: .trace).run(RunPlan(scenario, under: strategy)), cores: 2)
  }

  private static func recording(_ row: ReportRow) throws -> Recording {
    var file = TraceFile()
    var text = TraceFile.head
    file.write(row) { text += $0 }
    return try RecordingFile.read(Array((text + TraceFile.tail).utf8), name: "trace.json")
  }

  private static func learned(_ recording: Recording) throws -> LearnedScenario {
    try #require(LearnedScenario(recording, name: "trace", source: "trace.json"))
  }

  /// Slow: learns from a trace of every shipped scenario.
  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `the trace of a shipped scenario has the wanted and the dropped frames of its run`(
    _ name: String
  ) throws {
    let row = try Self.run(name)
    guard !row.log.frames.records.isEmpty else { return }
    let recording = try Self.recording(row)
    #expect(recording.doubts == [], "\(name)")
    let learned = try Self.learned(recording)
    #expect(learned.droppedFrames == row.log.frames.dropped, "\(name)")
    #expect(learned.wantedFrames == row.log.frames.expected, "\(name)")
  }

  /// Slow: learns from traces of shipped scenarios.
  @Test(arguments: ["camera-upload", "multi-select", "like-android"])
  func `the parts of drawing of a run are those that are learned from its trace`(
    _ name: String
  ) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    var scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    scenario.frameParts = [
      FramePart(name: "bind-rows", cpu: .exponential(mean: .milliseconds(2))),
      FramePart(name: "measure", cpu: .constant(.microseconds(700))),
    ]
    let strategy = try #require(scenario.strategies.first)
    let log = VirtualEngine(detail: .trace).run(RunPlan(scenario, under: strategy))
    let rules = scenario.frameParts.map { part in
      NameRule(.service(part.name)) { $0 == part.name }
    }
    let recording = try Self.recording(ReportRow(log, cores: 2))
    let learned = try #require(
      LearnedScenario(recording, name: "trace", source: "trace.json", rules: rules))
    let drawn = log.frames.records.filter { $0.workEnd <= .zero + log.duration }
    let ran = FramePartTotal.all(in: drawn.map { ($0.parts, $0.dropped) })
    #expect(learned.partTotals.map(\.name) == ran.map(\.name), "\(name)")
    #expect(learned.partTotals.map(\.frames) == ran.map(\.frames), "\(name)")
    for (part, ran) in zip(learned.partTotals, ran) {
      #expect(abs((part.span - ran.span).nanoseconds) < 1000, "\(name): \(part.name)")
    }
    #expect(learned.droppedFrames == log.frames.dropped, "\(name)")
  }

  /// 40 messages of 24 steps with the same name, each as one task.
  @Test func `the steps of an item stay together, whatever their names`() throws {
    let row = try Self.run("long-task", "main-thread")
    let learned = try Self.learned(Self.recording(row))
    let replay = try LearnedReplay(learned).runAsRecorded()
    #expect(row.log.frames.dropped == 80)
    #expect(replay.frames.dropped == 80)
    #expect(ReplayComparison(learned, replay).counts.bothDropped == 80)
  }
}
