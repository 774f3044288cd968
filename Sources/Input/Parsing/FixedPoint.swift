/// A decimal number in text as an integer in small units: `16.6393` ms as 16 639 300 ns.
public enum FixedPoint: Hashable, Sendable {
  case value(Int64)
  /// Empty, `NA`, `N/A` or `nan`: the tool had no value.
  case missing
  /// A number beyond any valid value of a log.
  case outOfRange
  case malformed

  public var value: Int64? {
    if case .value(let value) = self { return value }
    return nil
  }

  /// Ten times this value plus a digit still fits into a signed 64-bit integer.
  private static let maxMagnitude: UInt64 = 922_337_203_685_477_579

  /// Parses the number in `range` of `bytes`, in units of 10 to the power `-places`, without the digits below.
  public static func parse(
    _ bytes: Span<UInt8>, _ range: Range<Int>, places: Int
  ) -> FixedPoint {
    var index = range.lowerBound
    var end = range.upperBound
    while index < end, isBlank(bytes[index]) { index += 1 }
    while index < end, isBlank(bytes[end - 1]) { end -= 1 }
    let text = index..<end
    let isNegative = index < end && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var magnitude: UInt64 = 0
    var digits = 0
    var left = -1  // decimals still to come; negative before the point
    while index < end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        if left != 0 {
          if magnitude > maxMagnitude { return .outOfRange }
          magnitude = magnitude &* 10 &+ UInt64(digit)
          if left > 0 { left -= 1 }
        }
        digits += 1
      } else if bytes[index] == UInt8(ascii: "."), left < 0 {
        left = places
      } else {
        return unusual(bytes, text, places: places)
      }
      index += 1
    }
    guard digits > 0 else { return unusual(bytes, text, places: places) }
    return scaled(magnitude, by: left < 0 ? places : left, isNegative: isNegative)
  }

  /// The number that begins at `start`, and its end, if it is short, without an exponent, and ends within `text`; nil for all
  /// others, which `parse` reads.
  static func short(
    _ text: Span<UInt8>, from start: Int, places: Int
  ) -> (value: Int64, end: Int)? {
    let isNegative = text[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    var index = first
    // Of 18 digits, with those that scaling adds.
    var room = 18 - places
    var magnitude: UInt64 = 0
    while let word = ByteWord(text, at: index) {
      let count = word.digitCount
      room -= count
      guard room >= 0 else { return nil }
      magnitude = magnitude &* powersOfTen[count] &+ word.number(ofDigits: count)
      index += count
      if count < ByteWord.size { break }
    }
    guard index > first, index < text.count else { return nil }
    var left = places
    if text[index] == UInt8(ascii: "."), let word = ByteWord(text, at: index + 1) {
      let count = word.digitCount
      guard 0 < count, count <= places, count < ByteWord.size else { return nil }
      magnitude = magnitude &* powersOfTen[count] &+ word.number(ofDigits: count)
      index += 1 + count
      left -= count
    }
    guard index < text.count, !JSONReader.isOfNumber(text[index]) else { return nil }
    let value = Int64(magnitude &* powersOfTen[left])
    return (isNegative ? -value : value, index)
  }

  private static let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000,
  ]

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func scaled(_ magnitude: UInt64, by places: Int, isNegative: Bool) -> FixedPoint {
    var scaled = magnitude
    for _ in 0..<places {
      if scaled > maxMagnitude { return .outOfRange }
      scaled &*= 10
    }
    return .value(isNegative ? -Int64(scaled) : Int64(scaled))
  }

  /// Handles texts other than plain digits: empty, a word for a missing value, or an exponent.
  private static func unusual(
    _ bytes: Span<UInt8>, _ range: Range<Int>, places: Int
  ) -> FixedPoint {
    guard range.count <= 40 else { return .malformed }
    let text = String(decoding: range.map { bytes[$0] }, as: UTF8.self)
    if ["", "na", "n/a", "nan", "-nan"].contains(text.lowercased()) { return .missing }
    guard text.allSatisfy({ "+-.0123456789eE".contains($0) }), let number = Double(text) else {
      return .malformed
    }
    var scaled = number
    for _ in 0..<places { scaled *= 10 }
    // False also for infinities.
    return scaled.magnitude < 1e18 ? .value(Int64(scaled)) : .outOfRange
  }
}

extension FixedPoint {
  /// The value, if it is one of `allowed`.
  public func value(in allowed: ClosedRange<Int64>) -> Int64? {
    guard case .value(let value) = self, allowed.contains(value) else { return nil }
    return value
  }
}
