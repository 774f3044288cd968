import FrameBudget
import Simulation
import Testing

/// What moving work about costs, one constant at a time.
@Suite struct CostTests {
  private func run(
    _ count: Int, kind: Lock.Kind? = nil, _ change: (inout Costs) -> Void
  ) -> RunLog {
    let scenario = Scenario.files(
      .once(count, start: .zero), duration: .milliseconds(100), cores: 2)
    var arrangement = scenario.inBackground()
    if let kind {
      arrangement.locks = [Lock(name: "lock", kind: kind)]
      arrangement.placement = [.guarded(0)]
      arrangement.entry = [1]
    }
    var costs = Costs.none
    change(&costs)
    return scenario.run(arrangement, costs: costs, detail: .frames)
  }

  @Test func `the poster pays for each event, and more for the one that wakes a lane`() {
    let log = run(3) {
      $0[.scheduler] = HandOffCosts(
        post: .microseconds(1), wake: .microseconds(10), latency: .microseconds(100))
    }
    #expect(log.frames.records[0].spans[.post] == .microseconds(13))
    #expect(log.items[0].completions == [2_700_000, 5_300_000, 7_900_000])
  }

  @Test func `taking and releasing a lock is part of the step that it guards`() {
    let log = run(2, kind: .barging) { $0.lock.post = .microseconds(7) }
    #expect(log.items[0].completions == [2_607_000, 5_214_000])
  }

  @Test func `the standard costs copy 20000 records in 1800 us and free them in 300 us`() {
    #expect(Costs.standard.copyPerRecord * 20_000 == .microseconds(1800))
    #expect(Costs.standard.releasePerRecord * 20_000 == .microseconds(300))
    for carrier in CarrierKind.allCases {
      #expect(Costs.standard[carrier] == carrier.description.costs)
      #expect(Costs.none[carrier] == .none)
    }
  }

  /// One workload holds a lock for 2.6 ms per file and takes it again at once; the UI reads under it.
  @Test(arguments: [Lock.Kind.barging, .fair, .inheriting])
  func `a barging lock that is taken again at once starves the screen, a fair one does not`(
    kind: Lock.Kind
  ) {
    var scenario = Scenario.files(
      .once(2000, start: .zero), render: .milliseconds(4), duration: .seconds(5), cores: 2)
    scenario.reads = [UIRead(service: 0, cpu: .constant(.microseconds(20)))]
    var arrangement = scenario.inBackground()
    arrangement.lanes[1].carrier = .thread
    arrangement.locks = [Lock(name: "lock", kind: kind)]
    arrangement.placement = [.guarded(0)]
    arrangement.entry = [1]
    arrangement.reading = .locked
    let metrics = RunMetrics(scenario.run(arrangement, costs: .standard))
    #expect(metrics.items.done > 1800)
    if kind == .barging {
      #expect(metrics.frames.dropped > 250)
      #expect(metrics["drops_lock"] == Double(metrics.frames.dropped))
    } else {
      #expect(metrics.frames.dropped == 0)
      #expect(metrics["lock_wait_ms_max"].map { $0 < 2.7 } == true)
    }
  }
}
