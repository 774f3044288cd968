/// A number with a unit, as people write it: `2.6 ms`, `60 Hz`, `1 MB`. The space is optional.
///
/// All units are defined here, so that files, flags and messages agree.
public struct Quantity {
  /// The reason why a text is not a quantity, to be shown after `'TEXT' `.
  public struct Failure: Error, Equatable, Sendable {
    /// The problem, as a sentence for people.
    public let reason: String
    /// - Parameter reason: the problem, as a sentence for people.
    public init(_ reason: String) { self.reason = reason }
  }

  private let amount: Substring
  private let unit: Substring

  private init(_ text: some StringProtocol) {
    let trimmed = Substring(text).trimmed
    let end = trimmed.firstIndex { !"-.0123456789".contains($0) } ?? trimmed.endIndex
    amount = trimmed[..<end]
    unit = trimmed[end...].trimmed
  }

  /// The time in `text`; `0` needs no unit.
  public static func timeSpan(_ text: some StringProtocol) throws(Failure) -> TimeSpan {
    let quantity = Quantity(text)
    if quantity.amount == "0" && quantity.unit.isEmpty { return .zero }
    let nanoseconds = try quantity.units(
      ["ns": 0, "us": 3, "µs": 3, "ms": 6, "s": 9, "min": 9], kind: "a duration such as 2.6 ms",
      allowed: "ns, us, ms, s or min")
    let span =
      quantity.unit == "min"
      ? nanoseconds.multipliedReportingOverflow(by: 60) : (nanoseconds, false)
    guard !span.1, span.0 >= 0, span.0 <= longest.nanoseconds else {
      throw Failure("is out of range; allowed: durations from 0 s to \(longest)")
    }
    return TimeSpan(nanoseconds: span.0)
  }

  /// The limit for durations in a scenario or on the command line.
  public static let longest = TimeSpan.seconds(86_400)

  /// The refresh rate in `text`. 23.976, 29.97, 59.94 and 119.88 mean the exact n * 1000/1001.
  public static func refreshRate(_ text: some StringProtocol) throws(Failure) -> RefreshRate {
    let quantity = Quantity(text)
    let microhertz = try quantity.units(["Hz": 6], kind: "a rate such as 60 Hz", allowed: "Hz")
    for (name, rate) in RefreshRate.broadcastRates
    where Decimal.units(name, places: 6) == microhertz { return rate }
    guard (1_000_000...1_000_000_000).contains(microhertz) else {
      throw Failure("is out of range; allowed: rates from 1 Hz to 1000 Hz")
    }
    return RefreshRate(microhertz, over: 1_000_000)
  }

  /// The number of items per second in `text`: `30/s`.
  public static func itemsPerSecond(_ text: some StringProtocol) throws(Failure) -> Double {
    let quantity = Quantity(text)
    let micro = try quantity.units(["/s": 6], kind: "a rate such as 30/s", allowed: "/s")
    guard micro > 0, micro <= 1_000_000_000_000 else {
      throw Failure("is out of range; allowed: rates above 0/s, up to 1000000/s")
    }
    return Double(micro) / 1e6
  }

  /// The number of bytes in `text`, in powers of 1000 (kB, MB, GB) or 1024 (KiB, MiB, GiB).
  public static func bytes(_ text: some StringProtocol) throws(Failure) -> Int {
    let quantity = Quantity(text)
    let binary: [Substring: Int64] = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
    let limit: Int64 = 1 << 30
    let size: Int64
    if let factor = binary[quantity.unit] {
      guard let amount = Decimal.units(quantity.amount, places: 3) else {
        throw Failure("is not a size such as 1 MB")
      }
      let (product, overflows) = amount.multipliedReportingOverflow(by: factor)
      size = overflows ? limit + 1 : product / 1000
    } else {
      size = try quantity.units(
        ["B": 0, "kB": 3, "MB": 6, "GB": 9], kind: "a size such as 1 MB",
        allowed: "B, kB, MB, GB, KiB, MiB or GiB")
    }
    guard (0...limit).contains(size) else {
      throw Failure("is out of range; allowed: sizes up to 1 GiB")
    }
    return Int(size)
  }

  /// The amount in the smallest unit; `powers` has the decimal exponent of each unit relative to it.
  private func units(
    _ powers: [Substring: Int], kind: String, allowed: String
  ) throws(Failure) -> Int64 {
    guard !amount.isEmpty else { throw Failure("is not \(kind)") }
    guard let power = powers[unit] else {
      throw Failure(
        unit.isEmpty
          ? "has no unit; allowed: \(allowed)" : "has the unit '\(unit)'; allowed: \(allowed)"
      )
    }
    guard let value = Decimal.units(amount, places: power) else {
      throw Failure("is not \(kind)")
    }
    return value
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Without spaces at its ends.
  package var trimmed: Substring {
    let head = drop { $0 == " " }
    let end = head.lastIndex { $0 != " " }.map(head.index(after:)) ?? head.startIndex
    return head[..<end]
  }
}
