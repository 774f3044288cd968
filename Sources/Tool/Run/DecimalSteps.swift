/// Numbers at equal distances, exact in decimals: 0.5, 0.75, 1. Adding up binary fractions would end in
/// 0.30000000000000004.
struct DecimalSteps: Hashable, Sendable {
  /// In units of 10 to the power `-places`.
  private let first: Int
  private let step: Int
  private let places: Int
  let count: Int

  struct Fault: Error { let reason: String }

  /// All from `first` on that are not above `last`.
  init(
    from first: Substring, to last: Substring, by step: Substring
  ) throws(Fault) {
    let places = [first, last, step].map(Self.places).max() ?? 0
    guard places <= Self.mostPlaces, let first = Self.units(first, places),
      let last = Self.units(last, places), let step = Self.units(step, places)
    else {
      throw Fault(
        reason: "has something else than numbers; allowed is PATH=A..B:STEP, "
          + "each with at most \(Self.mostPlaces) decimals, and a unit behind the step")
    }
    guard step > 0 else { throw Fault(reason: "has a step that is not above 0") }
    guard first <= last else { throw Fault(reason: "ends before it begins") }
    let (distance, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, distance / step < Int.max else { throw Fault(reason: "has too many values") }
    (self.first, self.step, self.places) = (first, step, places)
    count = distance / step + 1
  }

  private static let mostPlaces = 9

  /// The number at `place`, without zeros that say nothing.
  subscript(place: Int) -> String {
    let units = first + place * step
    guard places > 0 else { return String(units) }
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let decimals = padded.suffix(places)
    let kept = decimals.lastIndex { $0 != "0" }.map { "." + decimals[...$0] } ?? ""
    return (units < 0 ? "-" : "") + padded.dropLast(places) + kept
  }

  private static func places(_ text: Substring) -> Int {
    text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
  }

  private static func units(_ text: Substring, _ places: Int) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, Int(whole) != nil else { return nil }
    let decimals = parts.count == 2 ? parts[1] : ""
    guard decimals.allSatisfy({ $0.isASCII && $0.isNumber }), parts.count == 1 || decimals != ""
    else {
      return nil
    }
    return Int(whole + decimals + String(repeating: "0", count: places - decimals.count))
  }
}
