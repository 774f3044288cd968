import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// Parts of drawing that are spread over frames, on this machine's threads and clock. The machine may be busy, so only what must be
/// is expected.
@Suite struct SpreadTests {
  private static let budget = TimeSpan.milliseconds(4)

  private static func run(
    _ loop: MainLoop, onDemandAt vsyncs: [Int] = []
  ) async throws -> RunLog {
    let refresh = RefreshRate(20)
    var scenario = Scenario(
      name: "list",
      display: Display(refresh: refresh, render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .seconds(3), warmup: .milliseconds(100), services: [Service(name: "app")])
    let costs = [TimeSpan.zero, .zero, .zero, .milliseconds(10)]
    var cpu = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    if !vsyncs.isEmpty {
      scenario.display.frames = .onDemand(at: vsyncs.map { refresh.vsync($0).sinceZero })
      cpu = .constant(.milliseconds(10))
    }
    scenario.frameParts = [FramePart(name: "rows", cpu: cpu)]
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = [.spread(budget: budget)]
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    let log = try await realRuns(of: plan) { log in
      guard let next = vsyncs.last else { return true }
      // Three for each request; those of the first are over when the next one comes, those of that one by the end.
      guard log.drawn.count == 3 * vsyncs.count else { return false }
      return log.frames.records[2].workEnd < refresh.vsync(next)
    }
    #expect(log.status == .complete, "\(log.violations)")
    return log
  }

  /// Whichever frames begin, each runs what is left of it and of those before it, at most the budget.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events(frameTime: .posted))])
  func `run whatever is left, at most their budget in each frame`(loop: MainLoop) async throws {
    let log = try await Self.run(loop)
    var left = TimeSpan.zero
    for record in log.drawn {
      left += record.beginVsync % 4 == 3 ? .milliseconds(10) : .zero
      let span = min(left, Self.budget)
      left -= span
      #expect(record.parts == [FramePartTime(name: "rows", span: span)])
      #expect(record.partsWaiting == left)
    }
    expectDrawing(in: log) {
      $0.parts.reduce(TimeSpan.milliseconds(1)) { $0 + $1.span }
    }
    let late = try #require(log.totals.partLateness)
    // 4, 4 and 2 ms: in the frame, and at least two vsyncs later.
    #expect(late.longest >= .milliseconds(100) && log.frames.shownIncomplete > 0)
  }

  /// Frames at the vsyncs 4 and 40, with rests in the two behind each, which need no rows of their own.
  @Test func `request the next frame on demand`() async throws {
    let log = try await Self.run(.events(MainLoop.Events()), onDemandAt: [4, 40])
    let parts = log.frames.records.map { $0.parts.map(\.span) }
    let rest: [[TimeSpan]] = [[Self.budget], [Self.budget], [.milliseconds(2)]]
    #expect(parts == rest + rest)
    #expect(log.totals.partLateness?.left == .zero && log.frames.shownIncomplete == 4)
  }
}
