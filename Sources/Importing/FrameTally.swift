import FrameBudget

/// What the frames of one process and swap chain come to, counted while they are read.
///
/// A frame's time stands for `E - V(b)`. How many vsyncs a display interval took is rounded: recorded times
/// jitter around the vsync, and rounding up would make a dropped frame of each that came 10 µs after it.
struct FrameTally: Sendable {
  private(set) var frameTimes = Distribution()
  private(set) var displayIntervals = Distribution()
  private(set) var displayChanges = 0
  private(set) var superseded = 0
  private(set) var expected = 0
  private(set) var shownVsyncs = 0
  private(set) var hitches = 0
  private(set) var longestGap = 0
  private(set) var overBudget = 0
  private(set) var frozen = 0
  private(set) var hangs = 0
  private(set) var hangTotal: Int64 = 0
  private(set) var window: DropWindow?
  /// The period in nanoseconds; nil while nobody has said it.
  private(set) var period: Double?
  var doubts = Doubts()

  init(refresh: RefreshRate?) {
    if let refresh { use(period: 1e9 / refresh.hertz) }
  }

  var dropped: Int { expected - shownVsyncs }

  /// From here on a vsync comes every `period` nanoseconds.
  mutating func use(period: Double) {
    guard period != self.period else { return }
    self.period = period
    if window == nil { window = DropWindow(vsyncs: Int(1e9 / period + 1e-6)) }
  }

  /// Counts a frame that took `span` nanoseconds.
  mutating func frame(_ span: Int64) {
    frameTimes.append(span)
    if let period, Double(span) > period { overBudget += 1 }
    if span > 700_000_000 { frozen += 1 }
    if span > 250_000_000 {
      hangs += 1
      hangTotal += span
    }
  }

  mutating func supersede() { superseded += 1 }

  /// Counts a new image on the screen, `interval` nanoseconds after the one before, if that is known.
  mutating func shown(after interval: Int64?) {
    displayChanges += 1
    guard let interval else { return }
    displayIntervals.append(interval)
    guard let period else { return }
    let vsyncs = (Double(interval) / period).rounded()
    shown(atVsync: Int(vsyncs))
  }

  /// Counts an image that came so many vsyncs after the one before; 0 is one that replaced it at once.
  mutating func shown(atVsync vsyncs: Int) {
    guard vsyncs > 0 else { return }
    shownVsyncs += 1
    expected += vsyncs
    window?.shown(after: vsyncs - 1)
    noteGap(vsyncs - 1)
  }

  /// Counts an image that came `late` vsyncs after the first that could have shown it.
  mutating func shown(late: Int, interval: Int64?) {
    displayChanges += 1
    if let interval { displayIntervals.append(interval) }
    shown(atVsync: late + 1)
  }

  /// Counts vsyncs at the end that no frame met.
  mutating func missed(_ vsyncs: Int) {
    guard vsyncs > 0 else { return }
    expected += vsyncs
    window?.missed(vsyncs)
    noteGap(vsyncs)
  }

  private mutating func noteGap(_ late: Int) {
    if late > 0 { hitches += 1 }
    longestGap = max(longestGap, late)
  }
}
