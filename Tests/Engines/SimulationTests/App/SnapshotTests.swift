import FrameBudget
import FrameBudgetSimulation
import Testing

/// Snapshots: the times of publishing, the costs of copying and freeing, and the age of the state that the UI reads.
@Suite struct SnapshotTests {
  /// Ten items of 3 ms in the background at 50 Hz, a state of 20 000 records, one read of 1 ms a frame.
  private func scenario(duration: TimeSpan = .milliseconds(100)) -> Scenario {
    let work = Step(name: "step", service: 0, load: .cpu(.constant(.milliseconds(3))))
    return Scenario(
      name: "snapshots", display: Display(refresh: RefreshRate(50)), duration: duration,
      machine: Machine(cores: 2), services: [Service(name: "service", records: 20_000)],
      workloads: [Workload(name: "item", arrival: .once(10, start: .zero), steps: [work])],
      reads: [UIRead(service: 0, cpu: .constant(.milliseconds(1)))])
  }

  private func run(_ rule: Reading.PublishRule, copy: Int64 = 90, free: Int64 = 0) -> RunLog {
    let scenario = scenario()
    var arrangement = scenario.inBackground()
    arrangement.reading = .snapshot(rule)
    var costs = Costs.none
    costs.copyPerRecord = .nanoseconds(copy)
    costs.releasePerRecord = .nanoseconds(free)
    return scenario.run(arrangement, costs: costs, detail: .frames)
  }

  @Test func `published after every step, every step copies the state`() {
    let log = run(.perStep)
    #expect(log.totals.publishing == .microseconds(1800) * 10)
    #expect(log.items[0].completions == (1...10).map { Int64($0) * 4_800_000 })
  }

  @Test func `published once in a frame, the first step of a frame copies the state`() {
    // Steps end at 4.8 (published), 9.6, 12.6, 15.6, 18.6, 21.6 (published), 26.4, 29.4, 32.4, 35.4 (out of work).
    let log = run(.perFrame)
    #expect(log.totals.publishing == .microseconds(1800) * 3)
    #expect(
      log.items[0].completions == [
        4_800_000, 9_600_000, 12_600_000, 15_600_000, 18_600_000, 21_600_000, 26_400_000,
        29_400_000, 32_400_000, 35_400_000,
      ])
  }

  @Test func `the state read misses what was done since it was published`() {
    let log = run(.perFrame)
    // Read at 20 ms: the snapshot of 4.8 ms, while items were done up to 18.6 ms. At 40 ms nothing is missing.
    #expect(log.totals.stateAges.stale.map { $0 } == [1_400_000])
    #expect(log.totals.stateAges.fresh == 4)
    #expect(RunMetrics(log)["state_age_ms_max"] == 1.4)
  }

  @Test func `the thread that drops the last reference to a snapshot frees it`() {
    let log = run(.perStep, copy: 0, free: 10)
    // The main thread frees the snapshot that it has read as soon as a newer one is published.
    let freed = log.frames.records.map { $0.spans[.release] }
    #expect(freed == [.zero, .microseconds(200), .microseconds(200), .zero, .zero])
    // Between two reads the lane frees all snapshots that were never read.
    let last = log.items[0].completions.last
    #expect(last.map { $0 > 30_000_000 && $0 < 32_000_000 } == true)
  }

  @Test func `a lane that has nothing to publish copies nothing`() {
    var scenario = scenario()
    scenario.reads = []
    var arrangement = scenario.inBackground()
    arrangement.reading = .snapshot(.perStep)
    let log = scenario.run(arrangement, costs: .standard)
    #expect(log.totals.publishing == .zero)
  }

  @Test func `an item misses from a snapshot until all of its steps are done, on whichever lanes`()
  {
    var scenario = scenario()
    scenario.services.append(Service(name: "elsewhere"))
    scenario.workloads[0].arrival = .once(1, start: .zero)
    scenario.workloads[0].steps.append(
      Step(name: "late", service: 1, load: .cpu(.constant(.milliseconds(30)))))
    var arrangement = scenario.inBackground()
    arrangement.lanes.append(Lane(name: "second", carrier: .thread))
    arrangement.placement = [.home(1), .home(2)]
    arrangement.reading = .snapshot(.perFrame)
    let log = scenario.run(arrangement)
    #expect(log.items[0].completions == [33_000_000])
    #expect(log.totals.stateAges.stale.isEmpty)
    #expect(log.totals.hops == 2)
  }
}
