import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetSimulation

/// The threads on each core if each core has a queue of its own, drawn nanosecond by nanosecond.
@Suite struct CoreQueueTests {
  private let even = Array(repeating: Priority.fair(nice: 0), count: 4)

  @Test func `three equal threads on two cores: two share one of them, the third has the other`() {
    let scripts: [[Operation]] = [[.run(6)], [.run(12)], [.run(6)]]
    let rows = timeline(
      scripts, Array(even.prefix(3)), cores: 2, scheduler: .perCore, length: 14)
    #expect(
      rows == [
        "000---000",
        "111111111111",
        "---000---000",
      ])
    // With one queue all three take turns on both.
    let shared = timeline(scripts, Array(even.prefix(3)), cores: 2, length: 14)
    #expect(shared != rows)
  }

  @Test func `a core that has nothing to do pulls a thread that waits`() {
    let rows = timeline(
      [[.run(9)], [.run(4)], [.run(9)]], Array(even.prefix(3)), cores: 2, scheduler: .perCore,
      length: 14)
    #expect(
      rows == [
        "000-111111",
        "1111",
        "---000000000",
      ])
  }

  @Test func `a thread that wakes takes an idle core rather than wait for the one it ran on`() {
    let rows = timeline(
      [[.run(1), .sleep(4), .run(3)], [.run(2)], [.sleep(3), .run(6)]], Array(even.prefix(3)),
      cores: 2, scheduler: .perCore, length: 12)
    // The third began on core 0, and has it when the first wakes.
    #expect(
      rows == [
        "0...111",
        "11",
        "-..000000",
      ])
  }

  @Test func `where none is idle a thread that wakes waits for the core it ran on`() {
    let rows = timeline(
      [[.run(1), .sleep(4), .run(4)], [.run(20)], [.run(20)]], Array(even.prefix(3)), cores: 2,
      scheduler: .perCore, length: 20)
    #expect(
      rows == [
        "0...000---0",
        "11111111111111111111",
        "-000---000-000000000",
      ])
  }

  @Test(arguments: Machine.Scheduler.allCases)
  func `a thread that is kept on a core waits for it though another is idle`(
    scheduler: Machine.Scheduler
  ) {
    let rows = timeline(
      [[.run(2)], [.run(4)], [.run(4)]], Array(even.prefix(3)), cores: 2, scheduler: scheduler,
      on: [nil, [1], [1]], length: 12)
    #expect(
      rows == [
        "00",
        "111---1",
        "---111-1",
      ])
  }

  @Test(arguments: Machine.Scheduler.allCases)
  func `a thread moves to another core for one that is pinned to its core`(
    scheduler: Machine.Scheduler
  ) {
    // The third waits for core 1 although core 0 is idle, which the second could use: it does once its slice has ended.
    let rows = timeline(
      [[.run(1)], [.run(9)], [.run(4)]], Array(even.prefix(3)), cores: 2,
      scheduler: scheduler, on: [nil, nil, [1]], length: 14)
    #expect(
      rows == [
        "0",
        "111000000",
        "---1111",
      ])
  }

  @Test func `with one queue, threads that may run anywhere share with one that may not`() {
    var requests = even.prefix(3).map { ThreadRequest($0) }
    requests[2].cores = CoreSet([0]) ?? .all
    var machine = VirtualMachine(
      ScriptedThreads(Array(repeating: [.run(1000)], count: 3)), threads: requests,
      speeds: [1000, 1000], sharing: .slices(3), scheduler: .global)
    machine.advance(to: Instant(nanoseconds: 900))
    machine.updateAccounts()
    let cpu = machine.threads.map(\.cpu)
    #expect(cpu.allSatisfy { abs($0.nanoseconds - 600) < 12 }, "\(cpu)")
  }

  @Test func `a queue that is longer by two gives a thread to the other`() {
    let rows = timeline(
      [[.run(1), .sleep(5), .run(30)], [.run(30)], [.run(30)], [.run(30)]], even, cores: 2,
      sharing: .slices(3, tick: 1), scheduler: .perCore, on: [nil, [1], [0], [0]], length: 60)
    // It wakes behind two on core 0, of which one runs; at the end of a slice it goes to core 1.
    #expect(rows[0].contains("1"), "\(rows)")
  }

  @Test func `a fixed priority preempts at once, and the other thread waits for that core`() {
    let rows = timeline(
      [[.run(6)], [.run(6)], [.sleep(2), .run(3)]],
      [.fair(nice: 0), .fair(nice: 0), .fixed(1)], cores: 2, scheduler: .perCore, length: 12)
    #expect(
      rows == [
        "00---0000",
        "111111",
        "..000",
      ])
  }

  @Test func `a thread goes to its waker's core where less waits, and stays otherwise`() {
    // The fourth is posted to by the first, on core 0, when core 1 has two threads; it ran on core 1 before.
    for (isCrowded, core) in [(true, "0"), (false, "1")] {
      let rows = timeline(
        [
          [.sleep(3), .run(1), .post(0), .run(6)], [.wait(0), .run(2)],
          [.sleep(1), .run(20)], isCrowded ? [.sleep(2), .run(20)] : [],
        ], even, cores: 2, queues: [VirtualQueue()], scheduler: .perCore,
        on: [[0], nil, [1], [1]], length: 40)
      #expect(rows[1].first { $0.isNumber } == Character(core), "\(rows)")
    }
  }

  @Test(arguments: Machine.Scheduler.allCases)
  func `time of other processes on a core is separate from that of own threads`(
    scheduler: Machine.Scheduler
  ) {
    // 3 ns each in turn: it waits for an own thread and for one of another process.
    var machine = VirtualMachine(
      ScriptedThreads([[.run(6)], [.run(6)], [.run(1000)]]),
      threads: Array(even.prefix(3)), speeds: [1000], sharing: .slices(3), scheduler: scheduler,
      others: 1)
    machine.advance(to: Instant(nanoseconds: 100))
    #expect(machine.program.end(of: 0) == Instant(nanoseconds: 12))
    #expect(machine.program.waits[0].all == .nanoseconds(6))
    #expect(machine.program.waits[0].others == .nanoseconds(3))
    #expect(machine.program.waits[1].all == .nanoseconds(9))
    #expect(machine.program.waits[1].others == .nanoseconds(3))
    #expect(machine.usage.threads == [.nanoseconds(6), .nanoseconds(6)])
    // Each of the two was refused twice; the run of the other process's thread is not counted.
    #expect(machine.contextSwitches == 4)
  }

  /// Slow: the simulator of the tests takes every nanosecond as a step.
  @Test(arguments: [1, 2, 3], [false, true])
  func `a simulator of small time steps agrees`(cores: Int, isBusy: Bool) {
    var compared = 0
    for seed in 0..<UInt64(Tries.coreQueues.count) {
      let drawn = QueueCase(seed: seed, cores: cores, isBusy: isBusy)
      guard let differing = drawn.differing() else { continue }
      compared += 1
      #expect(differing.isEmpty, "seed \(seed), threads \(differing)")
    }
    #expect(compared > Tries.coreQueues.count / 40)
  }

  /// Slow, for the same reason.
  @Test(arguments: [1, 2, 3])
  func `a simulator of small time steps agrees where priorities change`(cores: Int) {
    var compared = 0
    for seed in 0..<UInt64(Tries.coreQueues.count) {
      guard let differing = QueueCase(prioritiesOf: seed, cores: cores).differing() else {
        continue
      }
      compared += 1
      #expect(differing.isEmpty, "seed \(seed), threads \(differing)")
    }
    #expect(compared > Tries.coreQueues.count / 40)
  }

  /// Slow: compares simulators until each fault has shown; the rarest show in one of some thousand cases.
  @Test(arguments: BruteForceQueues.Fault.allCases)
  func `it does not agree with other rules`(fault: BruteForceQueues.Fault) {
    let differs = (UInt64(0)..<6000).contains { seed in
      let drawn =
        BruteForceQueues.Fault.ofLocks.contains(fault)
        ? QueueCase(prioritiesOf: seed, cores: Int(seed % 3) + 1)
        : QueueCase(seed: seed, cores: Int(seed % 2) + 2, isBusy: seed % 4 < 2)
      return drawn.differing(fault).map { !$0.isEmpty } ?? false
    }
    #expect(differs)
  }
}

