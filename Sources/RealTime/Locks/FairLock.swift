internal import Dispatch
internal import FrameBudget
internal import SchedulableObjects

/// A lock that is handed to the longest waiter: whoever releases it cannot take it again before them.
final class FairLock: EngineLock {
  private struct State {
    var isHeld = false
    var waiters: [DispatchSemaphore] = []
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
      let deadline = DispatchTime.now() + .nanoseconds(Int(span.nanoseconds))
      if turn.wait(timeout: deadline) == .success { return true }
    }
    // Who is no longer in the line has just been handed the lock.
    return state.withLock { state in
      guard let place = state.waiters.firstIndex(where: { $0 === turn }) else { return true }
      state.waiters.remove(at: place)
      return false
    }
  }

  /// Nil once it is taken; otherwise what to wait for.
  private func takeOrJoinLine() -> DispatchSemaphore? {
    state.withLock { state -> DispatchSemaphore? in
      if !state.isHeld {
        state.isHeld = true
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waiters.append(turn)
      return turn
    }
  }

  func unlock() {
    let next = state.withLock { state -> DispatchSemaphore? in
      if state.waiters.isEmpty {
        state.isHeld = false
        return nil
      }
      // It stays held: it now belongs to the one who is woken.
      return state.waiters.removeFirst()
    }
    next?.signal()
  }
}
