import FrameBudget
import Testing

@testable import FrameBudgetSimulation

/// Threads that run for hours, more than the 2 h 26 min after which a weight times a distance in virtual time does not fit into
/// 64 bits.
@Suite struct LongRunTests {
  private let hours: Int64 = 10_000_000_000_000
  private let sharing = FairShare.slices(100_000_000)

  @Test(arguments: Machine.Scheduler.allCases, [1, 2])
  func `a thread that wakes beside threads that have run alone for hours gets its share`(
    scheduler: Machine.Scheduler, cores: Int
  ) {
    let busy = Array(repeating: [Operation.run(2 * hours)], count: cores)
    var machine = VirtualMachine(
      ScriptedThreads(busy + [[.sleep(hours), .run(1_000_000)]]),
      threads: Array(repeating: .fair(nice: 0), count: cores + 1),
      speeds: Array(repeating: 1000, count: cores), sharing: sharing, scheduler: scheduler)
    machine.advance(to: Instant(nanoseconds: hours + 1_000_000_000))
    machine.updateAccounts()
    let used = machine.threads[ThreadIndex(cores)].cpu
    #expect(used == .milliseconds(1))
  }

  @Test func `threads share a core for hours beside one that cannot use all of its share`() {
    var machine = VirtualMachine(
      ScriptedThreads(Array(repeating: [.run(4 * hours)], count: 3)),
      threads: [.fair(nice: 0), .fair(nice: 10), .fair(nice: 10)], speeds: [1000, 1000],
      sharing: sharing)
    machine.advance(to: Instant(nanoseconds: 2 * hours))
    machine.updateAccounts()
    let strong = machine.threads[0].cpu.nanoseconds
    let (first, second) = (machine.threads[1].cpu.nanoseconds, machine.threads[2].cpu.nanoseconds)
    #expect(strong == 2 * hours && first + second == 2 * hours)
    // In seconds, too, they do not share evenly: none of them is behind the average, which the strong thread makes.
    #expect(first > hours / 4 && second > hours / 4)
  }
}
