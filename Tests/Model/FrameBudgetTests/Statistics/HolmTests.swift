import Testing

@testable import FrameBudget

struct HolmTests {
  @Test func `Holm's correction judges the smallest p hardest`() {
    #expect(Holm.corrected([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06])
    #expect(Holm.corrected([0.9, 0.8]) == [1, 1])
  }
}
