/// How frames get from the main thread to the screen: how long they may take, how many may be under way at once, and
/// what is done to them behind the main thread.
///
/// The simplest, which is the default: a frame is to be shown at the vsync after its begin, and only then the next one begins.
public struct Pipeline: Hashable, Sendable {
  /// Periods from a frame's begin to the vsync that is to show it; within `deadlines`.
  public var deadline: Int
  /// Frames begun and not yet shown, at most: from `deadline` up to `mostBuffers`.
  public var buffers: Int
  /// The second stage: what a frame takes behind the main thread, on a thread of its own. Frames go through it one after
  /// the other.
  public var compositor: DurationDistribution

  /// - Parameters:
  ///   - deadline: periods from a frame's begin to the vsync that is to show it.
  ///   - buffers: frames begun and not yet shown, at most; as many as `deadline` unless given.
  ///   - compositor: what the second stage takes; `.none` where there is none.
  public init(deadline: Int = 1, buffers: Int? = nil, compositor: DurationDistribution = .none) {
    self.deadline = deadline
    self.buffers = buffers ?? deadline
    self.compositor = compositor
  }

  /// How many periods a deadline may be away.
  public static let deadlines = 1...4
  /// More buffers than any system has.
  public static let mostBuffers = 8

  /// Whether a frame is shown at the vsync behind its own, with nothing between.
  public var isPlain: Bool { buffers == 1 && !hasSecondStage }

  /// Whether frames go through a second stage.
  public var hasSecondStage: Bool { compositor != .none }
}
