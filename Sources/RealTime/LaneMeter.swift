internal import Concurrency
internal import FrameBudget

/// Counts what the threads of a lane do, steps and waits under way included, for whoever watches the run.
struct LaneMeter: ~Copyable {
  private let use = Locked(Use())

  private struct Use {
    var busy = OpenSum()
    var waiting = OpenSum()
    /// What was told last: a step that ends was told up to a moment after its end, and time does not go back.
    var told = LaneUse()
  }

  borrowing func stepBegan(at instant: Instant) { use.withLock { $0.busy.begin(instant) } }
  borrowing func stepEnded(at instant: Instant) { use.withLock { $0.busy.end(instant) } }

  /// A thread within a step waits for a lock.
  borrowing func waitBegan(at instant: Instant) {
    use.withLock {
      $0.busy.end(instant)
      $0.waiting.begin(instant)
    }
  }

  borrowing func waitEnded(at instant: Instant) {
    use.withLock {
      $0.waiting.end(instant)
      $0.busy.begin(instant)
    }
  }

  /// What they have done up to now.
  borrowing func use(by clock: RunClock) -> LaneUse {
    use.withLock { use in
      let now = clock.now
      use.told.busy = max(use.told.busy, use.busy.sum(at: now))
      use.told.waiting = max(use.told.waiting, use.waiting.sum(at: now))
      return use.told
    }
  }
}

/// The length of spans together, of which some have no end yet.
private struct OpenSum {
  private var nanoseconds: Int64 = 0
  private var open: Int64 = 0

  mutating func begin(_ instant: Instant) {
    nanoseconds -= instant.nanoseconds
    open += 1
  }

  mutating func end(_ instant: Instant) {
    nanoseconds += instant.nanoseconds
    open -= 1
  }

  func sum(at now: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: nanoseconds + open * now.nanoseconds)
  }
}
