/// Dates and times as PresentMon's `-date_time` writes them: `2026-3-7 9:05:03.123456789`, also with a `T` and a `Z`.
enum DateTime {
  /// Nanoseconds since the start of 1970, ignoring the time zone; nil unless `text` is a date and a time from 1970 to 2261.
  static func nanoseconds(_ text: Span<UInt8>) -> Int64? {
    var reader = Reader(text)
    guard let year = reader.number(4...4), 1970...2261 ~= year, reader.skip("-"),
      let month = reader.number(1...2), 1...12 ~= month, reader.skip("-"),
      let day = reader.number(1...2), 1...31 ~= day, reader.skip(" ") || reader.skip("T"),
      let hour = reader.number(1...2), 0...23 ~= hour, reader.skip(":"),
      let minute = reader.number(1...2), 0...59 ~= minute, reader.skip(":"),
      let second = reader.number(1...2), 0...60 ~= second, let fraction = reader.fraction()
    else { return nil }
    _ = reader.skip("Z")
    guard reader.isAtEnd else { return nil }
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return Int64(seconds) * 1_000_000_000 + Int64(fraction)
  }

  /// Days since the start of 1970, in the Gregorian calendar. Years are counted from March, so that a leap day is the last day.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + ofYear - 719_468
  }

  private struct Reader {
    private let text: [UInt8]
    private var index = 0

    init(_ text: Span<UInt8>) {
      self.text = text.indices.map { text[$0] }
      while skip(" ") {}
    }

    var isAtEnd: Bool { (index..<text.count).allSatisfy { text[$0] == UInt8(ascii: " ") } }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard index < text.count, text[index] == UInt8(ascii: scalar) else { return false }
      index += 1
      return true
    }

    mutating func digit() -> Int? {
      guard index < text.count, 48...57 ~= text[index] else { return nil }
      defer { index += 1 }
      return Int(text[index] - 48)
    }

    mutating func number(_ digits: ClosedRange<Int>) -> Int? {
      var (value, count) = (0, 0)
      while count < digits.upperBound, let digit = digit() {
        value = value * 10 + digit
        count += 1
      }
      return count >= digits.lowerBound ? value : nil
    }

    /// Nanoseconds after the decimal point; 0 without one.
    mutating func fraction() -> Int? {
      guard skip(".") else { return 0 }
      var (value, count) = (0, 0)
      while let digit = digit() {
        if count < 9 { value = value * 10 + digit }
        count += 1
      }
      for _ in min(count, 9)..<9 { value *= 10 }
      return count > 0 ? value : nil
    }
  }
}
