import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// Invariants of every run of any arrangement, for thousands of random ones.
///
/// 100 000 take some minutes: `FRAMEBUDGET_TRIES=100000 swift test --filter RandomRunTests -Xswiftc -O`.
///
/// A failure names the seed of the run, which is enough to repeat it.
@Suite struct RandomRunTests {
  @Test(arguments: Tries.randomRuns.parts)
  func `every run is consistent, whatever the arrangement and whenever it is stopped`(
    seeds: Range<UInt64>
  ) {
    for seed in seeds { expectWhole(RandomRun(seed: seed)) }
  }

  @Test(arguments: Tries.randomRuns.parts)
  func `runs with forks and yields are consistent too`(seeds: Range<UInt64>) {
    for seed in seeds { expectWhole(RandomRun(seed: seed, forks: true)) }
  }

  @Test(arguments: Tries.randomRuns.parts)
  func `runs with suspended items and parallel services are consistent too`(seeds: Range<UInt64>) {
    for seed in seeds {
      expectWhole(RandomRun(seed: seed, forks: seed.isMultiple(of: 2), sharing: true))
    }
  }

  @Test(arguments: Tries.randomRuns.parts)
  func `runs with repeated steps that are suspended or not awaited are consistent too`(
    seeds: Range<UInt64>
  ) {
    for seed in seeds {
      expectWhole(RandomRun(seed: seed, forks: true, sharing: true).repeatingSteps())
    }
  }

  @Test(arguments: Tries.randomRuns.parts)
  func `no frame begins at a run's last vsync or later, even if the thread had no core before`(
    seeds: Range<UInt64>
  ) {
    for seed in seeds {
      let run = RandomRun(seed: seed, forks: seed.isMultiple(of: 2)).onOneCore()
      expectWhole(run)
      let frames = run.log().frames
      let late = frames.records.filter { record in
        record.begin >= frames.lastVsync && !Self.isCut(record, in: run)
      }
      #expect(
        late.isEmpty, "seed \(seed): \(late.map { ($0.beginVsync, $0.begin) }) of \(frames.vsyncs)")
      let shown = frames.records.filter { $0.presentVsync <= frames.vsyncs }
      #expect(
        shown.allSatisfy { $0.ready <= frames.refresh.vsync($0.presentVsync) }, "seed \(seed)")
    }
  }

  /// Whether the frame has not begun and is recorded for the vsyncs that it missed: it ends with the run and, in a loop of frames,
  /// begins there.
  private static func isCut(_ record: FrameRecord, in run: RandomRun) -> Bool {
    let isOfEvents = run.scenario.display.mainLoop.events != nil
    return record.workEnd == run.stop && (isOfEvents || record.begin == run.stop)
  }

  private func expectWhole(_ run: RandomRun) {
    let seed = run.seed
    let log = run.log()
    let broken = Whole.violations(of: log, in: run)
    #expect(broken.isEmpty, "seed \(seed): \(broken.joined(separator: "; "))")
    // Again with a trace, for which the engine goes through every stage, and with metrics only, for which it takes all short cuts:
    // a run has no variation, and neither changes it.
    for detail in [FrameLedger.Detail.trace, .summary] {
      let again = RandomScenarioTests.text(run.log(detail: detail))
      #expect(
        again == RandomScenarioTests.text(log), "seed \(seed): not the same run with \(detail)")
    }
  }

  /// The test is only as good as the variety of the generated cases.
  @Test func `the random runs cover all options of arrangements`() {
    let plans = (UInt64(0)..<1000).map { RandomRun(seed: $0).plan }
    let arrangements = plans.map(\.arrangement)
    let carriers = Set(arrangements.flatMap { $0.lanes.map(\.carrier) })
    #expect(carriers == Set(CarrierKind.allCases))
    #expect(arrangements.contains { $0.lanes.contains { $0.width > 1 } })
    #expect(arrangements.contains { $0.lanes.contains { $0.splitsSteps } })
    #expect(arrangements.contains { $0.lanes.contains { !$0.renices.isEmpty } })
    #expect(arrangements.contains { $0.lanes.contains { $0.cores != nil } })
    let machines = plans.map(\.scenario.machine)
    #expect(machines.contains { $0.scheduler == .perCore && $0.hasPools && $0.busy > 0 })
    #expect(machines.contains { $0.slice != nil })
    #expect(arrangements.contains { $0.nestsLocks })
    #expect(arrangements.contains { $0.reading == .snapshot(.perStep) })
    #expect(arrangements.contains { $0.returning == .coalesced })
    let names = StrategyCatalog.all(for: plans[0].scenario).map(\.name)
    #expect(Set(plans.map(\.strategy.name)).isSuperset(of: names))
    #expect(plans.contains { plan in plan.workloads.contains { $0.workload.copyOf != nil } })
    #expect(plans.contains { plan in plan.scenario.services.contains { $0.records > 20_000 } })
    let forking = (UInt64(0)..<400).map { RandomRun(seed: $0, forks: true).plan }
    #expect(forking.count { $0.workloads.contains(where: \.hasForks) } > 50)
    #expect(forking.contains { $0.arrangement.yielding?.yieldsToOthers == true })
    for kind in Lock.Kind.allCases {
      #expect(arrangements.contains { $0.locks.contains { $0.kind == kind } })
    }
  }
}
