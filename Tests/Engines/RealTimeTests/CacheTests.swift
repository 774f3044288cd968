import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// Parts of drawing in a cache, on this machine's threads and clock.
@Suite struct CacheTests {
  private static func isHit(_ frame: FrameRecord) -> Bool {
    var stream = RandomStream(seed: 1, name: "ui/frame/rows/cache", index: frame.beginVsync)
    return stream.unit() < 0.5
  }

  private static func hasBoth(_ log: RunLog) -> Bool { Set(log.drawn.map(isHit)).count == 2 }

  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `hit and miss the same frames as in virtual time`(loop: MainLoop) async throws {
    var scenario = Scenario(
      name: "list",
      display: Display(
        refresh: RefreshRate(20), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .seconds(2), warmup: .milliseconds(100), services: [Service(name: "app")])
    scenario.frameParts = [FramePart(name: "rows", cpu: .constant(.milliseconds(10)))]
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = [.cached(hits: 0.5)]
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    let log = try await realRuns(of: plan, until: Self.hasBoth)
    #expect(log.status == .complete, "\(log.violations)")
    for record in log.drawn {
      #expect(record.parts.first?.span == (Self.isHit(record) ? .zero : .milliseconds(10)))
    }
    expectDrawing(in: log) { .milliseconds(Self.isHit($0) ? 1 : 11) }
    #expect(Self.hasBoth(log))
  }
}
