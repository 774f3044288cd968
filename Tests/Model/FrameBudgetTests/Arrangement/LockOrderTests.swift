import FrameBudget
import Testing

@Suite struct `The order of locks` {
  /// Two services under a lock each and one under a third; a workload for each list of services that its steps call.
  private func scenario(_ steps: [[ServiceIndex]]) -> Scenario {
    Scenario(
      name: "order", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
      services: ["catalogue", "gallery", "gate"].map { Service(name: $0) },
      workloads: steps.enumerated().map { place, services in
        Workload(
          name: "workload-\(place)", arrival: .once(1, start: .zero),
          steps: services.map {
            Step(name: "step", service: $0, load: .cpu(.constant(.milliseconds(1))))
          })
      })
  }

  private func arrangement(_ scenario: Scenario, hold: Lock.Hold = .nested) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += scenario.workloads.map { Lane(name: $0.name, carrier: .thread) }
    arrangement.locks = PerLock(
      scenario.services.map { Lock(name: $0.name, kind: .fair, hold: hold) })
    arrangement.placement = PerService(arrangement.locks.indices.map { .guarded($0) })
    arrangement.entry = PerWorkload(arrangement.lanes.indices.dropFirst())
    return arrangement
  }

  private func conflicts(
    _ steps: [[ServiceIndex]], hold: Lock.Hold = .nested,
    _ change: (inout Arrangement) -> Void = { _ in }
  ) -> [LockOrderConflict] {
    let scenario = scenario(steps)
    var arrangement = arrangement(scenario, hold: hold)
    change(&arrangement)
    return arrangement.lockOrderConflicts(in: scenario)
  }

  @Test func `conflicts if two workloads take two locks in opposite orders`() throws {
    let found = conflicts([[0, 1], [0], [1, 0]])
    #expect(found.map(\.workloads) == [[0, 2]])
    #expect(found.map(\.locks) == [[0, 1]])
  }

  @Test func `does not conflict if they take them in the same order, or hold one at a time`() {
    #expect(conflicts([[0, 1], [0, 2, 1], [0, 1, 0]]) == [])
    #expect(conflicts([[0, 1], [1, 0]], hold: .step) == [])
    #expect(conflicts([[0, 1], [1, 0]], hold: .item) == [])
  }

  @Test func `conflicts with a lock held for one step, if that lock is taken last`() {
    #expect(conflicts([[0, 1], [1, 0]]) { $0.locks[1].hold = .step } == [])
    #expect(conflicts([[0, 2, 1], [1, 0]]) { $0.locks[2].hold = .step }.count == 1)
  }

  @Test func `does not conflict under a lock that both already hold`() {
    #expect(conflicts([[2, 0, 1], [2, 1, 0]]) == [])
    #expect(conflicts([[2, 0, 1], [1, 0]]).count == 1)
  }

  @Test func `does not conflict on one thread, which runs one item at a time`() {
    #expect(conflicts([[0, 1], [1, 0]]) { $0.entry = [1, 1] } == [])
    let wide = conflicts([[0, 1], [1, 0]]) {
      $0.lanes[1] = Lane(name: "pool", carrier: .dispatch, width: 2)
      $0.entry = [1, 1]
    }
    #expect(wide.count == 1)
  }

  @Test func `restarts on another lane, and with each step that is its own operation`() {
    #expect(conflicts([[0, 2, 1], [1, 0]]) { $0.placement[2] = .home(.main) } == [])
    let split = conflicts([[0, 1], [1, 0]]) {
      for lane: LaneIndex in [1, 2] {
        $0.lanes[lane].carrier = .operationQueue
        $0.lanes[lane].options[.operations] = .choice("step")
      }
    }
    #expect(split == [])
  }
}
