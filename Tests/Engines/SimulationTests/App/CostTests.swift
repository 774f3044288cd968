import FrameBudget
import FrameBudgetSimulation
import Testing

/// The cost of moving work between threads, one constant at a time.
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

  @Test func `each item waits as long as its row says, behind what that row costs`() throws {
    let recorded = { (values: [Int64]) throws in
      DurationDistribution.recorded(
        try #require(RecordedDurations(values.map { .milliseconds($0) })))
    }
    var scenario = Scenario.files(
      .at([.zero, .milliseconds(20), .milliseconds(40)]), duration: .milliseconds(100), cores: 2)
    scenario.workloads[0].steps = [
      Step(
        name: "read", service: 0, load: .cpu(try recorded([1, 2, 3])),
        wait: try recorded([5, 0, 4]))
    ]
    let log = scenario.run(scenario.inBackground(), costs: .none, detail: .frames)
    // Items are delivered at the vsyncs at 0, 33.3 and 50 ms.
    #expect(log.items[0].completions == [6_000_000, 35_333_333, 57_000_000])
  }

  @Test func `the poster pays for each event, and more for the one that wakes a lane`() {
    let log = run(3) {
      $0[.scheduler] = HandOffCosts(
        post: .microseconds(1), wake: .microseconds(10), latency: .microseconds(100))
    }
    #expect(log.frames.records[0].spans[.post] == .microseconds(13))
    // The lane begins 100 us after the first post, which takes 11.
    #expect(log.items[0].completions == [2_711_000, 5_311_000, 7_911_000])
  }

  @Test func `waiting events add cost to each post and to each completion`() {
    let log = run(3) { $0[.scheduler].perWaiting = .microseconds(100) }
    // The second and the third post find one waiting; behind the first event two wait, then one.
    #expect(log.frames.records[0].spans[.post] == .microseconds(200))
    #expect(log.items[0].completions == [2_600_000, 5_400_000, 8_100_000])
  }

  @Test func `starting an event is the receiver's to pay`() {
    let log = run(3) { $0[.scheduler].run = .microseconds(50) }
    #expect(log.frames.records[0].spans[.post] == .zero)
    #expect(log.items[0].completions == [2_650_000, 5_300_000, 7_950_000])
  }

  @Test func `each step as an operation costs a post, a start and a walk at its end`() {
    var scenario = Scenario.files(.once(1, start: .zero), duration: .milliseconds(100), cores: 2)
    scenario.workloads[0].steps += scenario.workloads[0].steps + scenario.workloads[0].steps
    var arrangement = scenario.inBackground()
    arrangement.lanes[1].carrier = .operationQueue
    arrangement.lanes[1].options[.operations] = .choice("step")
    var costs = Costs.none
    costs[.operationQueue] = HandOffCosts(
      post: .microseconds(1), wake: .zero, latency: .zero, perWaiting: .microseconds(100),
      run: .microseconds(10))
    let log = scenario.run(arrangement, costs: costs, detail: .frames)
    // Three posts and one walk past two of them; behind the first operation two wait, then one.
    #expect(log.frames.records[0].spans[.post] == .microseconds(203))
    // The lane begins once all three are posted.
    #expect(log.items[0].completions == [203_000 + 3 * 2_610_000 + 300_000])
    #expect(log.totals.hops == 1)
  }

  @Test func `several threads serve a wide lane side by side`() {
    var scenario = Scenario.files(.once(4, start: .zero), duration: .milliseconds(100), cores: 3)
    scenario.services.append(Service(name: "other"))
    var other = scenario.workloads[0]
    (other.name, other.steps[0].service) = ("other", 1)
    scenario.workloads.append(other)
    var arrangement = scenario.inBackground()
    arrangement.lanes[1] = Lane(name: "pool", carrier: .dispatch, width: 2)
    arrangement.locks = PerLock(scenario.services.map { Lock(name: $0.name, kind: .fair) })
    (arrangement.placement, arrangement.entry) = ([.guarded(0), .guarded(1)], [1, 1])
    let wide = scenario.run(arrangement)
    arrangement.lanes[1].width = 1
    let narrow = scenario.run(arrangement)
    #expect(narrow.items.flatMap(\.completions).max() == 20_800_000)
    // Two items of one workload wait for each other; the fifth event is the first of the other workload.
    #expect(wide.items.flatMap(\.completions).max().map { $0 < 20_800_000 } == true)
    #expect(wide.items.allSatisfy { $0.doneCount == 4 } && wide.status == .complete)
    #expect(wide.totals.threads.map(\.name) == ["main", "pool", "pool"])
  }

  /// An item goes back and forth between two lanes that need no wake-up.
  private func chain(hops: Int, seed: UInt64) -> TimeSpan {
    var scenario = Scenario.files(.once(1, start: .zero), duration: .seconds(2), cores: 3)
    scenario.seed = seed
    scenario.services.append(Service(name: "other"))
    scenario.workloads[0].steps = (0..<hops).map { hop in
      Step(
        name: "\(hop)", service: ServiceIndex(hop % 2),
        load: .cpu(.constant(.microseconds(10))))
    }
    var arrangement = scenario.inBackground()
    arrangement.lanes = [.main] + ["one", "two"].map { Lane(name: $0, carrier: .naive) }
    arrangement.placement = [.home(1), .home(2)]
    let log = scenario.run(arrangement, costs: .standard)
    #expect(log.totals.hops == hops && log.items[0].doneCount == 1)
    return TimeSpan(nanoseconds: log.items[0].completions[0])
  }

  @Test(arguments: [1, 2, 4, 8])
  func `a hop to a lane that looks every 0.1 s takes 0 to 100 ms, k hops about k times 50`(
    hops: Int
  ) {
    let spans = (UInt64(1)...200).map { chain(hops: hops, seed: $0).inMilliseconds }
    let mean = spans.reduce(0, +) / 200
    #expect(abs(mean - Double(hops) * 50) < 6, "\(mean) ms for \(hops) hops")
    #expect(spans.allSatisfy { $0 > 0 && $0 <= Double(hops) * 100 + 1 })
    if hops == 1 { #expect(spans.contains { $0 < 10 } && spans.contains { $0 > 90 }) }
  }

  @Test func `taking and releasing a lock is part of the step that it guards`() {
    let log = run(2, kind: .barging) { $0.lock.post = .microseconds(7) }
    #expect(log.items[0].completions == [2_607_000, 5_214_000])
  }

  @Test func `the standard costs copy 20000 records in 600 us and free them in 300 us`() {
    #expect(Costs.standard.copyPerRecord * 20_000 == .microseconds(600))
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
