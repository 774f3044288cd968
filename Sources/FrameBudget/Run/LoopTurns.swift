/// Which of its two sources a main loop of events serves next, frames or the queue: the order and the batch of
/// `MainLoop.Events`, the same in both engines.
///
/// A turn is the part of the queue that the loop runs before it checks for a frame again; frames wait for its end.
public struct LoopTurns: Sendable {
  private let loop: MainLoop.Events
  /// How many events of the turn under way have not begun.
  private var left = 0
  /// When the newest turn began.
  public private(set) var began = Instant.zero
  /// Whether the newest thing the loop served was a frame, and it has not been idle since.
  private var hasServedFrame = false

  /// Of a loop that has served nothing.
  public init(_ loop: MainLoop.Events) { self.loop = loop }

  /// Whether events of a turn wait that has begun.
  public var isUnderWay: Bool { left > 0 }

  /// Whether a frame whose event was posted at `posted` begins now, where the first event in the queue has waited since
  /// `first`; nil where none waits.
  public func servesFrame(posted: Instant, waitingSince first: Instant?) -> Bool {
    guard !isUnderWay else { return false }
    guard let first else { return true }
    return switch loop.order {
    case .first: true
    case .fifo: posted <= first
    case .alternate: !hasServedFrame
    }
  }

  /// Notes that a frame begins.
  public mutating func beginFrame() { hasServedFrame = true }

  /// Notes that the first of `waiting` events in the queue begins at `now`: a new turn, unless one is under way.
  public mutating func beginEvent(of waiting: Int, at now: Instant) {
    if left == 0 {
      left = loop.batch == .one ? 1 : waiting
      began = now
      hasServedFrame = false
    }
    left -= 1
  }

  /// Notes that something runs at `now` before both sources, such as the rest of a task: in the turn under way, or in one of
  /// its own.
  public mutating func runAtOnce(at now: Instant) {
    if left == 0 { began = now }
  }

  /// Notes that the loop has nothing to do.
  public mutating func isIdle() { hasServedFrame = false }
}
