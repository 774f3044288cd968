/// What was shown at vsyncs, and at how many of them nothing new was: counted as it comes.
public struct VsyncCounts: Sendable {
  /// Vsyncs at which a new frame was shown.
  public private(set) var presented = 0
  /// Vsyncs at which no new frame was shown.
  public private(set) var dropped = 0
  /// Dropped vsyncs by cause, as far as causes are known.
  public private(set) var drops = Array(repeating: 0, count: Cause.allCases.count)
  /// How often one or more vsyncs in a row had no new frame.
  public private(set) var hitches = 0
  /// Most vsyncs in a row without a new frame.
  public private(set) var longestGap = 0
  private var window: DropWindow?

  /// Without a rate nothing is known of seconds.
  public init(refresh: RefreshRate?) {
    if let refresh { use(refresh) }
  }

  mutating func use(_ refresh: RefreshRate) {
    guard window == nil else { return }
    window = DropWindow(vsyncs: refresh.vsyncs(through: .zero + .seconds(1)))
  }

  /// Vsyncs so far.
  public var expected: Int { presented + dropped }

  /// The largest share of dropped vsyncs in any second, in percent.
  public var worstSecondPercent: Double? { window?.worstPercent }

  /// Dropped vsyncs within the second that ended with the newest one.
  public var droppedLastSecond: Int { window?.now ?? 0 }

  /// Counts a frame that was shown after `gap` vsyncs without a new one.
  public mutating func shown(afterGap gap: Int) {
    missed(gap)
    presented += 1
    window?.shown()
  }

  /// Counts a frame that was shown behind a gap, some of which it may have missed by beginning late.
  mutating func shown(_ gap: DisplayGap, _ causes: GapCauses) {
    missed(gap, causes)
    presented += 1
    window?.shown()
  }

  /// Counts a gap that no frame ended, and why there was one.
  mutating func missed(_ gap: DisplayGap, _ causes: GapCauses) {
    missed(gap.vsyncs)
    if let cause = causes.begin { drops[Int(cause.rawValue)] += gap.late }
    if let cause = causes.own { drops[Int(cause.rawValue)] += gap.own }
  }

  /// Counts a gap that no frame ended.
  public mutating func missed(_ gap: Int) {
    guard gap > 0 else { return }
    dropped += gap
    hitches += 1
    longestGap = max(longestGap, gap)
    window?.missed(gap)
  }
}

/// The largest number of dropped vsyncs in any second, from vsyncs as they come.
struct DropWindow: Sendable {
  private var dropped: [Bool]
  private var next = 0
  /// How many of the newest second were dropped.
  private(set) var now = 0
  private(set) var seen = 0
  private(set) var worst = 0

  /// A window of `vsyncs` vsyncs.
  init(vsyncs: Int) { dropped = Array(repeating: false, count: max(1, vsyncs)) }

  /// Notes a vsync at which a new frame was shown.
  mutating func shown() { push(false) }

  /// Notes vsyncs without a new frame.
  mutating func missed(_ vsyncs: Int) {
    // More than a window of them leave the same behind.
    for _ in 0..<min(vsyncs, dropped.count) { push(true) }
  }

  /// In percent of the window, or of the whole where that is shorter.
  var worstPercent: Double? {
    let length = min(seen, dropped.count)
    return length == 0 ? nil : 100 * Double(worst) / Double(length)
  }

  private mutating func push(_ isDropped: Bool) {
    if dropped[next] { now -= 1 }
    dropped[next] = isDropped
    if isDropped { now += 1 }
    next = next + 1 == dropped.count ? 0 : next + 1
    seen += 1
    worst = max(worst, now)
  }
}
