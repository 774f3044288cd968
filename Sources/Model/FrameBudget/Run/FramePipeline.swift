/// Determines the vsync that shows a frame, and when there is a buffer for the next one. Both engines use it, and all
/// computations on their frames.
///
/// Frame `i` belongs to vsync `b`, and is ready at `R`, when its work is done, including that of the second stage. With the
/// deadline `d` it is shown at `p(i) = max(first vsync at or after R, b + d, p(i-1) + 1)`: never early, in order, and one per
/// vsync. Its buffer is free again at `p`.
public struct FramePipeline: Sendable {
  private let refresh: RefreshRate
  /// `d`, in periods.
  public let deadline: Int
  /// By buffer, in turn: the vsync from which it is free; nil until the frame in it is ready.
  private var free: [Int?]
  /// The buffer of the next frame that begins.
  private var next = 0
  /// The buffer of the oldest frame that is not ready.
  private var oldest = 0
  /// The vsync that shows the newest ready frame; before the first, that of the warm-up's last frame.
  public private(set) var shown: Int

  /// Creates the pipeline of a run; the frames of the warm-up are those shown before vsync `d`.
  public init(_ refresh: RefreshRate, _ pipeline: Pipeline = Pipeline()) {
    self.refresh = refresh
    deadline = pipeline.deadline
    free = Array(repeating: 0, count: pipeline.buffers)
    shown = pipeline.deadline - 1
  }

  /// The vsync from which the next frame has a buffer; nil if that is unknown.
  public var nextFree: Int? { free[next] }

  /// Begins a frame; returns the vsync from which it has had a buffer.
  public mutating func begin() -> Int {
    guard let since = free[next] else { preconditionFailure("a frame begins in a free buffer") }
    free[next] = nil
    next = next + 1 == free.count ? 0 : next + 1
    return since
  }

  /// Records that the oldest unready frame, of vsync `begun`, is ready. Returns the vsync that shows it, and the gap before
  /// that. The frame was wanted by vsync `wanted`, or by the one after the previous frame if that is later.
  public mutating func ready(begun: Int, at ready: Instant, wanted: Int = 0) -> DisplayGap {
    let due = begun + deadline
    let first = max(shown + 1, wanted)
    shown = max(
      due, shown + 1, ready > refresh.vsync(due) ? refresh.firstVsync(atOrAfter: ready) : due)
    free[oldest] = shown
    oldest = oldest + 1 == free.count ? 0 : oldest + 1
    return DisplayGap(from: first, to: shown, due: due)
  }
}

/// The vsyncs before a new frame at which one was wanted and none was shown.
public struct DisplayGap: Hashable, Sendable {
  /// The vsync by which the frame was wanted.
  public let first: Int
  /// The vsync that showed it.
  public let shown: Int
  /// The vsync that should have shown it, given its start.
  public let due: Int

  /// - Parameters:
  ///   - first: the first vsync by which the frame was wanted and no newer one had been shown.
  ///   - shown: the vsync that showed it.
  ///   - due: the vsync that should have shown it, given its start.
  public init(from first: Int, to shown: Int, due: Int) {
    (self.first, self.shown, self.due) = (first, shown, due)
  }

  /// The number of vsyncs in the gap.
  public var vsyncs: Int { max(0, shown - first) }
  /// The number of vsyncs that the frame could no longer meet when it began.
  public var late: Int { min(vsyncs, max(0, due - first)) }
  /// The number of vsyncs that the frame missed by itself: at or after its due vsync.
  public var own: Int { vsyncs - late }

  /// The gap in a run that shows nothing from vsync `end` on.
  func cut(at end: Int) -> DisplayGap {
    DisplayGap(from: first, to: min(shown, end), due: due)
  }
}
