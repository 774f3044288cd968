/// Decides which of its two sources a main loop of events serves next, frames or the queue: the order, the batch and the deferral
/// of `MainLoop.Events`, shared by both engines.
///
/// A turn is the part of the queue that the loop runs before it checks for a frame again; frames wait for its end.
public struct LoopTurns: Sendable {
  private let loop: MainLoop.Events
  /// The number of events of the current turn that have not begun.
  private var left = 0
  /// When the newest turn began.
  public private(set) var began = Instant.zero
  /// Whether the loop served a frame last, and has not been idle since.
  private var hasServedFrame = false
  /// Until when the queue waits for a frame at most.
  private var deferredUntil: Instant?

  /// Creates the state of a loop that has served nothing.
  public init(_ loop: MainLoop.Events) { self.loop = loop }

  /// Whether events of a turn that has begun are waiting.
  public var isUnderWay: Bool { left > 0 }

  /// Whether a frame whose event was posted at `posted` begins now, if the first event in the queue has waited since `first`;
  /// nil if none waits.
  public func servesFrame(posted: Instant, waitingSince first: Instant?) -> Bool {
    guard !isUnderWay else { return false }
    guard let first else { return true }
    return switch loop.order {
    case .first: true
    case .fifo: posted <= first
    case .alternate: !hasServedFrame
    }
  }

  /// Records that a frame begins. The queue waits no longer than until it ends.
  public mutating func beginFrame() {
    hasServedFrame = true
    deferredUntil = nil
  }

  /// Records that the first of `waiting` events in the queue begins at `now`: it starts a new turn, unless one is under way.
  public mutating func beginEvent(of waiting: Int, at now: Instant) {
    if left == 0 {
      left = loop.batch == .one ? 1 : waiting
      began = now
      hasServedFrame = false
    }
    left -= 1
  }

  /// Records that work runs at `now` before both sources, such as the rest of a task: in the current turn, or in one of its
  /// own.
  public mutating func runAtOnce(at now: Instant) {
    if left == 0 { began = now }
  }

  /// Records that the loop is idle.
  public mutating func noteIdle() { hasServedFrame = false }

  // MARK: Behind an input

  /// Whether the queue waits for the next frame behind an input for which one is wanted.
  public var defers: Bool { loop.deferral != nil }

  /// Makes the queue, but for new inputs, wait for the next frame: the first task of an input ended at `instant`.
  public mutating func deferQueue(behindInputUntil instant: Instant) {
    deferredUntil = loop.deferral.map { instant + $0 }
  }

  /// When the queue stops waiting for a frame at `now`, unless one begins before; nil if it does not wait.
  public func deferralEnd(at now: Instant) -> Instant? {
    deferredUntil.flatMap { $0 > now ? $0 : nil }
  }
}
