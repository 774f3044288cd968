import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// Frames that a second stage makes ready, on this machine's threads and clock.
@Suite struct SecondStageTests {
  /// Runs of which one `shows` what is tested.
  private static func run(
    _ pipeline: Pipeline, until shows: (RunLog) -> Bool
  ) async throws -> RunLog {
    let scenario = Scenario(
      name: "second-stage",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), pipeline: pipeline),
      duration: .milliseconds(500), warmup: .milliseconds(40), services: [Service(name: "app")])
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: .onMain(scenario)))
    return try await realRuns(of: plan, until: shows)
  }

  @Test(arguments: [false, true])
  func `each frame is ready when the stage has finished it, one after the other`(
    usesGPU: Bool
  ) async throws {
    let pipeline = Pipeline(
      deadline: 2, compositor: .constant(.milliseconds(5)), usesGPU: usesGPU)
    let log = try await Self.run(pipeline) { $0.frames.records.count > 2 }
    #expect(log.status == .complete, "\(log.violations)")
    let frames = log.frames.records
    #expect(frames.count > 2 && log.frames.expected == 24)
    for frame in frames where frame.presentVsync <= log.frames.vsyncs {
      #expect(frame.ready >= frame.workEnd + .milliseconds(5))
      #expect(frame.spans[.compositor] == frame.ready - frame.workEnd)
      #expect(frame.presentVsync >= frame.beginVsync + 2)
    }
    for (one, next) in zip(frames, frames.dropFirst()) {
      #expect(next.ready >= one.ready && next.beginVsync > one.beginVsync)
    }
    #expect(log.totals.threads.map(\.name) == ["main"] + (usesGPU ? [] : ["compositor"]))
  }

  @Test func `a run may end while the main thread waits for a buffer`() async throws {
    let log = try await Self.run(
      Pipeline(deadline: 1, compositor: .constant(.milliseconds(700))), until: Self.waits)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.frames.begins.count == 1 && log.frames.presented == 0)
    #expect(Self.waits(log))
  }

  @Test func `a stage longer than a period lets the main thread wait for a buffer`() async throws {
    let log = try await Self.run(
      Pipeline(deadline: 1, compositor: .constant(.milliseconds(30)))
    ) { Self.waits($0) && $0.frames.stuffed > 0 }
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.frames.presented <= 13, "at best every second vsync")
    #expect(log.frames.stuffed > 0)
    #expect(Self.waits(log))
  }

  /// Whether a frame was late because of the stage.
  private static func waits(_ log: RunLog) -> Bool {
    log.frames.drops.contains { $0.cause == .compositor }
  }
}
