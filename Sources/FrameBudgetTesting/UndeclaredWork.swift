internal import FrameBudget

/// What the main thread did in a measurement that is neither an item's nor a frame's: blocks on the main queue, operations of
/// the main queue, timers, blocks and sources of its run loop, tasks without a tie to an item.
///
/// It is part of the app: frames wait for it, and the verdict is reached with it, as a workload called `undeclared`. To have
/// it named and counted, post it from the closure of a workload, as a task of the main actor, or declare a workload for it.
public struct UndeclaredWork: Sendable {
  /// A stretch of it, from one time that the loop had the main thread to the next.
  public struct Piece: Hashable, Sendable {
    /// When it began, counted from the first frame; to a millisecond, as it was not seen to be posted.
    public let began: Duration
    /// Processor time.
    public let took: Duration
    /// The newest vsync when it began, from 0.
    public let frame: Int

    init(at instant: Instant, cpu: Int64, _ refresh: RefreshRate) {
      began = instant.sinceZero.duration
      took = .nanoseconds(cpu)
      frame = refresh.vsyncs(through: instant)
    }
  }

  /// In the order of time; each took more than a tenth of a millisecond, as less is not told from the loop's own work.
  public let pieces: [Piece]
  /// Which part of the measurement's time it took, from 0 to 1.
  public let share: Double

  /// Processor time of all pieces.
  public var total: Duration { pieces.reduce(.zero) { $0 + $1.took } }
  /// The longest piece.
  public var longest: Duration { pieces.map(\.took).max() ?? .zero }

  init(_ pieces: [Piece], in duration: TimeSpan) {
    self.pieces = pieces
    let total = pieces.reduce(Duration.zero) { $0 + $1.took }
    share = total / duration.duration
  }

  /// What the workload is called; no declared one may be.
  static let name = "undeclared"
}