/// Threads that compute and sleep; the first sleep of each ends at an instant of its own.
private struct QueueCase {
  let scripts: [[Operation]]
  let priorities: [Priority]
  var locks = 0
  /// How long an idle core needs to start a thread that gets a lock.
  var latency = TimeSpan.zero
  let cores: Int
  let sharing: FairShare
  let end: Int64

  /// Busy threads want more than the cores most of the time.
  init(seed: UInt64, cores: Int, isBusy: Bool) {
    var stream = RandomStream(seed: seed, name: "queues")
    self.cores = cores
    sharing = isBusy ? .slices(41, warm: 53, tick: 29) : .slices(5, warm: 12, tick: 9)
    end = isBusy ? 1000 : 500
    let threads = isBusy ? cores + stream.number(1...2) : stream.number(2...5)
    scripts = (0..<threads).map { thread in
      var now = thread * 7 + Int(seed) % 5 + 1
      var script = [Operation.sleep(Int64(now))]
      for _ in 0..<(isBusy ? 12 : stream.number(1...4)) {
        let run = stream.number(1...(isBusy ? 100 : 40))
        script.append(.run(Int64(run)))
        if isBusy {
          now += run * stream.number(1...2) + stream.number(1...90)
          script.append(.sleep(Int64(now)))
        } else if stream.chance(50) {
          script.append(.sleep(Int64(stream.number(1...200))))
        }
      }
      // A thread that ends after a sleep needs a core to end.
      return script + [.run(1)]
    }
    priorities = scripts.map { _ in .fair(nice: 0) }
  }

