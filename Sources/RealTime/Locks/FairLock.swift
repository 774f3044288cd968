internal import CLinux
internal import Concurrency
internal import FrameBudget
internal import Synchronization

/// A lock that is handed to the longest waiter: whoever releases it cannot take it again before them.
final class FairLock: EngineLock {
  private struct State {
    var isHeld = false
    var waiters: [Turn] = []
  }

  /// What one who waits is told by whoever hands over. Waited for by the clock that only goes forward: a semaphore's
  /// time-outs are by the one that people set.
  private final class Turn: Sendable {
    private let parker = makeParker()
    private let hasCome = Atomic(false)

    func come() {
      hasCome.store(true, ordering: .releasing)
      parker.unpark()
    }

    func wait() {
      while !hasCome.load(ordering: .acquiring) { parker.park(forNanoseconds: nil) }
    }

    /// Whether it has come within so much time.
    func wait(for span: TimeSpan) -> Bool {
      let end = clinux_monotonic() + span.nanoseconds
      while !hasCome.load(ordering: .acquiring) {
        let left = end - clinux_monotonic()
        if left <= 0 { return false }
        parker.park(forNanoseconds: left)
      }
      return true
    }
  }

  private let state = Locked(State())

  /// How many threads wait for it now.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  func tryLock() -> Bool {
    state.withLock { state in
      if state.isHeld { return false }
      state.isHeld = true
      return true
    }
  }

  func lock() { takeOrJoinLine()?.wait() }

  func lock(_ patience: Patience) -> Bool {
    guard let turn = takeOrJoinLine() else { return true }
    while let span = patience() {
      if turn.wait(for: span) { return true }
    }
    // Who is no longer in the line has just been handed the lock.
    return state.withLock { state in
      guard let place = state.waiters.firstIndex(where: { $0 === turn }) else { return true }
      state.waiters.remove(at: place)
      return false
    }
  }

  /// Nil once it is taken; otherwise what to wait for.
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
      // It stays held: it now belongs to the one who is woken.
      return state.waiters.removeFirst()
    }
    next?.come()
  }
}
