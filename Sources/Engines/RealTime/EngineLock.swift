internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import FrameBudget
internal import Synchronization

/// A lock that guards services; the arrangement chooses its kind.
protocol EngineLock: Sendable {
  /// Locks it if it is free. A fair lock is not free while a thread waits for it.
  func tryLock() -> Bool
  func lock()
  /// Like `lock`, until `nextInterval` returns nil. Returns whether it locked.
  func lock(_ nextInterval: NextPollInterval) -> Bool
  /// Only from the thread that holds it.
  func unlock()
}

extension Lock.Kind {
  func makeLock() -> any EngineLock {
    switch self {
    case .barging: SystemMutex(.plain)
    case .fair: FairLock()
    case .inheriting: SystemMutex(.inheriting)
    }
  }
}

/// Polled by a thread that waits for a lock: how long to wait before polling again; nil to give up.
///
/// A signal cannot wake a thread that waits for a lock, so the thread itself checks whether the run has ended.
typealias NextPollInterval = () -> TimeSpan?

extension TimeSpan {
  /// The polling interval of a thread that waits for a lock; it delays an interruption by at most this.
  static let lockPollInterval = TimeSpan.milliseconds(100)
}

/// A lock that is handed to the longest waiter: a thread that releases it cannot lock it again before the waiters.
final class FairLock: EngineLock {
  private struct State {
    var isHeld = false
    var waiters: [Turn] = []
  }

  /// The turn of one waiter. Its timeouts use the monotonic clock; those of a semaphore use the wall clock.
  private final class Turn: Sendable {
    private let parker = makeParker()
    private let isSignalled = Atomic(false)

    func signal() {
      isSignalled.store(true, ordering: .releasing)
      parker.unpark()
    }

    func wait() {
      while !isSignalled.load(ordering: .acquiring) { parker.park(forNanoseconds: nil) }
    }

    /// Whether it was signalled within `span`.
    func wait(for span: TimeSpan) -> Bool {
      let end = clinux_monotonic() + span.nanoseconds
      while !isSignalled.load(ordering: .acquiring) {
        let left = end - clinux_monotonic()
        if left <= 0 { return false }
        parker.park(forNanoseconds: left)
      }
      return true
    }
  }

  private let state = Locked(State())

  /// The number of waiting threads.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  func tryLock() -> Bool {
    state.withLock { state in
      if state.isHeld { return false }
      state.isHeld = true
      return true
    }
  }

  func lock() { takeOrJoinLine()?.wait() }

  func lock(_ nextInterval: NextPollInterval) -> Bool {
    guard let turn = takeOrJoinLine() else { return true }
    while let span = nextInterval() {
      if turn.wait(for: span) { return true }
    }
    // A waiter that is no longer in the line has just received the lock.
    return state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0 === turn }) else { return true }
      state.waiters.remove(at: index)
      return false
    }
  }

  /// Nil if it locked; otherwise the turn to wait for.
  private func takeOrJoinLine() -> Turn? {
    state.withLock { state -> Turn? in
      if !state.isHeld {
        state.isHeld = true
        return nil
      }
      let turn = Turn()
      state.waiters.append(turn)
      return turn
    }
  }

  func unlock() {
    let next = state.withLock { state -> Turn? in
      if state.waiters.isEmpty {
        state.isHeld = false
        return nil
      }
      // It stays held: the woken waiter owns it now.
      return state.waiters.removeFirst()
    }
    next?.signal()
  }
}

extension SystemMutex: EngineLock {
  func lock(_ nextInterval: NextPollInterval) -> Bool {
    while let span = nextInterval() {
      if lock(forNanoseconds: span.nanoseconds) { return true }
    }
    return false
  }
}
