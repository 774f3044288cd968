import FrameBudget
import FrameBudgetRealTime
import TestSupport
import Testing

@Suite struct `A lock that is passed on` {
  @Test(arguments: [Lock.Kind.barging, .fair, .inheriting])
  func `is taken after its release, every time`(_ kind: Lock.Kind) async throws {
    let outcome = try await onOwnThread {
      try LockProbe(kind, samples: 20, held: .microseconds(200)).run()
    }
    #expect(outcome.wakes.count == 20)
    #expect(outcome.latencies.count == 20)
    // The waiter cannot have the lock before the start of the release.
    #expect(outcome.latencies.allSatisfy { $0 > 0 })
    #expect(outcome.wakes.allSatisfy { $0 > 0 })
  }
}
