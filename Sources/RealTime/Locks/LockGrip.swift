internal import FrameBudget

/// The lock that an item holds while it goes from step to step, on one thread.
struct LockGrip {
  private var held: LockIndex?
  private var since = Instant.zero

  /// Takes `lock` unless it is held already; another one is released first. Returns for how long that blocked.
  mutating func take(
    _ lock: LockIndex?, of app: LiveApp, _ trace: inout ThreadTrace
  ) -> TimeSpan {
    guard lock != held else { return .zero }
    release(app, &trace)
    guard let lock else { return .zero }
    let blocked = app.locks[lock].lock(on: app.clock)
    held = lock
    if trace.isOn {
      since = app.clock.now
      if blocked > .zero { trace.append(.lockWait(lock), from: since - blocked, to: since) }
    }
    return blocked
  }

  /// Releases a lock that is held for one step only.
  mutating func releaseAfterStep(_ app: LiveApp, _ trace: inout ThreadTrace) {
    if let held, app.plan.arrangement.locks[held].hold == .step { release(app, &trace) }
  }

  mutating func release(_ app: LiveApp, _ trace: inout ThreadTrace) {
    guard let lock = held.take() else { return }
    // The clock is read while the lock is still held, so that no two threads seem to hold it at once.
    if trace.isOn { trace.append(.lockHold(lock), from: since, to: app.clock.now) }
    app.locks[lock].unlock()
  }
}
