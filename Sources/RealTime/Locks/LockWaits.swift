internal import Concurrency
internal import FrameBudget

/// Who waits for which lock in a run whose locks nest, so that whoever gives up can say that it waited in a circle.
final class LockWaits: Sendable {
  private struct State {
    var waits: [(id: Int, wait: LockWait)] = []
    var nextID = 0
    var deadlocks: [Deadlock] = []

    /// A circle that another one has seen already is not noted again.
    mutating func noteDeadlocks(_ arrangement: Arrangement) {
      let names = arrangement.lanes.map { lane in
        lane.width == 1 ? lane.name : "\(lane.name) (1 of \(lane.width))"
      }
      for deadlock in Deadlock.found(
        among: waits.map(\.wait), threads: names, locks: arrangement.locks)
      where !deadlocks.contains(deadlock) { deadlocks.append(deadlock) }
    }
  }

  private let arrangement: Arrangement
  private let state = Locked(State())

  /// Nil if no thread holds one lock while it waits for another.
  init?(_ arrangement: Arrangement) {
    guard arrangement.nestsLocks else { return nil }
    self.arrangement = arrangement
  }

  /// Those that were found when somebody gave up.
  var deadlocks: [Deadlock] { state.withLock { $0.deadlocks } }

  /// The same, and those that nobody has given up yet.
  var deadlocksByNow: [Deadlock] {
    // All under the lock: who waits shares the list of locks that it holds, and adds to it when it waits no more.
    state.withLock { state in
      var now = state
      now.noteDeadlocks(arrangement)
      return now.deadlocks
    }
  }

  /// Lets the calling thread wait for a lock; whether it was taken.
  func wait(_ wait: LockWait, for take: () -> Bool) -> Bool {
    let id = begin(wait)
    let isTaken = take()
    end(id, isTaken: isTaken)
    return isTaken
  }

  private func begin(_ wait: LockWait) -> Int {
    state.withLock { state in
      state.nextID += 1
      state.waits.append((state.nextID, wait))
      return state.nextID
    }
  }

  /// Who gives up still holds all its locks: the first one to do so sees the whole circle, nobody after it does.
  private func end(_ id: Int, isTaken: Bool) {
    state.withLock { state in
      if !isTaken { state.noteDeadlocks(arrangement) }
      state.waits.removeAll { $0.id == id }
    }
  }
}
