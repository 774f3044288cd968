import FrameBudget
import FrameBudgetSimulation
import Testing

/// Lanes of several threads of their own, with and without a promised order: one frame, a core for each thread.
@Suite struct OrderedLaneTests {
  /// Workloads of items of one step each, every workload with a service of its own.
  private func scenario(
    _ counts: [Int], step: TimeSpan = .milliseconds(1), duration: TimeSpan = .milliseconds(200)
  ) -> Scenario {
    var machine = Machine(cores: 4)
    machine.hasPools = false
    return Scenario(
      name: "ordered", display: Display(refresh: RefreshRate(50)), duration: duration,
      machine: machine, services: counts.indices.map { Service(name: "service\($0)") },
      workloads: counts.enumerated().map { place, count in
        let work = Step(
          name: "step", service: ServiceIndex(place), load: .cpu(.constant(step)))
        return Workload(
          name: "workload\(place)", arrival: .once(count, start: .zero), steps: [work])
      })
  }

  private func arrangement(
    _ scenario: Scenario, carrier: CarrierKind = .ordered, width: Int,
    drain: DrainUnit = .item
  ) -> Arrangement {
    var lane = Lane(name: "workers", carrier: carrier, width: width)
    if carrier == .ordered { lane.options[.drain] = .choice(drain.rawValue) }
    return Arrangement(
      lanes: [.main, lane],
      locks: scenario.services.map { Lock(name: $0.name, kind: .barging) },
      placement: scenario.services.indices.map { .guarded(LockIndex($0.position)) },
      entry: scenario.workloads.map { _ in 1 }, reading: .locked)
  }

  /// The times at which the items of each workload were done, in ms.
  private func completions(_ log: RunLog) -> [[Int64]] {
    log.items.map { $0.completions.map { $0 / 1_000_000 } }
  }

  /// A workload that keeps the only thread busy for 10 ms, so that all others wait when it is free.
  private func blocked(_ counts: [Int]) -> Scenario {
    var scenario = scenario([1] + counts)
    scenario.workloads[0].steps[0].load = .cpu(.constant(.milliseconds(10)))
    return scenario
  }

  @Test(arguments: DrainUnit.allCases)
  func `items of one workload run one after another on a wide lane`(drain: DrainUnit) {
    let scenario = scenario([4])
    let log = scenario.run(arrangement(scenario, width: 3, drain: drain))
    #expect(completions(log) == [[1, 2, 3, 4]])
    #expect(log.totals.hops == 4 && log.status == .complete)
  }

  /// A worker that posts its workload's next item is still on the lane when another worker reaches it.
  @Test(arguments: DrainUnit.allCases)
  func `workers of a pool share a wide lane, each at a place of its own`(drain: DrainUnit) {
    var scenario = scenario([6, 6, 6])
    scenario.machine = Machine(cores: 4)
    var costs = Costs.none
    costs[.ordered].post = .microseconds(500)
    let log = scenario.run(arrangement(scenario, width: 3, drain: drain), costs: costs)
    #expect(log.status == .complete && log.items.allSatisfy { $0.orderViolations == 0 })
    #expect(log.items.map(\.completions.count) == [6, 6, 6])
  }

  @Test func `without a guaranteed order, items overtake one another at their service's lock`() {
    let scenario = scenario([4])
    let log = scenario.run(arrangement(scenario, carrier: .dispatch, width: 2))
    #expect(completions(log) == [[1, 4, 2, 3]])
    #expect(log.items[0].orderViolations > 0 && log.status == .complete)
  }

  @Test(arguments: DrainUnit.allCases)
  func `several workloads run side by side`(drain: DrainUnit) {
    let scenario = scenario([2, 3])
    let log = scenario.run(arrangement(scenario, width: 2, drain: drain))
    #expect(completions(log) == [[1, 2], [1, 2, 3]])
  }

  @Test func `draining item by item lets workloads take turns`() {
    let scenario = blocked([3, 3])
    let log = scenario.run(arrangement(scenario, width: 1))
    #expect(completions(log) == [[10], [11, 13, 15], [12, 14, 16]])
  }

  @Test func `draining a batch runs all of a workload that waits`() {
    let scenario = blocked([3, 3])
    let log = scenario.run(arrangement(scenario, width: 1, drain: .batch))
    #expect(completions(log) == [[10], [11, 12, 13], [14, 15, 16]])
  }

  @Test(arguments: [(DrainUnit.item, Int64(2)), (.batch, 0)])
  func `each item but the first costs the lane a post, in a batch none`(
    drain: DrainUnit, posts: Int64
  ) throws {
    var costs = Costs.none
    costs[.ordered].post = .microseconds(500)
    let scenario = blocked([3])
    let log = scenario.run(arrangement(scenario, width: 1, drain: drain), costs: costs)
    let work = TimeSpan.milliseconds(13)
    #expect(try #require(log.totals.backgroundCPU) == work + .microseconds(500 * posts))
    // The sender pays for each event, with or without waking a thread.
    #expect(try #require(log.totals.mainCPU) == .microseconds(500 * 4))
  }

  @Test(arguments: DrainUnit.allCases)
  func `items that wait when the run ends are pending`(drain: DrainUnit) {
    let scenario = scenario([4, 4], step: .milliseconds(30), duration: .milliseconds(100))
    let log = scenario.run(arrangement(scenario, width: 2, drain: drain))
    #expect(log.items.map(\.doneCount) == [3, 3])
    #expect(log.items.map(\.pendingCount) == [1, 1])
    #expect(log.violations.isEmpty)
  }

  @Test func `a later item runs after its workload became idle`() {
    var scenario = scenario([0, 1])
    scenario.workloads[0].arrival = .batch(1, every: .milliseconds(20), start: .zero)
    let log = scenario.run(arrangement(scenario, width: 2))
    #expect(log.items[0].doneCount == log.items[0].arrivals.count)
    #expect(log.items[0].doneCount >= 9)
  }
}
