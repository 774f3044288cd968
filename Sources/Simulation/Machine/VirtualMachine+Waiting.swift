internal import FrameBudget

/// A lock of a machine: who owns it, and who waits.
struct VirtualLock {
  let kind: Lock.Kind
  let costs: HandOffCosts
  var owner: ThreadIndex?
  var waiters = ThreadLine()

  init(_ kind: Lock.Kind, costs: HandOffCosts = .none) {
    self.kind = kind
    self.costs = costs
  }
}

/// A queue of a machine: how many events are in it, or who waits for one.
struct VirtualQueue {
  let costs: HandOffCosts
  var events = 0
  var waiters = ThreadLine()
  /// When a receiver that looks now and then last found nothing; before it ever did, when it first looks.
  var lookedAt: Instant

  init(costs: HandOffCosts = .none, firstLook: Instant = .zero) {
    self.costs = costs
    lookedAt = firstLook
  }

  /// From `now` until whoever waits here notices an event: at once where it is woken, otherwise at its next look.
  func notice(at now: Instant) -> TimeSpan {
    guard costs.lookEvery > .zero else { return costs.latency }
    let period = costs.lookEvery.nanoseconds
    let since = (now - lookedAt).nanoseconds
    let looks = since > 0 ? (since + period - 1) / period : 0
    return TimeSpan(nanoseconds: looks * period - since) + costs.latency
  }
}

// Blocking and waking.
extension VirtualMachine where Threads: ~Copyable {
  private mutating func wake(_ thread: ThreadIndex, after latency: TimeSpan) {
    threads[thread].waker = asking
    guard latency > .zero else { return makeReady(thread) }
    threads[thread].state = .waking
    timers.insert(thread, at: moment(now + latency))
  }

  // MARK: Queues

  /// Whether there was an event; otherwise `thread` waits for one.
  mutating func takeEvent(from queue: QueueIndex, by thread: ThreadIndex) -> Bool {
    if queues[queue].events > 0 {
      queues[queue].events -= 1
      return true
    }
    threads[thread].state = .blocked
    queues[queue].lookedAt = max(queues[queue].lookedAt, now)
    queues[queue].waiters.append(thread, in: &threads)
    return false
  }

  /// Puts an event into `queue`, or gives it to the thread that has waited longest; returns what that costs.
  ///
  /// That thread's latency begins once the poster is through, as it was measured, if nobody takes the poster's core
  /// meanwhile.
  mutating func post(to queue: QueueIndex, extra: TimeSpan) -> TimeSpan {
    let costs = queues[queue].costs
    guard let waiter = queues[queue].waiters.popFirst(in: threads) else {
      queues[queue].events += 1
      return costs.post + extra
    }
    let cost = costs.post + costs.wake + extra
    guard let asking else { preconditionFailure("whoever posts is being asked") }
    let posting = cores[asking].span(of: cost.nanoseconds * 1000)
    wake(waiter, after: posting + queues[queue].notice(at: now + posting))
    return cost
  }

  // MARK: Locks

  /// Whether `thread` now owns `lock`; otherwise it waits for it.
  mutating func take(_ lock: LockIndex, by thread: ThreadIndex) -> Bool {
    guard let owner = locks[lock].owner else {
      locks[lock].owner = thread
      return true
    }
    precondition(owner != thread, "a thread takes a lock once")
    threads[thread].state = .blocked
    threads[thread].lock = lock
    threads[thread].lockSince = now
    locks[lock].waiters.append(thread, in: &threads)
    if locks[lock].kind == .inheriting { bequeath(thread, to: owner) }
    return false
  }

  /// A woken waiter goes on: it owns the lock by now, or, of a barging one, tries again to take it.
  mutating func retry(_ lock: LockIndex, by thread: ThreadIndex) -> Bool {
    threads[thread].lock = nil
    threads[thread].lockWait += now - threads[thread].lockSince
    return locks[lock].owner == thread || take(lock, by: thread)
  }

  /// Gives `lock` up, wakes who is next, and returns what that costs.
  mutating func release(_ lock: LockIndex, by thread: ThreadIndex) -> TimeSpan {
    precondition(locks[lock].owner == thread, "only its owner releases a lock")
    locks[lock].owner = nil
    let next =
      locks[lock].kind == .inheriting
      ? locks[lock].waiters.popHighest(in: &threads) : locks[lock].waiters.popFirst(in: threads)
    guard let next else { return .zero }
    if locks[lock].kind != .barging { locks[lock].owner = next }
    if locks[lock].kind == .inheriting {
      inherit(next)
      inherit(thread)
      if let asking, isOutdone(asking) { cores[asking].yields = true }
    }
    wake(next, after: locks[lock].costs.latency)
    return locks[lock].costs.wake
  }

  /// Who waits for a lock now, and what they hold; threads are called by their places.
  var lockWaits: [LockWait] {
    threads.indices.compactMap { thread in
      guard threads[thread].state == .blocked, let lock = threads[thread].lock else { return nil }
      return LockWait(
        thread: thread.position, lock: lock,
        held: locks.indices.filter { locks[$0].owner == thread }, since: threads[thread].lockSince)
    }
  }

  // MARK: Inheritance

  /// Lets the owner of a lock run as `waiter` would, and whoever that owner waits for.
  private mutating func bequeath(_ waiter: ThreadIndex, to owner: ThreadIndex) {
    var heir = owner
    // Threads that wait for one another in a circle would be visited for ever.
    for _ in threads.indices {
      inherit(heir)
      if threads[heir].rank == 0 {
        let time = min(threads[heir].virtualTime, virtualTime(of: waiter, beside: heir))
        threads[heir].virtualTime = time
        threads[heir].deadline = min(threads[heir].deadline, time + request(of: heir))
      }
      if threads[heir].state == .ready { reconsider(heir) }
      guard threads[heir].state == .blocked, let lock = threads[heir].lock,
        locks[lock].kind == .inheriting, let next = locks[lock].owner
      else { return }
      heir = next
    }
  }

  /// Gives `thread` another nice value from now on; one of a fixed priority has none.
  mutating func renice(_ thread: ThreadIndex, to nice: Int) {
    guard case .fair = threads[thread].priority else { return }
    threads[thread].priority = .fair(nice: nice)
    inherit(thread)
  }

  /// Sets the rank and pace of `thread` to its own, or to the best of those that wait for its locks.
  private mutating func inherit(_ thread: ThreadIndex) {
    // What it has run up to now counts at its old pace.
    if let core = cores.indices.first(where: { cores[$0].thread == thread }) { account(core) }
    var rank = threads[thread].priority.rank
    var pace = threads[thread].priority.pace
    for lock in locks where lock.owner == thread && lock.kind == .inheriting {
      guard let best = lock.waiters.best(in: threads) else { continue }
      rank = max(rank, best.rank)
      if best.pace > 0 { pace = min(pace, best.pace) }
    }
    threads[thread].rank = rank
    threads[thread].pace = pace
  }
}
