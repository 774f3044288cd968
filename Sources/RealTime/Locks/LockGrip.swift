internal import FrameBudget

/// The locks that an item holds while it goes from step to step, on one thread.
struct LockGrip {
  /// The lane whose thread it is.
  private let lane: LaneIndex
  /// Who looks on, and may end the run early; only the main thread has to do with it.
  private let watch: RunWatch?
  private var held = HeldLocks()
  /// When each of them was taken; empty without a trace.
  private var since: [Instant] = []

  init(on lane: LaneIndex, watch: RunWatch? = nil) {
    self.lane = lane
    self.watch = watch
  }

  /// How long a lock blocked its thread, and whether it was taken then.
  struct Acquisition {
    static let atOnce = Acquisition(blocked: .zero, isTaken: true)
    let blocked: TimeSpan
    let isTaken: Bool
  }

  /// Takes `lock`, to be held for so long, unless it is held already; one that is not needed any more goes first.
  mutating func take(
    _ lock: LockIndex?, for hold: Lock.Hold, of app: LiveApp, _ trace: inout ThreadTrace
  ) -> Acquisition {
    while true {
      switch held.move(toward: lock) {
      case .begin: return .atOnce
      case .release(let lock): release(lock, app, &trace)
      case .take(let lock):
        let acquisition = wait(for: lock, of: app)
        if acquisition.isTaken { held.took(lock, for: hold) }
        if trace.isOn { note(acquisition, of: lock, at: app.clock.now, &trace) }
        return acquisition
      }
    }
  }

  private mutating func note(
    _ acquisition: Acquisition, of lock: LockIndex, at now: Instant, _ trace: inout ThreadTrace
  ) {
    if acquisition.isTaken { since.append(now) }
    if acquisition.blocked > .zero {
      trace.append(.lockWait(lock), from: now - acquisition.blocked, to: now)
    }
  }

  private func wait(for lock: LockIndex, of app: LiveApp) -> Acquisition {
    if app.locks[lock].tryLock() { return .atOnce }
    let began = app.clock.now
    if lane == .main {
      watch?.waits(since: began)
    } else {
      app.lanes.all[lane].meter.waitBegan(at: began)
    }
    let isTaken = waited(for: lock, of: app, since: began)
    let ended = app.clock.now
    if lane != .main { app.lanes.all[lane].meter.waitEnded(at: ended) }
    return Acquisition(blocked: ended - began, isTaken: isTaken)
  }

  /// Whether it was taken in the end: only where locks nest, the wait might be for ever.
  private func waited(for lock: LockIndex, of app: LiveApp, since: Instant) -> Bool {
    guard let waits = app.lockWaits else {
      app.locks[lock].lock()
      return true
    }
    let wait = LockWait(thread: lane.position, lock: lock, held: held.all, since: since)
    return waits.wait(wait) { app.locks[lock].lock { patience(app) } }
  }

  /// Patience ends with the run, which the main thread is the first to know of.
  private func patience(_ app: LiveApp) -> TimeSpan? {
    if lane != .main { return app.lanes.isStopping ? nil : .lockWaitSlice }
    let left = Instant.zero + app.plan.scenario.duration - app.clock.now
    if left <= .zero || Interruption.signal != nil || watch?.isStopping ?? false { return nil }
    return min(left, .lockWaitSlice)
  }

  /// Releases the lock of a step that has ended, if it is held for that alone.
  mutating func endStep(_ hold: Lock.Hold, _ app: LiveApp, _ trace: inout ThreadTrace) {
    if let lock = held.endStep(hold) { release(lock, app, &trace) }
  }

  /// Releases all of them, the last one taken first.
  mutating func release(_ app: LiveApp, _ trace: inout ThreadTrace) {
    while let lock = held.popLast() { release(lock, app, &trace) }
  }

  private mutating func release(_ lock: LockIndex, _ app: LiveApp, _ trace: inout ThreadTrace) {
    // The clock is read while the lock is still held, so that no two threads seem to hold it at once.
    if let since = since.popLast() {
      trace.append(.lockHold(lock), from: since, to: app.clock.now)
    }
    app.locks[lock].unlock()
  }
}
