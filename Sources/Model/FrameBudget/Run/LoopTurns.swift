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
  /// Since when the queue waits for a frame behind an input, the first vsync from then on, and until when it waits at most.
  private var deferred: (begin: Instant, vsync: Instant, end: Instant)?

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

  /// Records that a frame begins whose event was posted at `posted`. The queue waits no longer than until it ends, unless that
  /// was before the wait began.
  public mutating func beginFrame(posted: Instant) {
    hasServedFrame = true
    if let begin = deferred?.begin, posted >= begin { deferred = nil }
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

  /// Whether the queue may wait for a frame at `now`: it does so already, or the first task of an input has `ended`.
  public func mayDefer(at now: Instant, behindInputUntil ended: Instant?) -> Bool {
    ended != nil && loop.deferral != nil || deferred.map { now < $0.end } ?? false
  }

  /// When the queue, but for new inputs, stops waiting for a frame at `now`, unless one begins before; nil if it does not wait. It
  /// begins to wait if the first task of an input has `ended`, and a frame is wanted. If none is wanted any more, as after one
  /// that was due before, it waits until the vsync, at which the app would find nothing to draw.
  public mutating func deferralEnd(
    at now: Instant, behindInputUntil ended: Instant?, _ frames: borrowing FrameLedger
  ) -> Instant? {
    let isWanted = frames.wantsFrame(at: now)
    if let ended, let limit = loop.deferral, isWanted {
      deferred = (ended, frames.firstVsync(atOrAfter: ended), ended + limit)
    }
    guard let (_, vsync, end) = deferred, now < end else { return nil }
    if isWanted { return end }
    guard now < vsync else {
      deferred = nil
      return nil
    }
    return min(vsync, end)
  }
}
