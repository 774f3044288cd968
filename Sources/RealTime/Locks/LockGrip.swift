internal import FrameBudget

/// The lock that an item holds while it goes from step to step, on one thread.
struct LockGrip {
  private var held: LockIndex?

  /// Takes `lock` unless it is held already; another one is released first. Returns for how long that blocked.
  mutating func take(_ lock: LockIndex?, of app: LiveApp) -> TimeSpan {
    guard lock != held else { return .zero }
    release(app.locks)
    guard let lock else { return .zero }
    let blocked = app.locks[lock].lock(on: app.clock)
    held = lock
    return blocked
  }

  /// Releases a lock that is held for one step only.
  mutating func releaseAfterStep(_ locks: [any EngineLock], _ arrangement: Arrangement) {
    if let held, arrangement.locks[held].hold == .step { release(locks) }
  }

  mutating func release(_ locks: [any EngineLock]) {
    if let held { locks[held].unlock() }
    held = nil
  }
}
