import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// Only the machine wakes a main thread late. If every thread has a core there is no such delay: a frame
/// waits only for the app's own work.
@Suite struct WakeupTests {
  @Test(arguments: Tries.randomRuns.parts)
  func `with a core for every thread no frame is dropped by a late wake-up`(seeds: Range<UInt64>) {
    for seed in seeds {
      let log = RandomRun(seed: seed, forks: true).withOwnCores().log()
      let drops = log.frames.drops.filter { $0.cause == .wakeup }
      #expect(drops.isEmpty, "seed \(seed)")
    }
  }

  /// The test is only as good as the variety of the generated cases.
  @Test func `the runs with a core for every thread have both loops, and frames that wait`() {
    let logs = (UInt64(0)..<400).map { seed in
      let run = RandomRun(seed: seed, forks: true).withOwnCores()
      return (loop: run.scenario.display.mainLoop.events, log: run.log())
    }
    #expect(logs.contains { $0.loop == nil && $0.log.frames.dropped > 0 })
    for frameTime in MainLoop.Events.FrameTime.allCases {
      #expect(logs.contains { $0.loop?.frameTime == frameTime && $0.log.frames.dropped > 0 })
    }
    for order in MainLoop.Events.Order.allCases {
      #expect(logs.contains { $0.loop?.order == order && $0.log.frames.dropped > 0 })
    }
    for batch in MainLoop.Events.Batch.allCases {
      #expect(logs.contains { $0.loop?.batch == batch && $0.log.frames.dropped > 0 })
    }
    #expect(logs.contains { $0.log.frames.isOnDemand && $0.log.frames.dropped > 0 })
    for cause in [Cause.lock, .logic, .drain, .reads, .render, .compositor] {
      #expect(logs.contains { $0.log.frames.drops.contains { $0.cause == cause } }, "\(cause)")
    }
    #expect(
      logs.contains { run in
        run.log.frames.drops.contains { $0.cause != .stuffed }
          && run.loop != nil && run.log.frames.records.contains { $0.beginCause != nil }
      })
  }

  /// 60 Hz, nothing but drawing for 30 ms: every other frame waits for the one before.
  @Test(arguments: MainLoop.Events.FrameTime.allCases)
  func `an app that draws for too long is reported`(frameTime: MainLoop.Events.FrameTime) {
    let metrics = PipelineAnswersTests.run(
      draw: 30, Pipeline(deadline: 2), vsyncs: 180,
      loop: .events(MainLoop.Events(frameTime: frameTime)))
    #expect(metrics.frames.dropped > 70)
    #expect(metrics.frames.drops[Int(Cause.render.rawValue)] == metrics.frames.dropped)
  }
}
