import FrameBudget
import Testing

@testable import FrameBudgetSimulation

/// How often a core that becomes idle searches other queues, beside a list of all searches.
@Suite struct IdleBalanceTests {
  /// The number of searches after which the two differ; nil if they never do.
  private func difference(seed: UInt64, _ fault: BruteForceLooks.Fault? = nil) -> Int? {
    var stream = RandomStream(seed: seed, name: "idle balance")
    var balance = IdleBalance()
    var looks = BruteForceLooks(fault: fault)
    var success = 0
    for count in 0..<8000 {
      // Phases in which nearly all searches find a thread, and others in which nearly none does.
      if count % 1000 == 0 { success = stream.pick([0, 3, 50, 97, 100]) }
      let (random, found) = (stream.number(0...1023), stream.chance(success))
      let isWorthIt = looks.isWorthIt(random)
      guard balance.searches(random) == isWorthIt else { return count }
      looks.count(isWorthIt ? (found ? .found : .failed) : .skipped, fault: fault)
      if isWorthIt { balance.note(found: found) }
      guard balance.ratio == looks.ratio else { return count }
    }
    return nil
  }

  @Test func `it follows the list of all searches`() {
    for seed in 0..<UInt64(20) { #expect(difference(seed: seed) == nil, "seed \(seed)") }
  }

  @Test(arguments: BruteForceLooks.Fault.allCases)
  func `it does not follow other rules`(fault: BruteForceLooks.Fault) {
    #expect((0..<UInt64(20)).contains { difference(seed: $0, fault) != nil })
  }

  @Test func `where nothing is found it searches twice in 1024 times`() {
    var balance = IdleBalance()
    for _ in 0..<20_000 where balance.searches(0) { balance.note(found: false) }
    #expect(balance.ratio == 0)
    let atMost = (0..<1024).last { random in
      var copy = balance
      return copy.searches(random)
    }
    #expect(atMost == 1)
  }
}
