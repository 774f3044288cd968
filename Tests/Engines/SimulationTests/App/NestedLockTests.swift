import FrameBudget
import FrameBudgetSimulation
import Testing

/// Locks that an item keeps while it takes others, compared with hand-made timelines in milliseconds.
@Suite struct `Nested locks` {
  /// Two services under a lock each, and a third on main. Every step takes 4 ms.
  private func scenario(
    _ workloads: [[ServiceIndex]], starts: [Int64], duration: TimeSpan = .milliseconds(100)
  ) -> Scenario {
    Scenario(
      name: "nested", display: Display(refresh: RefreshRate(100)), duration: duration,
      machine: Machine(cores: 3), services: ["a", "b", "there"].map { Service(name: $0) },
      workloads: zip(workloads.indices, workloads).map { place, services in
        Workload(
          name: "workload-\(place)", arrival: .once(1, start: .milliseconds(starts[place])),
          steps: services.map {
            Step(name: "step", service: $0, load: .cpu(.constant(.milliseconds(4))))
          })
      })
  }

  /// A thread for each workload.
  private func arrangement(
    _ scenario: Scenario, _ kind: Lock.Kind = .fair, holds: [Lock.Hold] = [.nested, .nested]
  ) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += scenario.workloads.map { Lane(name: $0.name, carrier: .thread) }
    arrangement.locks = PerLock(
      zip(["a", "b"], holds).map { Lock(name: $0, kind: kind, hold: $1) })
    arrangement.placement = [.guarded(0), .guarded(1), .home(.main)]
    arrangement.entry = PerWorkload(arrangement.lanes.indices.dropFirst())
    arrangement.reading = .locked
    return arrangement
  }

  private func holds(_ log: RunLog, thread: ThreadIndex) throws -> [String] {
    try #require(log.trace).threads[thread].spans.compactMap { span in
      guard case .lockHold(let lock) = span.activity else { return nil }
      return "\(lock) \(span.begin.nanoseconds / 1_000_000)-\(span.end.nanoseconds / 1_000_000)"
    }
  }

  @Test func `are kept to the item's end and released in reverse`() throws {
    let scenario = scenario([[0, 1, 0]], starts: [0])
    let log = scenario.run(arrangement(scenario), detail: .trace)
    #expect(try holds(log, thread: 1) == ["1 4-12", "0 0-12"])
    #expect(log.items[0].completions == [12_000_000])
  }

  @Test func `are kept beside those that are held for a step or an item`() throws {
    let scenario = scenario([[0, 1, 1, 0, 1]], starts: [0])
    let step = scenario.run(arrangement(scenario, holds: [.nested, .step]), detail: .trace)
    #expect(try holds(step, thread: 1) == ["1 4-8", "1 8-12", "1 16-20", "0 0-20"])
    let item = scenario.run(arrangement(scenario, holds: [.nested, .item]), detail: .trace)
    #expect(try holds(item, thread: 1) == ["1 4-12", "1 16-20", "0 0-20"])
  }

  @Test func `are released when the item leaves the lane`() throws {
    let scenario = scenario([[0, 1, 2]], starts: [0])
    let log = scenario.run(arrangement(scenario), detail: .trace)
    #expect(try holds(log, thread: 1) == ["1 4-8", "0 0-8"])
    #expect(log.items[0].completions == [14_000_000])
  }

  @Test func `are released when a time-sliced item is put aside`() throws {
    let scenario = scenario([[0, 1, 0, 1]], starts: [0])
    var arrangement = arrangement(scenario)
    arrangement.entry = [.main]
    arrangement.admission = .fitting(.init(estimate: .exact, unit: .step))
    let log = scenario.run(arrangement, detail: .trace)
    // Two steps fit into 10 ms.
    #expect(try holds(log, thread: 0) == ["1 4-8", "0 0-8", "1 14-18", "0 10-18"])
    #expect(log.items[0].completions == [18_000_000])
  }

  @Test(arguments: Lock.Kind.allCases)
  func `that are taken in opposite orders end in a deadlock, and the run says so`(
    _ kind: Lock.Kind
  ) {
    var scenario = scenario([[0, 1], [1, 0], [2]], starts: [20, 20, 50])
    scenario.reads = [UIRead(service: 0, cpu: .constant(.milliseconds(1)))]
    var arrangement = arrangement(scenario, kind)
    arrangement.entry[2] = .main
    let log = scenario.run(arrangement, detail: .trace)
    let since = Instant.zero + .milliseconds(25)
    #expect(log.status == .complete)
    #expect(log.violations == [])
    #expect(log.items.map(\.pendingCount) == [1, 1, 1])
    #expect(
      log.totals.deadlocks == [
        Deadlock(threads: ["workload-0", "workload-1"], locks: ["b", "a"], since: since)
      ])
    // The frame at 20 ms reads before the threads begin; that at 30 ms waits until the end.
    #expect(log.frames.presented == 3)
    #expect(log.frames.longestLockWait == .milliseconds(70))
  }

  @Test func `that are taken in one order only let one item wait for the other`() {
    let scenario = scenario([[0, 1], [0, 1]], starts: [20, 20])
    let log = scenario.run(arrangement(scenario))
    #expect(log.totals.deadlocks == [])
    #expect(log.items.flatMap { Array($0.completions) } == [28_000_000, 36_000_000])
  }

  @Test func `can catch the main thread itself`() {
    let scenario = scenario([[0, 1], [1, 0]], starts: [20, 20])
    var arrangement = arrangement(scenario)
    arrangement.entry[1] = .main
    let log = scenario.run(arrangement)
    #expect(log.totals.deadlocks.map { $0.threads.sorted() } == [["main", "workload-0"]])
    #expect(log.items.map(\.pendingCount) == [1, 1])
    #expect(log.violations == [])
  }

  @Test func `of steps that are operations of their own are held for a step`() {
    let scenario = scenario([[0, 1], [1, 0]], starts: [20, 20])
    var arrangement = arrangement(scenario)
    for lane: LaneIndex in [1, 2] {
      arrangement.lanes[lane].carrier = .operationQueue
      arrangement.lanes[lane].options[.operations] = .choice("step")
    }
    let log = scenario.run(arrangement)
    #expect(log.totals.deadlocks == [])
    #expect(log.items.map(\.doneCount) == [1, 1])
  }
}
