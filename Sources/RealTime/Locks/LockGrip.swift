internal import FrameBudget

/// The locks that an item holds while it goes from step to step, on one thread: one, and those kept beside it.
struct LockGrip {
  /// The lane whose thread it is.
  private let lane: LaneIndex
  /// Who looks on, and may end the run early; only the main thread has to do with it.
  private let watch: RunWatch?
  private var held: Held?
  /// Nested locks that were taken before `held`; empty, and so without memory, as long as only one is held.
  private var kept: [Held] = []

  private struct Held {
    let lock: LockIndex
    let since: Instant
  }

  init(on lane: LaneIndex, watch: RunWatch? = nil) {
    self.lane = lane
    self.watch = watch
  }

  /// How long a lock blocked its thread, and whether it was taken then.
  struct Taking {
    static let atOnce = Taking(blocked: .zero, isTaken: true)
    let blocked: TimeSpan
    let isTaken: Bool
  }

  /// Takes `lock` unless it is held already; another one is released first, unless it is nested.
  mutating func take(
    _ lock: LockIndex?, of app: LiveApp, _ trace: inout ThreadTrace
  ) -> Taking {
    guard lock != held?.lock else { return .atOnce }
    if let held, app.plan.arrangement.locks[held.lock].hold != .nested { releaseLast(app, &trace) }
    guard let lock, !holds(lock) else { return .atOnce }
    let taking = wait(for: lock, of: app)
    if taking.isTaken {
      if let held { kept.append(held) }
      held = Held(lock: lock, since: trace.isOn ? app.clock.now : .zero)
    }
    if trace.isOn && taking.blocked > .zero {
      let end = app.clock.now
      trace.append(.lockWait(lock), from: end - taking.blocked, to: end)
    }
    return taking
  }

  private func holds(_ lock: LockIndex) -> Bool {
    held?.lock == lock || kept.contains { $0.lock == lock }
  }

  private func wait(for lock: LockIndex, of app: LiveApp) -> Taking {
    if app.locks[lock].tryLock() { return .atOnce }
    let began = app.clock.now
    if lane == .main {
      watch?.waits(since: began)
    } else {
      app.lanes[lane].meter.waitBegan(at: began)
    }
    let isTaken = waited(for: lock, of: app, since: began)
    let ended = app.clock.now
    if lane != .main { app.lanes[lane].meter.waitEnded(at: ended) }
    return Taking(blocked: ended - began, isTaken: isTaken)
  }

  /// Whether it was taken in the end: only where locks nest, the wait might be for ever.
  private func waited(for lock: LockIndex, of app: LiveApp, since: Instant) -> Bool {
    guard let waits = app.lockWaits else {
      app.locks[lock].lock()
      return true
    }
    let locks = (kept + [held].compactMap(\.self)).map(\.lock)
    let wait = LockWait(thread: lane, lock: lock, held: locks, since: since)
    return waits.wait(wait) { app.locks[lock].lock { patience(app) } }
  }

  /// Patience ends with the run, which the main thread is the first to know of.
  private func patience(_ app: LiveApp) -> TimeSpan? {
    if lane != .main { return app.isStopping ? nil : .lockWaitSlice }
    let left = Instant.zero + app.plan.scenario.duration - app.clock.now
    if left <= .zero || Interruption.signal != nil || watch?.isStopping ?? false { return nil }
    return min(left, .lockWaitSlice)
  }

  /// Releases a lock that is held for one step only.
  mutating func releaseAfterStep(_ app: LiveApp, _ trace: inout ThreadTrace) {
    if let held, app.plan.arrangement.locks[held.lock].hold == .step { releaseLast(app, &trace) }
  }

  /// Releases all of them, the last one taken first.
  mutating func release(_ app: LiveApp, _ trace: inout ThreadTrace) {
    while held != nil { releaseLast(app, &trace) }
  }

  private mutating func releaseLast(_ app: LiveApp, _ trace: inout ThreadTrace) {
    guard let last = held else { return }
    held = kept.popLast()
    // The clock is read while the lock is still held, so that no two threads seem to hold it at once.
    if trace.isOn { trace.append(.lockHold(last.lock), from: last.since, to: app.clock.now) }
    app.locks[last.lock].unlock()
  }
}
