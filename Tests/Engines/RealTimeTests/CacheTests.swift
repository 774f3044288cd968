import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// Parts of drawing in a cache, on this machine's threads and clock.
@Suite struct CacheTests {
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
    let log = try await realRun { try RealEngine().run(plan) }
    #expect(log.status == .complete, "\(log.violations)")
    var isHit: [Bool] = []
    for record in log.frames.records where record.presentVsync <= log.frames.vsyncs {
      var stream = RandomStream(seed: 1, name: "ui/frame/rows/cache", index: record.beginVsync)
      let hits = stream.unit() < 0.5
      isHit.append(hits)
      #expect(record.parts.first?.span == (hits ? .zero : .milliseconds(10)))
      // 11 ms, of which some microseconds may count as another phase.
      if !hits { #expect(record.spans[.render] > .milliseconds(10)) }
    }
    #expect(Set(isHit).count == 2)
  }
}
