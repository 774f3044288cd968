import Testing

@Suite struct HouseRulesTests {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
