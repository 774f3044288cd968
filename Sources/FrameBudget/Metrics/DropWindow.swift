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
