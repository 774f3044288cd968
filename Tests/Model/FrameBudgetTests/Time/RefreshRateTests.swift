import FrameBudget
import Testing

@Suite struct RefreshRateTests {
  static let rates: [RefreshRate] = [
    RefreshRate(1), RefreshRate(24), RefreshRate(60), RefreshRate(90), RefreshRate(144),
    RefreshRate(1000), RefreshRate(24000, over: 1001), RefreshRate(60000, over: 1001),
    RefreshRate(120_000, over: 1001), RefreshRate(999_999_999, over: 1_000_000),
    RefreshRate(1_000_001, over: 1_000_000), RefreshRate(142_857_143, over: 1_000_000),
  ]

  /// `floor(k * 10^9 * d / n)` in 128 bits, which the module itself does not use.
  private func vsyncByHand(_ k: Int, at rate: RefreshRate) -> Int128 {
    Int128(k) * 1_000_000_000 * Int128(rate.denominator) / Int128(rate.numerator)
  }

  @Test(arguments: rates) func `vsync k is k exact periods, rounded down once`(rate: RefreshRate) {
    var stream = RandomStream(seed: 7, name: "vsyncs")
    let day = 86_400_000
    for k in Array(0...200) + (0..<2000).map({ _ in Int(stream.next() % UInt64(day)) }) + [day] {
      #expect(Int128(rate.vsync(k).nanoseconds) == vsyncByHand(k, at: rate), "vsync \(k)")
    }
  }

  @Test(arguments: [
    (60, 1, 1, 16_666_666), (60, 1, 2, 33_333_333), (60, 1, 3, 50_000_000),
    (60, 1, 156, 2_600_000_000), (60, 1, 600, 10_000_000_000), (120, 1, 1, 8_333_333),
    (60000, 1001, 1, 16_683_333), (60000, 1001, 60, 1_001_000_000),
    (60000, 1001, 60000, 1_001_000_000_000), (24000, 1001, 24, 1_001_000_000),
    (1000, 1, 86_400_000, 86_400_000_000_000),
  ])
  func `vsyncs match a calculation by hand`(
    hertz: Int64, divisor: Int64, k: Int, nanoseconds: Int64
  ) {
    #expect(RefreshRate(hertz, over: divisor).vsync(k) == Instant(nanoseconds: nanoseconds))
  }

  @Test func `2.6 s at 60 Hz are 156 periods, not 157`() {
    let rate = RefreshRate(60)
    #expect(rate.firstVsync(atOrAfter: .zero + .milliseconds(2600)) == 156)
    #expect(rate.firstVsync(atOrAfter: .zero + .nanoseconds(2_600_000_001)) == 157)
    #expect(rate.vsyncs(through: .zero + .milliseconds(2600)) == 156)
    #expect(rate.vsyncs(through: .zero + .nanoseconds(2_599_999_999)) == 155)
  }

  @Test(arguments: rates) func `the first vsync at or after an instant`(rate: RefreshRate) {
    #expect(rate.firstVsync(atOrAfter: .zero) == 0)
    #expect(rate.firstVsync(atOrAfter: .zero - .seconds(1)) == 0)
    for k in [1, 2, 3, 59, 60, 61, 156, 12345, 86_399_999] {
      let vsync = rate.vsync(k)
      #expect(rate.firstVsync(atOrAfter: vsync) == k)
      #expect(rate.firstVsync(atOrAfter: vsync - .nanoseconds(1)) == k)
      #expect(rate.firstVsync(atOrAfter: vsync + .nanoseconds(1)) == k + 1)
    }
  }

  @Test(arguments: rates) func `the vsyncs up to an instant include one at that instant`(
    rate: RefreshRate
  ) {
    #expect(rate.vsyncs(through: .zero - .nanoseconds(1)) == 0)
    #expect(rate.vsyncs(through: .zero) == 0)
    for k in [1, 2, 3, 59, 60, 61, 156, 12345, 86_399_999] {
      let vsync = rate.vsync(k)
      #expect(rate.vsyncs(through: vsync) == k)
      #expect(rate.vsyncs(through: vsync - .nanoseconds(1)) == k - 1)
      #expect(rate.vsyncs(through: vsync + .nanoseconds(1)) == k)
    }
  }

  @Test func `a span of exactly one period is within budget`() {
    #expect(!RefreshRate(1000).isOverBudget(.milliseconds(1)))
    #expect(RefreshRate(1000).isOverBudget(.nanoseconds(1_000_001)))
    #expect(!RefreshRate(60).isOverBudget(.nanoseconds(16_666_666)))
    #expect(RefreshRate(60).isOverBudget(.nanoseconds(16_666_667)))
    #expect(!RefreshRate(60).isOverBudget(.zero))
    #expect(!RefreshRate(60).isOverBudget(.seconds(-1)))
    #expect(RefreshRate(60).isOverBudget(.seconds(86_400)))
  }

  @Test(arguments: rates) func `the budget ends at the exact period`(rate: RefreshRate) {
    for nanoseconds in (-2...2).map({ rate.period.nanoseconds + $0 }) {
      let exceeds =
        Int128(nanoseconds) * Int128(rate.numerator) > Int128(rate.denominator) * 1_000_000_000
      #expect(rate.isOverBudget(.nanoseconds(nanoseconds)) == exceeds)
    }
  }

  @Test func `equal rates are equal however they are written`() {
    #expect(RefreshRate(120, over: 2) == RefreshRate(60))
    #expect(Set([RefreshRate(120_000, over: 2002), RefreshRate(60000, over: 1001)]).count == 1)
  }

  @Test func `periods in milliseconds are exact, not counts of a rounded one`() {
    #expect(RefreshRate(60).milliseconds(ofPeriods: 156) == 2600)
    #expect(RefreshRate(60000, over: 1001).milliseconds(ofPeriods: 60) == 1001)
    #expect(RefreshRate(60).period == .nanoseconds(16_666_666))
  }

  @Test(arguments: ["60 Hz", "59.94 Hz", "23.976 Hz", "29.97 Hz", "119.88 Hz", "59.95 Hz", "1 Hz"])
  func `a rate is described as it is written`(text: String) throws {
    #expect(try Quantity.refreshRate(text).description == text)
  }

  @Test(arguments: [(0, 1), (1001, 1), (1, 2), (-60, 1), (60, 0), (60_000_000_000, 1_000_000_001)])
  func `a rate outside of 1 to 1000 Hz traps`(over: Int, under: Int) async {
    await #expect(processExitsWith: .failure) { [over, under] in
      _ = RefreshRate(Int64(over), over: Int64(under))
    }
  }
}
