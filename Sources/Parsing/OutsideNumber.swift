/// What numbers in files may be that are no times: the one place that reads them from text.
///
/// Only digits with a sign, a point and an exponent are a number: no `nan`, no `inf`, and nothing in base 16.
public enum OutsideNumber {
  /// No number of a run comes near: a day has 8.64e13 nanoseconds. Sums and squares of such numbers are finite.
  public static let greatest = 1e15
  /// What is counted. The sum of as many as a file may have fits into 64 bits.
  public static let counts: ClosedRange<Int> = 0...1 << 40

  /// The finite number that `text` is; nil if it is none.
  public static func decimal(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  /// The same below `greatest`, in either direction.
  public static func real(_ text: some StringProtocol) -> Double? {
    decimal(text).flatMap { $0.magnitude < greatest ? $0 : nil }
  }

  /// The seed of random numbers that `text` is, which may be any number of 64 bits; nil if it is none.
  public static func seed(_ text: some StringProtocol) -> UInt64? { UInt64(text) }

  /// The whole number in `range` that `text` is; nil if it is none.
  public static func whole(
    _ text: some StringProtocol, in range: ClosedRange<Int> = counts
  ) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}
