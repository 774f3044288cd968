/// Decimal numbers to and from text, without a locale and without binary rounding on the way in.
public enum Decimal {
  /// `value` with at most `places` decimals and no trailing zeros: `16.666667`, `2610`, `0.02`.
  public static func text(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * scale).rounded()
    if scaled.magnitude < 0x1p50 { return text(units: Int64(scaled), places: places) }
    // Large numbers have hardly any decimals: only those that distinguish neighbouring values.
    let isWhole = value.magnitude < 9e18 && value == value.rounded()
    return isWhole ? String(Int64(value)) : value.description
  }

  /// `units` in steps of 10 to the power `-places`, without trailing zeros.
  public static func text(units: Int64, places: Int) -> String {
    var (left, decimals) = (units.magnitude, places)
    while decimals > 0 && left % 10 == 0 {
      left /= 10
      decimals -= 1
    }
    var digits = String(left)
    if decimals > 0 {
      // At least one digit before the point.
      digits = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
      digits.insert(".", at: digits.utf8.index(digits.endIndex, offsetBy: -decimals))
    }
    return units < 0 ? "-" + digits : digits
  }

  /// `text` in steps of 10 to the power `-places`, exactly.
  ///
  /// Accepts digits with at most one point and an optional minus sign. Nil for anything else, for more decimals than `places`
  /// unless they are zeros, and for numbers that do not fit into 64 bits.
  public static func units(_ text: some StringProtocol, places: Int) -> Int64? {
    var digits = text[...].utf8[...]
    let negative = digits.first == UInt8(ascii: "-")
    if negative { digits = digits.dropFirst() }
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty else { return nil }
    var fraction = parts.count == 2 ? Array(parts[1]) : []
    if parts.count == 2 && fraction.isEmpty { return nil }
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    guard fraction.count <= places else { return nil }
    fraction += Array(repeating: UInt8(ascii: "0"), count: places - fraction.count)
    return number(Array(whole) + fraction).map { negative ? -$0 : $0 }
  }

  private static func number(_ digits: [UInt8]) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }
}
