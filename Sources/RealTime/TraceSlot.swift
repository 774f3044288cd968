internal import Concurrency
internal import FrameBudget

/// The trace of one thread of a lane.
///
/// Claimed for a whole event and never waited for, so that within the event nothing is locked; and for a lane's
/// place rather than for an operating system's thread, as a dispatch queue changes those from event to event.
final class TraceSlot: Sendable {
  private let store: Locked<ThreadTrace>

  init(room: Int) { store = Locked(ThreadTrace(room: room)) }

  /// Whether the slot was free, so that `event` ran.
  func run(_ event: (inout ThreadTrace) -> Void) -> Bool {
    store.withLockIfAvailable { event(&$0) } != nil
  }

  var trace: ThreadTrace { store.withLock { $0 } }
}
