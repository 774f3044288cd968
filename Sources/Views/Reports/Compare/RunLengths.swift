internal import FrameBudget

/// How long the runs of one side were measured, and on which screen: what must be alike for their figures to be comparable.
struct RunLengths: Sendable {
  /// The measured durations in milliseconds; nil if no row has one.
  private var durations: ClosedRange<Double>?
  private var sum = 0.0
  private var count = 0
  private var rates: Set<Double> = []
  /// Whether people ended them, so that no two are exactly alike.
  private var areCaptures = false

  init() {}

  mutating func add(_ row: RunRecord) {
    if row.engine == ImportRow.engine { areCaptures = true }
    if let rate = row.refreshHz { rates.insert(rate) }
    guard let duration = row.durationMilliseconds else { return }
    durations =
      min(
        duration, durations?.lowerBound ?? duration)...max(
        duration, durations?.upperBound ?? duration)
    sum += duration
    count += 1
  }

  /// In milliseconds; nil if no row has a duration.
  var mean: Double? { count == 0 ? nil : sum / Double(count) }

  /// Whether runs of `new` milliseconds have more or less of everything than runs of `base` for their length alone. Lengths of
  /// captures vary; up to the share by which a difference counts, they do not matter.
  static func differ(_ base: Double, _ new: Double, areCaptures: Bool) -> Bool {
    guard areCaptures else { return base != new }
    return abs(new - base) > GateMargin.standard.amount(of: max(base, new))
  }

  private func hasOtherLength(_ other: Self) -> Bool {
    guard let base = mean, let new = other.mean else { return false }
    if areCaptures || other.areCaptures { return Self.differ(base, new, areCaptures: true) }
    return durations != other.durations
  }

  /// What makes runs unlike those of `new`; nil if nothing does.
  func difference(from new: Self) -> RunDifference? {
    hasOtherLength(new) ? RunDifference(base: lengthWords, new: new.lengthWords) : nil
  }

  /// A sentence if the screens have different refresh rates; nil otherwise.
  func otherRate(_ new: Self) -> String? {
    guard !rates.isEmpty, !new.rates.isEmpty, rates != new.rates else { return nil }
    let words = [rates, new.rates].map { rates in
      Self.words(Set(rates.map { Decimal.text($0, places: 3) })) + " Hz"
    }
    return "the screens differ: \(words[0]) in the base, \(words[1]) in the new result"
  }

  private static func words(_ texts: Set<String>) -> String {
    English.list(texts.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }, most: 3)
  }

  private var lengthWords: String {
    guard let durations, let mean else { return "" }
    if areCaptures { return Figure.span(milliseconds: mean) }
    let ends = [durations.lowerBound, durations.upperBound].map { Figure.span(milliseconds: $0) }
    return ends.distinct().joined(separator: " to ")
  }
}

/// Why the runs of two results are not the same runs, although they have the same seeds.
struct RunDifference: Hashable, Sendable {
  let base: String
  let new: String

  /// `3 s against 300 ms`
  var words: String { "\(base) against \(new)" }

  /// For people, before the figures.
  var warning: String {
    "the runs last \(base) in the base and \(new) in the new result: counts, sums and extremes grow with the length, "
      + "so they decide nothing"
  }
}
