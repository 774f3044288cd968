public import FrameBudget
internal import FrameBudgetParsing

/// A frame, with the platform's own verdict on it.
public struct RecordedFrame: Sendable {
  /// The platform's verdict on a frame.
  public enum Verdict: String, CaseIterable, Sendable {
    /// On the screen, in time as far as the platform reports.
    case shown
    /// On the screen without the main thread's part, which was dropped.
    case partial
    /// On the screen after its deadline, without an empty vsync for it.
    case late
    /// Waited behind frames before it; neither dropped nor late.
    case stuffed
    /// Never shown, or its vsync showed nothing new.
    case dropped
    /// Nothing was to be drawn.
    case notWanted
  }

  /// The vsync that it belongs to.
  public var vsync: TimeSpan
  /// The deadline of the app, including the stages after the UI thread; nil if unknown.
  public var due: TimeSpan?
  /// When its work on the UI thread began and ended, in nanoseconds; nil if unknown.
  public var work: Range<Int64>?
  /// When the app had finished it, including the stages after the UI thread; nil if that was not recorded.
  public var ready: TimeSpan?
  /// When it reached the screen; nil if it did not or that was not recorded.
  public var presented: TimeSpan?
  /// When an earlier picture of its vsync reached the screen, without the UI thread's part of it; nil if none did. It may
  /// have the part of an earlier frame.
  public var presentedWithout: TimeSpan?
  /// The platform's verdict; nil if it gives none.
  public var verdict: Verdict?
  /// The platform's number of it; nil if it has none.
  public var number: Int?
  /// When the stage after the UI thread worked on it, as the platform's tools count it, in nanoseconds; nil if unknown.
  public var stage: Range<Int64>?

  /// By how much it missed its deadline, in nanoseconds; negative if it was early. With several surfaces, the latest
  /// counts. Nil if a time is unknown, or the difference is not plausible for a frame.
  package var overrun: Int64? {
    guard let ready, let due else { return nil }
    let (span, overflows) = ready.nanoseconds.subtractingReportingOverflow(due.nanoseconds)
    return overflows || !InputTime.isWithinFrame(span) ? nil : span
  }

  /// The frame on another clock. An instant for which `move` returns nil is left out, except the vsync, which keeps its place.
  func moved(_ move: (Int64) -> Int64?) -> RecordedFrame {
    func moved(_ instant: TimeSpan?) -> TimeSpan? {
      instant.flatMap { move($0.nanoseconds) }.map { .nanoseconds($0) }
    }
    func moved(_ span: Range<Int64>?) -> Range<Int64>? {
      guard let span, let from = move(span.lowerBound), let to = move(span.upperBound) else {
        return nil
      }
      return from..<to
    }
    var frame = self
    frame.vsync = moved(vsync) ?? vsync
    (frame.due, frame.work, frame.stage) = (moved(due), moved(work), moved(stage))
    (frame.ready, frame.presented) = (moved(ready), moved(presented))
    frame.presentedWithout = moved(presentedWithout)
    return frame
  }
}
