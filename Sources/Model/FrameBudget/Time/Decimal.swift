/// Decimal numbers to and from text, without a locale and without binary rounding on the way in.
package enum Decimal {
  /// `value` with at most `places` decimals and no trailing zeros: `16.666667`, `2610`, `0.02`.
  package static func text(_ value: Double, places: Int) -> String {
    var bytes: [UInt8] = []
    append(value, places: places, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A share in percent with one decimal, so that one frame of many does not look like zero: `65`, `0.2`, `<0.1`.
  package static func percent(_ value: Double) -> String {
    value > 0 && value < 0.05 ? "<0.1" : text(value, places: 1)
  }

  /// `units` in steps of 10 to the power `-places`, without trailing zeros.
  package static func text(units: Int64, places: Int) -> String {
    var bytes: [UInt8] = []
    append(units: units, places: places, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `value` to text in UTF-8, with at most `places` decimals and no trailing zeros.
  package static func append(_ value: Double, places: Int, to bytes: inout [UInt8]) {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * scale).rounded()
    if scaled.magnitude < 0x1p50 {
      return append(units: Int64(scaled), places: places, to: &bytes)
    }
    // Large numbers have hardly any decimals: only those that distinguish neighbouring values.
    let isWhole = value.magnitude < 9e18 && value == value.rounded()
    bytes += (isWhole ? String(Int64(value)) : value.description).utf8
  }

  /// Appends `units`, in steps of 10 to the power `-places`, to text in UTF-8, without trailing zeros.
  package static func append(units: Int64, places: Int, to bytes: inout [UInt8]) {
    var (left, decimals) = (units.magnitude, places)
    while decimals > 0 && left % 10 == 0 {
      left /= 10
      decimals -= 1
    }
    if units < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var count = 0
    // From the last digit to the first; at least one digit is before the point.
    repeat {
      if count == decimals && decimals > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(UInt8(ascii: "0") + UInt8(left % 10))
      left /= 10
      count += 1
    } while left > 0 || count <= decimals
    var (low, high) = (start, bytes.count - 1)
    while low < high {
      bytes.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  /// `text` in steps of 10 to the power `-places`, exactly.
  ///
  /// Accepts digits with at most one point and an optional minus sign. Nil for anything else, for more decimals than `places`
  /// unless they are zeros, and for numbers that do not fit into 64 bits.
  @_specialize(where Text == String)
  @_specialize(where Text == Substring)
  package static func units<Text: StringProtocol>(_ text: Text, places: Int) -> Int64? {
    var digits = Digits(places: places)
    for byte in text.utf8 {
      guard digits.add(byte) else { return nil }
    }
    return digits.units
  }

  /// The same for text in UTF-8.
  package static func units(_ text: Span<UInt8>, places: Int) -> Int64? {
    var digits = Digits(places: places)
    for index in text.indices {
      guard digits.add(text[index]) else { return nil }
    }
    return digits.units
  }

  /// Digits read one by one.
  private struct Digits {
    let places: Int
    private var value: Int64 = 0
    private var isNegative = false
    /// Whether there was a point.
    private var isFraction = false
    private var (wholeDigits, decimals) = (0, 0)

    init(places: Int) { self.places = places }

    /// Adds the next character. Returns false if it cannot be part of the number.
    mutating func add(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "-"):
        let isFirst = wholeDigits == 0 && !isFraction && !isNegative
        isNegative = true
        return isFirst
      case UInt8(ascii: "."):
        defer { isFraction = true }
        return !isFraction
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return add(digit: byte - UInt8(ascii: "0"))
      default: return false
      }
    }

    private mutating func add(digit: UInt8) -> Bool {
      guard isFraction else {
        wholeDigits += 1
        return shift(in: digit)
      }
      decimals += 1
      // Further decimals must be zeros.
      return decimals <= places ? shift(in: digit) : digit == 0
    }

    private mutating func shift(in digit: UInt8) -> Bool {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
      value = sum
      return !overflow && !carry
    }

    /// Nil without a digit before the point, or after it, or if the number does not fit.
    var units: Int64? {
      guard wholeDigits > 0, !isFraction || decimals > 0 else { return nil }
      var rest = self
      for _ in min(decimals, places)..<places {
        guard rest.shift(in: 0) else { return nil }
      }
      return isNegative ? -rest.value : rest.value
    }
  }
}
