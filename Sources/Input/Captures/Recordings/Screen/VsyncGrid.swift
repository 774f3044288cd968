package import FrameBudget

/// Numbers the vsyncs of a recording and maps its instants to the scenario's screen, whose vsyncs are exactly periodic.
package struct VsyncGrid: Sendable {
  /// The refresh rate of the scenario's screen.
  package let refresh: RefreshRate
  /// Whether the recording states the distance between vsyncs.
  package let isKnown: Bool
  /// The distance between vsyncs of the recording, in nanoseconds.
  package let period: Double
  /// The recorded vsyncs, in order of time; never empty.
  private let known: [(vsync: Int, at: Int64)]

  /// By how much vsyncs that go on differ from whole periods at most, as a share of a period.
  package static let tolerance = 0.2

  /// Numbers the vsyncs; 0 is the first one at or after `begin`, which is in nanoseconds.
  package init(_ recording: Recording, from begin: Int64) {
    let instants = Set(recording.frames.map(\.vsync.nanoseconds)).sorted()
    let recorded = (recording.period ?? Self.medianGap(of: instants)).flatMap(Self.ofScreen)
    let step = Double(recorded ?? RefreshRate(60).period.nanoseconds)
    isKnown = recorded != nil
    var known: [(vsync: Int, at: Int64)] = []
    for instant in instants {
      guard let last = known.last else {
        known.append((max(0, Int((Double(instant - begin) / step).rounded(.up))), instant))
        continue
      }
      let exact = Double(instant - last.at) / step
      // A screen with vsyncs that go on shows the late picture at the next of these.
      let isAnew = recording.restartsVsyncs && abs(exact - exact.rounded()) > Self.tolerance
      let passed = Int(exact.rounded(isAnew ? .up : .toNearestOrAwayFromZero))
      if passed > 0 { known.append((last.vsync + passed, instant)) }
    }
    if known.isEmpty { known = [(0, begin)] }
    self.known = known
    period = (recording.restartsVsyncs ? nil : Self.meanPeriod(known)) ?? step
    refresh = Self.rate(period: period)
  }

  /// The number of the vsync that is nearest to `instant`.
  package func vsync(nearest instant: Int64) -> Int { Int(fractionalVsync(at: instant).rounded()) }

  /// The number of the first vsync at or after `instant`. An instant at most 1 % of a period after a vsync is still at that
  /// vsync.
  package func vsync(atOrAfter instant: Int64) -> Int {
    Int((fractionalVsync(at: instant) - 0.01).rounded(.up))
  }

  /// The number of the last vsync at or before `instant`. A vsync at most 1 % of a period after it counts as past.
  package func vsync(atOrBefore instant: Int64) -> Int {
    Int((fractionalVsync(at: instant) + 0.01).rounded(.down))
  }

  /// The time of that vsync in the recording, in nanoseconds.
  package func instant(of vsync: Int) -> Int64 {
    let near = known[max(0, known.partitioningIndex { $0.vsync > vsync } - 1)]
    return near.at + Int64((Double(vsync - near.vsync) * period).rounded())
  }

  /// The instant on the scenario's clock, in nanoseconds; at least 0.
  package func time(of instant: Int64) -> Int64 {
    let vsync = max(0, fractionalVsync(at: instant))
    let whole = Int(vsync)
    let from = refresh.vsync(whole).nanoseconds
    let to = refresh.vsync(whole + 1).nanoseconds
    return from + Int64((Double(to - from) * (vsync - Double(whole))).rounded())
  }

  /// The number of periods from vsync 0 to `instant`.
  private func fractionalVsync(at instant: Int64) -> Double {
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

  /// The period in nanoseconds; nil if no screen can have it.
  private static func ofScreen(_ period: TimeSpan) -> Int64? {
    RefreshRate(period: period) == nil ? nil : period.nanoseconds
  }

  private static func meanPeriod(_ known: [(vsync: Int, at: Int64)]) -> Double? {
    guard let first = known.first, let last = known.last, last.vsync - first.vsync >= 10 else {
      return nil
    }
    return Double(last.at - first.at) / Double(last.vsync - first.vsync)
  }

  /// Clocks are slightly off, so a rate near a whole number is rounded to it.
  static func rate(period: Double) -> RefreshRate {
    let hertz = min(1000, max(1, 1e9 / period))
    let whole = hertz.rounded()
    if abs(hertz - whole) < 0.003 * whole { return RefreshRate(Int64(whole)) }
    return RefreshRate(Int64((hertz * 1000).rounded()), over: 1000)
  }
}
