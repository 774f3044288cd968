internal import FrameBudget

/// A thread of a pool.
struct PoolWorker {
  let pool: Int
  /// Whether it sleeps until the monitor wakes it as others of the pool block; from then on it is like them. Dispatch's
  /// leave after five seconds without work, which is longer than most bursts are apart.
  let isSpare: Bool
  var stage: Stage
  /// Which thread of a lane it is now, if it is one.
  var seat: ThreadIndex?
  /// When it was last asked, for how long it had had no core by then, and what it has done since.
  private var asked = Instant.zero
  private var ready = TimeSpan.zero
  private var deed = Deed.waits

  enum Stage { case resting, idle, takingLane }
  private enum Deed { case computes, waitsForLock, waits }

  init(pool: Int, isSpare: Bool) {
    self.pool = pool
    self.isSpare = isSpare
    stage = isSpare ? .resting : .idle
  }

  /// What it has used of a core, and waited for locks, since it was last asked.
  mutating func account(at now: Instant, ready: TimeSpan) -> LaneUse {
    let span = now - asked - (ready - self.ready)
    asked = now
    self.ready = ready
    return switch deed {
    case .computes: LaneUse(busy: span)
    case .waitsForLock: LaneUse(waiting: span)
    case .waits: LaneUse()
    }
  }

  mutating func answers(_ operation: Operation) {
    deed =
      switch operation {
      case .compute, .post, .unlock, .renice: .computes
      case .lock: .waitsForLock
      case .wait, .sleep, .doze, .end: .waits
      }
  }
}
