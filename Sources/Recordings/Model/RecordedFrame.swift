public import FrameBudget

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
  /// When its work on the UI thread began and ended.
  public var work: Range<Int64>?
  /// When it reached the screen.
  public var presented: TimeSpan?
  /// Nil where the platform says nothing.
  public var verdict: Verdict?

  public init(
    vsync: TimeSpan, work: Range<Int64>? = nil, presented: TimeSpan? = nil,
    verdict: Verdict? = nil
  ) {
    self.vsync = vsync
    self.work = work
    self.presented = presented
    self.verdict = verdict
  }
}
