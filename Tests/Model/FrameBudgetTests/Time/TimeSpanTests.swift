import FrameBudget
import Testing

@Suite struct TimeSpanTests {
  @Test func `units are powers of a thousand nanoseconds`() {
    #expect(TimeSpan.seconds(2) == .milliseconds(2000))
    #expect(TimeSpan.milliseconds(3) == .microseconds(3000))
    #expect(TimeSpan.microseconds(4) == .nanoseconds(4000))
    #expect(TimeSpan.microseconds(1500).inMilliseconds == 1.5)
    #expect(TimeSpan.milliseconds(1500).inSeconds == 1.5)
    #expect(TimeSpan.nanoseconds(1500).inMicroseconds == 1.5)
  }

  @Test func `arithmetic uses whole nanoseconds`() {
    var span = TimeSpan.milliseconds(10) + .microseconds(1)
    #expect(span == .nanoseconds(10_001_000))
    span -= .nanoseconds(1)
    span += .seconds(1)
    #expect(span == .nanoseconds(1_010_000_999))
    #expect(span - .seconds(2) < .zero)
    #expect(TimeSpan.microseconds(2600) * 2500 == .milliseconds(6500))
  }

  @Test func `a speed divides to the nearest nanosecond`() {
    #expect(TimeSpan.nanoseconds(10).divided(by: 3) == .nanoseconds(3))
    #expect(TimeSpan.nanoseconds(11).divided(by: 3) == .nanoseconds(4))
    #expect(TimeSpan.nanoseconds(10).divided(by: 4) == .nanoseconds(3))
    #expect(TimeSpan.nanoseconds(10).divided(by: 0.5) == .nanoseconds(20))
    let odd = TimeSpan.nanoseconds(9_007_199_254_740_993)
    #expect(odd.divided(by: 1) == odd, "a speed of 1 must not pass through floating point")
  }

  @Test(arguments: [
    (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (-999, "-999 ns"), (1000, "1 us"),
    (1500, "1.5 us"), (2_600_000, "2.6 ms"), (999_999_999, "999.999999 ms"),
    (1_000_000_000, "1 s"), (5_000_000_001, "5.000000001 s"), (-1_500_000, "-1.5 ms"),
    (86_400_000_000_000, "86400 s"), (9_007_199_254_740_993, "9007199.254740993 s"),
    (Int64.max, "9223372036.854775807 s"), (Int64.min, "-9223372036.854775808 s"),
  ])
  func `a span is described in its largest unit, exactly`(nanoseconds: Int64, text: String) {
    #expect(TimeSpan(nanoseconds: nanoseconds).description == text)
  }

  @Test(arguments: [1, 999, 1000, 1001, 2_600_000, 86_399_999_999_999] as [Int64])
  func `a description reads back as the same span`(nanoseconds: Int64) throws {
    let span = TimeSpan(nanoseconds: nanoseconds)
    #expect(try Quantity.timeSpan(span.description) == span)
  }

  @Test func `instants differ by spans`() {
    let instant = Instant.zero + .milliseconds(5)
    #expect(instant.sinceZero == .milliseconds(5))
    #expect(instant - .milliseconds(7) < .zero)
    #expect(instant - (instant - .milliseconds(7)) == .milliseconds(7))
  }
}
