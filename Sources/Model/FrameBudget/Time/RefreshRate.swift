/// A display's refresh rate as an exact fraction, and its vsync schedule.
///
/// Vsync `k` is at `V(k) = floor(k * 10^9 / hz)` nanoseconds, computed from `k` every time: adding a rounded period repeatedly
/// would turn 2.6 s at 60 Hz, which is exactly 156 periods, into 157.
public struct RefreshRate: Hashable, Sendable {
  /// In lowest terms, so that equal rates are equal values.
  public let numerator: Int64
  /// The number of seconds in which `numerator` pictures are shown.
  public let denominator: Int64
  /// The period, rounded down. It is for display; decisions use the exact methods below.
  public let period: TimeSpan

  /// `numerator / denominator` hertz; both positive, from 1 Hz to 1000 Hz.
  public init(_ numerator: Int64, over denominator: Int64 = 1) {
    precondition(denominator > 0 && denominator <= Self.second, "a denominator from 1 to 10^9")
    precondition(
      numerator >= denominator && numerator <= denominator * 1000, "a rate from 1 to 1000 Hz")
    let divisor = greatestCommonDivisor(numerator, denominator)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
    period = TimeSpan(nanoseconds: self.denominator * Self.second / self.numerator)
  }

  /// The rate of vsyncs with this period; nil unless it is from 1 ms to 1 s.
  public init?(period: TimeSpan) {
    guard (.milliseconds(1)...(.seconds(1))).contains(period) else { return nil }
    self.init(Self.second, over: period.nanoseconds)
  }

  /// Pictures per second, rounded to a floating-point number.
  public var hertz: Double { Double(numerator) / Double(denominator) }

  /// The duration of `numerator` periods in nanoseconds: the exact period is this divided by `numerator`.
  private var cycle: Int64 { denominator * Self.second }
  private static let second: Int64 = 1_000_000_000

  /// The exact length of `count` periods in milliseconds.
  public func milliseconds(ofPeriods count: Int) -> Double {
    Double(cycle) * Double(count) / Double(numerator) / 1e6
  }

  /// `V(k)`, for any `k` from 0.
  public func vsync(_ k: Int) -> Instant {
    Instant(nanoseconds: scaled(Int64(k), by: cycle, over: numerator).quotient)
  }

  /// The first vsync at or after `instant`, counted from vsync 0.
  public func firstVsync(atOrAfter instant: Instant) -> Int {
    guard instant.nanoseconds > 0 else { return 0 }
    let (quotient, remainder) = scaled(instant.nanoseconds, by: numerator, over: cycle)
    return Int(quotient) + (remainder > 0 ? 1 : 0)
  }

  /// The number of vsyncs after vsync 0 that happen at or before `instant`.
  public func vsyncs(through instant: Instant) -> Int {
    guard instant.nanoseconds >= 0 else { return 0 }
    return firstVsync(atOrAfter: Instant(nanoseconds: instant.nanoseconds + 1)) - 1
  }

  /// Whether `span` is longer than one exact period.
  public func isOverBudget(_ span: TimeSpan) -> Bool {
    // Exact, because a whole number of nanoseconds exceeds the period if and only if it exceeds the rounded period.
    span > period
  }

  /// `value * factor / divisor` without intermediate overflow; all of them are non-negative.
  private func scaled(
    _ value: Int64, by factor: Int64, over divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (product, overflows) = value.multipliedReportingOverflow(by: factor)
    if !overflows { return product.quotientAndRemainder(dividingBy: divisor) }
    return divisor.dividingFullWidth(value.multipliedFullWidth(by: factor))
  }
}

private func greatestCommonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
  right == 0 ? left : greatestCommonDivisor(right, left % right)
}

extension RefreshRate: CustomStringConvertible {
  /// The rate in the syntax of scenario files: `60 Hz`, `59.94 Hz`.
  public var description: String {
    for (name, rate) in Self.broadcastRates where rate == self { return "\(name) Hz" }
    return "\(Decimal.text(hertz, places: 6)) Hz"
  }

  /// The usual names in broadcasting for rates of exactly n * 1000/1001.
  static let broadcastRates: [(name: String, rate: RefreshRate)] = [
    ("23.976", RefreshRate(24000, over: 1001)), ("29.97", RefreshRate(30000, over: 1001)),
    ("59.94", RefreshRate(60000, over: 1001)), ("119.88", RefreshRate(120_000, over: 1001)),
  ]
}

extension RefreshRate {
  /// The rate from a column `refresh_hz`, which rounds rates of n * 1000/1001 to six decimals.
  public init?(printed text: some StringProtocol) {
    for (_, rate) in Self.broadcastRates where Decimal.text(rate.hertz, places: 6) == text {
      self = rate
      return
    }
    guard let rate = try? Quantity.refreshRate("\(text) Hz") else { return nil }
    self = rate
  }
}
