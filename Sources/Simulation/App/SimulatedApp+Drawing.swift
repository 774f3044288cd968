internal import FrameBudget

// The second half of a frame: the UI reads state and draws. And where the frame's time went.
extension SimulatedApp {
  mutating func beginReads(at now: Instant) -> Operation? {
    frame.read = 0
    return enter(.reads, .reads, at: now)
  }

  mutating func read(at now: Instant) -> Operation? {
    guard frame.read < frame.reads.count else { return enter(.renders, .render, at: now) }
    let read = frame.reads[frame.read]
    frame.stage = .looks
    if read.lock != .absent { return .lock(read.lock) }
    guard read.isSnapshot else { return nil }
    let freeing = services[read.service].takeSnapshot()
    frame.age = services[read.service].age(at: now)
    guard freeing > .zero else { return nil }
    account(for: .release, at: now)
    return .compute(freeing)
  }

  mutating func look(at now: Instant) -> Operation? {
    let read = frame.reads[frame.read]
    account(for: .reads, at: now)
    frame.stage = .looked
    if read.isSnapshot {
      totals.stateAges.append(frame.age)
    } else {
      totals.stateAges.append(.zero)
      frame.readInPlace[frame.read] = now
      if services[read.service].enter() { totals.exclusionViolations += 1 }
    }
    let locking = read.lock == .absent ? .zero : costs.lock.post
    return .compute((read.cost ?? plan.readCost(frame.read, vsync: frame.vsync)) + locking)
  }

  mutating func looked() -> Operation? {
    let read = frame.reads[frame.read]
    if !read.isSnapshot { services[read.service].leave() }
    frame.read += 1
    frame.stage = .reads
    return read.lock == .absent ? nil : .unlock(read.lock)
  }

  mutating func render(at now: Instant) -> Operation {
    frame.stage = .ends
    return .compute(frame.renderCost ?? plan.renderCost(vsync: frame.vsync))
  }

  // MARK: Accounts

  /// Books the time up to now on the phase that ends, and begins `phase`.
  mutating func account(for phase: Phase, at now: Instant) {
    if now > frame.since {
      frames.spend(now - frame.since, on: frame.phase)
      if isTraced { notePhase(until: now) }
    }
    frame.phase = phase
    frame.since = now
  }

  /// Goes on to `stage`, whose time counts as `phase`.
  mutating func enter(_ stage: FrameLoop.Stage, _ phase: Phase, at now: Instant) -> Operation? {
    frame.stage = stage
    account(for: phase, at: now)
    return nil
  }

  @inline(never)
  private mutating func notePhase(until now: Instant) {
    trace?.append(.phase(frame.phase), by: 0, from: frame.since, to: now)
  }

  mutating func noteLockWanted(at now: Instant) {
    account(for: frame.phase, at: now)
    frame.isLocking = true
  }

  mutating func noteLockTaken(at now: Instant) {
    frame.isLocking = false
    let blocked = now - frame.since
    if blocked > .zero { frames.spend(blocked, on: .lockWait) }
    frame.blockedSince += blocked
    frame.since = now
  }

  /// Books what has been spent in the frame under way, also if it is to be cut off.
  mutating func closeAccounts(at now: Instant, ready: TimeSpan) {
    guard frame.isOpen else { return }
    if frame.isLocking { noteLockTaken(at: now) }
    account(for: frame.phase, at: now)
    let preempted = ready - frame.readyAtBegin
    if preempted > .zero { frames.spend(preempted, on: .preempted) }
    frame.isOpen = false
  }

  /// The frame under way as if it ended now; nil between frames.
  func openFrame(at now: Instant, ready: TimeSpan) -> FrameRecord? {
    guard frame.isOpen, var open = frames.underWay else { return nil }
    open.spend(now - frame.since, on: frame.isLocking ? .lockWait : frame.phase)
    open.spend(ready - frame.readyAtBegin, on: .preempted)
    return open.record(asOf: now, frame.refresh)
  }
}

extension FrameLoop {
  mutating func begin(at now: Instant, ready: TimeSpan) {
    isOpen = true
    stage = .delivers
    phase = .post
    since = now
    readyAtBegin = ready
  }
}
