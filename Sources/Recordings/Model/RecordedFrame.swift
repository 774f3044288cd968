public import FrameBudget
internal import Parsing

/// A frame, and the platform's own verdict on it.
public struct RecordedFrame: Sendable {
  /// What the platform says became of it.
  public enum Verdict: String, CaseIterable, Sendable {
    /// On the screen, in time as far as the platform says.
    case shown
    /// On the screen, without the main thread's part: that part is dropped.
    case partial
    /// On the screen after its deadline, with no vsync left empty for it.
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
  /// By when the app was to be through with it, what comes behind the UI thread included; nil where nobody says.
  public var due: TimeSpan?
  /// When its work on the UI thread began and ended.
  public var work: Range<Int64>?
  /// When the app was through with it, what comes behind the UI thread included; nil where nobody recorded that.
  public var ready: TimeSpan?
  /// When it reached the screen.
  public var presented: TimeSpan?
  /// When a picture of its vsync reached the screen before, without the UI thread's part of it; nil where none did. It may have
  /// the part of a frame before.
  public var presentedWithout: TimeSpan?
  /// Nil where the platform says nothing.
  public var verdict: Verdict?

  /// By how much it missed its deadline, in nanoseconds; below zero where it was early. Of several surfaces the latest counts.
  /// Nil where either is not known, or is no time of a frame.
  package var overrun: Int64? {
    guard let ready, let due else { return nil }
    let (span, overflows) = ready.nanoseconds.subtractingReportingOverflow(due.nanoseconds)
    return overflows || !OutsideTime.isWithinFrame(span) ? nil : span
  }

  public init(
    vsync: TimeSpan, due: TimeSpan? = nil, work: Range<Int64>? = nil, ready: TimeSpan? = nil,
    presented: TimeSpan? = nil, presentedWithout: TimeSpan? = nil, verdict: Verdict? = nil
  ) {
    self.vsync = vsync
    self.due = due
    self.work = work
    self.ready = ready
    self.presented = presented
    self.presentedWithout = presentedWithout
    self.verdict = verdict
  }
}
