import Synchronization
import Testing

@testable import FrameBudgetCLI

@Suite struct `Mapping on all cores` {
  @Test(arguments: [0, 1, 2, 1000])
  func `gives one result for each element, in their order`(_ count: Int) {
    let calls = Atomic(0)
    let results = Array(0..<count).concurrentMap { number in
      calls.add(1, ordering: .relaxed)
      // Early ones take long, so that late ones are done before them.
      return (0..<(count - number) * 10).reduce(number) { $0 ^ $1 ^ $1 }
    }
    #expect(results == Array(0..<count))
    #expect(calls.load(ordering: .relaxed) == count)
  }
}
