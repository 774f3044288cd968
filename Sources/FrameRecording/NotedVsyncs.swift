/// Numbers the vsyncs by what an app says of its frames, and says at which of them a frame was missing.
///
/// Where it says nothing, vsyncs are a period apart and as early as frames have ever begun.
struct NotedVsyncs {
  /// A frame's place among the vsyncs.
  struct Placed {
    /// The vsync that it began at.
    let begin: Int
    /// Those that were not numbered before, up to the one at which it can be shown.
    let vsyncs: ClosedRange<Int>
    /// Of these the ones at which nothing new could be shown for want of it.
    let missed: Range<Int>
  }

  private let period: Int64
  private var anchor: (number: Int, at: Int64)?
  /// The newest vsync at which a frame was shown, by the rule that it is ready by then.
  private var shown = 0
  private var begun = 0

  /// A frame that came so many vsyncs behind the one before was not wanted all the time: the app rested.
  static let rest = 3600
  /// What of a period a frame may begin early and still belong to the vsync to come: clocks are no more exact.
  private static let early = 0.1

  /// - Parameter period: from one vsync to the next, in nanoseconds.
  init(period: Int64) { self.period = period }

  mutating func place(_ frame: TimedFrame, began: Int64, ended: Int64) -> Placed {
    let number = number(of: frame, began: began)
    var wanted = frame.wanted.map { place(of: $0, early: Self.early) } ?? begun + 1
    wanted = min(max(wanted, begun + 1), number)
    if number - wanted > Self.rest || begun == 0 { wanted = number }
    if number - shown > Self.rest { shown = number }
    let ready = max(number + 1, shown + 1, place(of: ended, roundedUp: true))
    let first = shown + 1
    let missing = max(wanted, shown) + 1
    (begun, shown) = (number, ready)
    return Placed(
      begin: number, vsyncs: first...ready, missed: missing..<max(missing, ready))
  }

  /// The vsync of a frame, by which those to come are numbered.
  private mutating func number(of frame: TimedFrame, began: Int64) -> Int {
    guard let anchor else {
      anchor = (1, frame.vsync ?? began)
      return 1
    }
    if let told = frame.vsync {
      let number = max(begun, anchor.number + Self.rounded(told - anchor.at, period))
      self.anchor = (number, told)
      return number
    }
    let number = max(begun, place(of: began, early: Self.early))
    if began < instant(of: number) { self.anchor = (number, began) }
    return number
  }

  /// When a vsync is, as far as it is known by now.
  func instant(of number: Int) -> Int64 {
    guard let anchor else { return 0 }
    return anchor.at + Int64(number - anchor.number) * period
  }

  /// The last vsync at or before `instant`, or one that is nearly there; or the first at or after it.
  private func place(of instant: Int64, early: Double = 0, roundedUp: Bool = false) -> Int {
    guard let anchor else { return 0 }
    let place = Double(instant - anchor.at) / Double(period)
    return anchor.number + Int(roundedUp ? place.rounded(.up) : (place + early).rounded(.down))
  }

  private static func rounded(_ span: Int64, _ period: Int64) -> Int {
    Int((Double(span) / Double(period)).rounded())
  }
}
