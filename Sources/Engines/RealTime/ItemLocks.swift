internal import SchedulableThreads
internal import FrameBudget

/// The locks that one item holds on one thread.
struct ItemLocks {
  private let lane: LaneIndex
  /// The watcher, which may end the run early; nil except on main.
  private let watch: RunWatch?
  private var held = HeldLocks()
  /// When each was locked; empty without a trace.
  private var since: [Instant] = []

  init(on lane: LaneIndex, watch: RunWatch? = nil) {
    self.lane = lane
    self.watch = watch
  }

  /// How long a lock blocked the thread, and whether it was locked then.
  struct Acquisition {
    static let atOnce = Acquisition(blocked: .zero, isTaken: true)
    let blocked: TimeSpan
    let isTaken: Bool
  }

  /// Locks `lock` unless it is held already, after releasing those that are no longer needed.
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
      watch?.noteWait(since: began)
    } else {
      app.lanes.all[lane].meter.waitBegan(at: began)
    }
    let isTaken = waited(for: lock, of: app, since: began)
    let ended = app.clock.now
    if lane != .main { app.lanes.all[lane].meter.waitEnded(at: ended) }
    return Acquisition(blocked: ended - began, isTaken: isTaken)
  }

  /// Waits for `lock`; returns whether it was locked. Only a wait for nested locks might never end.
  private func waited(for lock: LockIndex, of app: LiveApp, since: Instant) -> Bool {
    guard let waits = app.lockWaits else {
      app.locks[lock].lock()
      return true
    }
    let wait = LockWait(thread: lane.position, lock: lock, held: held.all, since: since)
    return waits.wait(wait) { app.locks[lock].lock { nextInterval(app) } }
  }

  /// The wait ends with the run, which the main thread detects first.
  private func nextInterval(_ app: LiveApp) -> TimeSpan? {
    if lane != .main { return app.lanes.isStopping ? nil : .lockPollInterval }
    let left = Instant.zero + app.plan.scenario.duration - app.clock.now
    if left <= .zero || Interruption.signal != nil || watch?.isStopping ?? false { return nil }
    return min(left, .lockPollInterval)
  }

  /// Releases the lock of a finished step if it is held for one step.
  mutating func endStep(_ hold: Lock.Hold, _ app: LiveApp, _ trace: inout ThreadTrace) {
    if let lock = held.endStep(hold) { release(lock, app, &trace) }
  }

  /// Releases all locks, the newest first.
  mutating func release(_ app: LiveApp, _ trace: inout ThreadTrace) {
    while let lock = held.popLast() { release(lock, app, &trace) }
  }

  private mutating func release(_ lock: LockIndex, _ app: LiveApp, _ trace: inout ThreadTrace) {
    // Read while the lock is still held, so that no two threads seem to hold it at once.
    if let since = since.popLast() {
      trace.append(.lockHold(lock), from: since, to: app.clock.now)
    }
    app.locks[lock].unlock()
  }
}

/// The waits for locks of a run with nested locks, to find deadlocks.
final class LockWaits: Sendable {
  private struct State {
    var waits: [(id: Int, wait: LockWait)] = []
    var nextID = 0
    var deadlocks: [Deadlock] = []

    /// Records each deadlock once.
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

  /// Nil if no thread waits for a lock while it holds another.
  init?(_ arrangement: Arrangement) {
    guard arrangement.nestsLocks else { return nil }
    self.arrangement = arrangement
  }

  /// The deadlocks found so far, whenever a wait was given up.
  var deadlocks: [Deadlock] { state.withLock { $0.deadlocks } }

  /// The deadlocks found so far, including the current ones.
  var deadlocksByNow: [Deadlock] {
    // All under the lock: a waiting thread shares its list of held locks, and changes it after the wait.
    state.withLock { state in
      var now = state
      now.noteDeadlocks(arrangement)
      return now.deadlocks
    }
  }

  /// Registers the calling thread's wait while `take` runs; returns whether it locked.
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

  /// A thread that gives up still holds its locks, so the first one to give up sees the whole cycle.
  private func end(_ id: Int, isTaken: Bool) {
    state.withLock { state in
      if !isTaken { state.noteDeadlocks(arrangement) }
      state.waits.removeAll { $0.id == id }
    }
  }
}