  /// Threads of several priorities, which they lend to one another through locks or are given by others.
  init(prioritiesOf seed: UInt64, cores: Int) {
    var stream = RandomStream(seed: seed, name: "priorities")
    self.cores = cores
    sharing = .slices(11, warm: 12, tick: 9)
    end = 700
    locks = 2
    latency = .nanoseconds(stream.chance(50) ? Int64(stream.number(1...15)) : 0)
    let niceValues = [-5, 0, 1, 3, 10]
    let priorities: [Priority] = (0..<stream.number(2...4) + cores / 2).map {
      stream.chance(30) ? .fixed($0 + 1) : .fair(nice: stream.pick(niceValues))
    }
    let fair = priorities.indices.filter { priorities[$0].rank == 0 }
    self.priorities = priorities
    scripts = priorities.indices.map { thread in
      var script = [Operation.sleep(Int64(thread * 7 + Int(seed) % 5 + 1))]
      for _ in 0..<stream.number(2...7) {
        func run() -> Operation { .run(Int64(stream.number(1...40))) }
        switch stream.number(0...6) {
        case 0, 1: script.append(.sleep(Int64(stream.number(1...300))))
        case 2: script += [.lock(0), run(), .unlock(0), run()]
        case 3:
          script += [.lock(1), run(), .sleep(Int64(stream.number(1...300))), .unlock(1), run()]
        case 4: script += [.lock(0), run(), .lock(1), run(), .unlock(1), .unlock(0), run()]
        case 5 where !fair.isEmpty:
          let other = ThreadIndex(stream.pick(fair))
          script += [.renice(other, to: stream.pick(niceValues)), run()]
        default: script.append(run())
        }
      }
      return script
    }
  }

  /// The threads for which machine and simulator differ; nil if there is more than one right answer.
  func differing(_ fault: BruteForceQueues.Fault? = nil) -> [Int]? {
    let rules = BruteForceQueues.Rules(
      slice: sharing.slice.nanoseconds, warm: sharing.warm.nanoseconds,
      tick: sharing.tick.nanoseconds, latency: latency.nanoseconds,
      loadPeriod: sharing.loadPeriod.nanoseconds, fault: fault)
    var machine = sleepingMachine()
    var brute = BruteForceQueues(
      scripts, priorities, homes: scripts.indices.map { $0 % cores }, cores: cores, locks: locks,
      rules: rules)
    brute.run(to: end)
    if brute.isAmbiguous { return nil }
    machine.advance(to: Instant(nanoseconds: end))
    machine.updateAccounts()
    return scripts.indices.filter { thread in
      let place = ThreadIndex(thread)
      return machine.program.end(of: place)?.nanoseconds != brute.threads[thread].end
        || machine.threads[place].cpu.nanoseconds != brute.threads[thread].cpu
    }
  }

  /// A machine whose threads sleep from the start. If they began by going to sleep, its cores would have been idle and searched
  /// for threads before the first of them wakes, which the simulator does not model.
  private func sleepingMachine() -> VirtualMachine<ScriptedThreads> {
    var requests = priorities.map { ThreadRequest($0) }
    for thread in requests.indices { requests[thread].runs = false }
    let costs = HandOffCosts(post: .zero, wake: .zero, latency: latency)
    var machine = VirtualMachine(
      ScriptedThreads(scripts), threads: requests, speeds: Array(repeating: 1000, count: cores),
      locks: (0..<locks).map { _ in VirtualLock(.inheriting, costs: costs) }, sharing: sharing,
      scheduler: .perCore)
    for core in machine.cores.indices { machine.cores[core].idleTime.begin(at: .zero) }
    for (place, script) in scripts.enumerated() {
      guard case .sleep(let until)? = script.first else {
        preconditionFailure("a script that begins with a sleep")
      }
      let thread = ThreadIndex(place)
      machine.threads[thread].state = .sleeping
      machine.threads[thread].home = CoreIndex(place % cores)
      machine.timers.insert(thread, at: machine.moment(until))
    }
    return machine
  }
}
