internal import FrameBudget
internal import Recordings

/// The vsyncs of a recording, numbered, and where its instants are on the screen of the scenario, whose vsyncs are exact.
struct VsyncGrid: Sendable {
  /// Of the scenario's screen.
  let refresh: RefreshRate
  /// Whether the recording says how far apart vsyncs are.
  let isKnown: Bool
  /// Between vsyncs of the recording, in nanoseconds.
  let period: Double
  /// What was recorded, in order of time: never empty.
  private let known: [(vsync: Int, at: Int64)]

  /// Numbers the vsyncs from 0, the first one at or after `begin`.
  init(_ recording: Recording, from begin: Int64) {
    let instants = Set(recording.frames.map(\.vsync.nanoseconds)).sorted()
    let told = (recording.period ?? Self.medianGap(of: instants)).flatMap(Self.ofScreen)
    let step = Double(told ?? RefreshRate(60).period.nanoseconds)
    isKnown = told != nil
    var known: [(vsync: Int, at: Int64)] = []
    for instant in instants {
      guard let last = known.last else {
        known.append((max(0, Int((Double(instant - begin) / step).rounded(.up))), instant))
        continue
      }
      let passed = Int((Double(instant - last.at) / step).rounded())
      if passed > 0 { known.append((last.vsync + passed, instant)) }
    }
    if known.isEmpty { known = [(0, begin)] }
    self.known = known
    period = Self.meanPeriod(known) ?? step
    refresh = Self.rate(period: period)
  }

  /// The number of the vsync that is nearest to `instant`.
  func vsync(nearest instant: Int64) -> Int { Int(place(of: instant).rounded()) }

  /// The number of the first vsync at or after `instant`; what is a hundredth of a period behind one is still at it.
  func vsync(atOrAfter instant: Int64) -> Int { Int((place(of: instant) - 0.01).rounded(.up)) }

  /// The number of the last vsync at or before `instant`; one that is a hundredth of a period away has come.
  func vsync(atOrBefore instant: Int64) -> Int { Int((place(of: instant) + 0.01).rounded(.down)) }

  /// When the vsync of that number was, in the recording.
  func instant(of vsync: Int) -> Int64 {
    let near = known.last { $0.vsync <= vsync } ?? known[0]
    return near.at + Int64((Double(vsync - near.vsync) * period).rounded())
  }

  /// Where `instant` is on the clock of the scenario, never before its begin.
  func time(of instant: Int64) -> Int64 {
    let place = max(0, place(of: instant))
    let whole = Int(place)
    let from = refresh.vsync(whole).nanoseconds
    let to = refresh.vsync(whole + 1).nanoseconds
    return from + Int64((Double(to - from) * (place - Double(whole))).rounded())
  }

  /// How many periods `instant` is behind vsync 0.
  private func place(of instant: Int64) -> Double {
    let next = known.partitioningIndex { $0.at > instant }
    let before = known[max(0, next - 1)]
    guard next > 0, next < known.count else {
      return Double(before.vsync) + Double(instant - before.at) / period
    }
    let after = known[next]
    let share = Double(instant - before.at) / Double(after.at - before.at)
    return Double(before.vsync) + share * Double(after.vsync - before.vsync)
  }

  private static func medianGap(of instants: [Int64]) -> TimeSpan? {
    let gaps = zip(instants.dropFirst(), instants).map { $0 - $1 }.sorted()
    return gaps.isEmpty ? nil : .nanoseconds(gaps[(gaps.count - 1) / 2])
  }

  /// Nil unless a screen can have such a period.
  private static func ofScreen(_ period: TimeSpan) -> Int64? {
    RefreshRate(period: period) == nil ? nil : period.nanoseconds
  }

  private static func meanPeriod(_ known: [(vsync: Int, at: Int64)]) -> Double? {
    guard let first = known.first, let last = known.last, last.vsync - first.vsync >= 10 else {
      return nil
    }
    return Double(last.at - first.at) / Double(last.vsync - first.vsync)
  }

  /// Clocks are off by a little: what is near a whole rate is meant to be that.
  private static func rate(period: Double) -> RefreshRate {
    let hertz = min(1000, max(1, 1e9 / period))
    let whole = hertz.rounded()
    if abs(hertz - whole) < 0.003 * whole { return RefreshRate(Int64(whole)) }
    return RefreshRate(Int64((hertz * 1000).rounded()), over: 1000)
  }
}
