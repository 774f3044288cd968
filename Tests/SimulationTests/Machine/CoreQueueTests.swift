import FrameBudget
import TestSupport
import Testing

@testable import Simulation

/// Who runs where when each core has a queue of its own, drawn nanosecond by nanosecond.
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
        "0...---000---0",
        "11111111111111111111",
        "-000000---000-000000",
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
  func `a thread makes room for one that may run nowhere else, and goes where it may`(
    scheduler: Machine.Scheduler
  ) {
    // The third waits for core 1 although core 0 is idle, which the second could use: it does once its slice is over.
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

  @Test func `a queue that is longer by two sends a thread to the other`() {
    let rows = timeline(
      [[.run(1), .sleep(5), .run(9)], [.run(30)], [.run(30)], [.run(30)]], even, cores: 2,
      scheduler: .perCore, on: [nil, [1], [0], [0]], length: 24)
    // It wakes behind two on core 0, of which one runs; at the end of that one's slice it goes to core 1.
    #expect(rows[0] == "0....--111---111---111")
  }

  @Test func `a fixed priority takes a core at once, and who had it waits for that one`() {
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
  func `what other processes have of a core is told from what own threads have`(
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
    // Each of the two turned away twice; what the other process's thread did counts nowhere.
    #expect(machine.contextSwitches == 4)
  }

  /// Slow: the simulator of the tests takes every nanosecond as a step.
  @Test(arguments: [1, 2, 3], [0, 5])
  func `a simulator of small time steps agrees on tiny cases`(cores: Int, credit: Int64) {
    var compared = 0
    for seed in 0..<UInt64(Tries.coreQueues.count) {
      let scripts = Self.scripts(seed)
      var brute = BruteForceQueues(scripts, cores: cores, slice: 5, credit: credit)
      brute.run(to: 500)
      if brute.isAmbiguous { continue }
      compared += 1
      var machine = VirtualMachine(
        ScriptedThreads(scripts), threads: scripts.map { _ in .fair(nice: 0) },
        speeds: Array(repeating: 1000, count: cores),
        sharing: .slices(5, credit: credit, granularity: 1_000_000), scheduler: .perCore)
      machine.advance(to: Instant(nanoseconds: 500))
      machine.updateAccounts()
      for thread in scripts.indices {
        let end = machine.program.end(of: ThreadIndex(thread))?.nanoseconds
        #expect(end == brute.threads[thread].end, "seed \(seed), thread \(thread)")
        let cpu = machine.threads[ThreadIndex(thread)].cpu.nanoseconds
        #expect(cpu == brute.threads[thread].cpu, "seed \(seed), thread \(thread)")
      }
    }
    #expect(compared > Tries.coreQueues.count / 5)
  }

  /// Threads that compute and sleep; the first sleep of each ends at an instant of its own.
  private static func scripts(_ seed: UInt64) -> [[Operation]] {
    var stream = RandomStream(seed: seed, name: "queues")
    return (0..<stream.number(2...5)).map { thread in
      var script = [Operation.sleep(Int64(thread * 7 + Int(seed) % 5 + 1))]
      for _ in 0..<stream.number(1...4) {
        script.append(.run(Int64(stream.number(1...40))))
        if stream.chance(50) { script.append(.sleep(Int64(stream.number(1...200)))) }
      }
      // Whoever ends behind a sleep needs a core to say so.
      return script + [.run(1)]
    }
  }
}
