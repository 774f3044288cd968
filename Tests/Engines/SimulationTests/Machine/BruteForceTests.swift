import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetSimulation

@Suite struct BruteForceTests {
  /// The threads with the highest fixed priorities run, on any core.
  /// Slow: the simulator of the tests takes every nanosecond as a step.
  @Test(arguments: [1, 2, 3], Machine.Scheduler.allCases)
  func `a simulator of small time steps agrees on tiny cases`(
    cores: Int, scheduler: Machine.Scheduler
  ) {
    var compared = 0
    for seed in 0..<UInt64(Tries.bruteForces.count) {
      var random = RandomScripts(
        seed: seed, threads: 1...4, spans: 1...60, kinds: [.fair, .barging])
      // One after another, so that they do not all arrive at time 0.
      for thread in random.scripts.indices {
        random.scripts[thread].insert(.sleep(Int64((thread * 7 + Int(seed)) % 11 + 1)), at: 0)
      }
      var brute = BruteForceMachine(
        random.scripts, cores: cores, locks: random.locks, queues: random.queues)
      brute.run(to: 800)
      if brute.isAmbiguous { continue }
      compared += 1
      var machine = VirtualMachine(
        ScriptedThreads(random.scripts), threads: random.scripts.indices.map { .fixed($0 + 1) },
        speeds: Array(repeating: 1000, count: cores),
        locks: random.locks.map { VirtualLock($0) },
        queues: (0..<random.queues).map { _ in VirtualQueue() }, sharing: .slices(5),
        scheduler: scheduler)
      machine.advance(to: Instant(nanoseconds: 800))
      machine.updateAccounts()
      for thread in machine.threads.indices {
        let end = machine.program.end(of: thread)?.nanoseconds
        #expect(end == brute.threads[thread].end, "seed \(seed), thread \(thread)")
        let cpu = machine.threads[thread].cpu.nanoseconds
        #expect(cpu == brute.threads[thread].cpu, "seed \(seed), thread \(thread)")
      }
    }
    #expect(compared > Tries.bruteForces.count / 3)
  }
}
