/// Numbers the vsyncs from the times of an app's frames, and decides at which of them a frame was missing.
///
/// Without times from the app, vsyncs are a period apart and as early as frames have ever begun.
struct NotedVsyncs {
  /// A frame's place among the vsyncs.
  struct Placed {
    /// The vsync at which the frame began. Of two frames of the same one, the newer replaces the older.
    let begin: Int
    /// The newly numbered vsyncs, up to the one at which the frame can be shown; empty if a frame before it was shown there.
    let vsyncs: Range<Int>
    /// The vsyncs among these at which the frame was missing.
    let missed: Range<Int>
  }

  private let period: Int64
  private var anchor: (number: Int, at: Int64)?
  /// The newest vsync at which a frame was shown, assuming that a frame is shown at the first vsync after its end. Of two that
  /// end before the same vsync, the newer one is shown there.
  private var shown = 0
  private var begun = 0
  /// Whether the app leaves it to the vsyncs when a frame is wanted.
  private var drawsAlways = false

  /// If a frame comes more than this many vsyncs after the previous one, the app was idle and missed none.
  static let idleVsyncs = 3600
  /// The part of a period by which a frame may begin early and still belong to the next vsync, because clocks are inexact.
  private static let early = 0.1

  /// - Parameter period: the time from one vsync to the next, in nanoseconds.
  init(period: Int64) { self.period = period }

  mutating func place(_ frame: TimedFrame, began: Int64, ended: Int64) -> Placed {
    let number = number(of: frame, began: began, ended: ended)
    drawsAlways = frame.wanted == nil
    var wanted = frame.wanted.map { place(of: $0, early: Self.early) } ?? begun + 1
    wanted = min(max(wanted, begun + 1), number)
    if number - wanted > Self.idleVsyncs || begun == 0 { wanted = number }
    if number - shown > Self.idleVsyncs { shown = number }
    let ready = max(number + 1, shown, place(of: ended, roundedUp: true))
    let first = shown + 1
    let missing = max(wanted, shown) + 1
    (begun, shown) = (number, ready)
    return Placed(
      begin: number, vsyncs: first..<ready + 1, missed: missing..<max(missing, ready))
  }

  /// The vsyncs at which a frame is missing because the main thread does other work from `begin` to `end`, if no frame has
  /// begun since; none if frames come on demand, because then none may be wanted, or if the work is shorter than a period.
  func missed(from begin: Int64, to end: Int64) -> Range<Int> {
    guard drawsAlways, end - begin > period else { return 0..<0 }
    let wanted = max(begun + 1, place(of: begin))
    let first = max(wanted, shown) + 1
    // As many as there may be before a frame.
    let last = min(place(of: end, roundedUp: true), first + Self.idleVsyncs)
    return first..<max(first, last)
  }

  /// The number of a frame's vsync; later vsyncs are numbered from it.
  private mutating func number(of frame: TimedFrame, began: Int64, ended: Int64) -> Int {
    guard let anchor else {
      anchor = (1, frame.vsync ?? began)
      return 1
    }
    if let reported = frame.vsync {
      let number = max(begun, anchor.number + Self.rounded(reported - anchor.at, period))
      self.anchor = (number, reported)
      return number
    }
    let passed = place(of: began)
    if passed > begun { return passed }
    // The vsync before it has its frame, so just before the next one it is early for that.
    let next = place(of: began, early: Self.early)
    if next > begun {
      self.anchor = (next, began)
      return next
    }
    return place(of: ended, roundedUp: true) > begun + 1 ? begun + 1 : begun
  }

  /// The time of a vsync, as estimated so far.
  func instant(of number: Int) -> Int64 {
    guard let anchor else { return 0 }
    return anchor.at + Int64(number - anchor.number) * period
  }

  /// The last vsync at or before `instant`, or one at most `early` periods later. If `roundedUp`, the first at or after it.
  private func place(of instant: Int64, early: Double = 0, roundedUp: Bool = false) -> Int {
    guard let anchor else { return 0 }
    let place = Double(instant - anchor.at) / Double(period)
    return anchor.number + Int(roundedUp ? place.rounded(.up) : (place + early).rounded(.down))
  }

  private static func rounded(_ span: Int64, _ period: Int64) -> Int {
    Int((Double(span) / Double(period)).rounded())
  }
}
