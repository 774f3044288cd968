import FrameBudget
import Testing

struct CauseNameTests {
  @Test func `each cause and phase has the name of its case`() {
    #expect(Cause.allCases.map(\.name) == Cause.allCases.map { String(describing: $0) })
    let phases = Phase.allCases.map { $0 == .lockWait ? "lock_wait" : String(describing: $0) }
    #expect(Phase.allCases.map(\.name) == phases)
  }
}
