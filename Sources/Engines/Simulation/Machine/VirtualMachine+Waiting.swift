internal import FrameBudget

/// A lock of a machine: its owner and its waiters.
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

typealias LockTable = OwnedTable<Lock, VirtualLock>

extension OwnedTable where Kind == Lock, Element == VirtualLock {
  /// Completes `operation` of `thread` at once if it takes no time and concerns no other thread: it takes a free lock, or
  /// releases one for which nobody waits. Returns whether it did.
  @inline(__always)
  mutating func complete(_ operation: Operation, by thread: ThreadIndex) -> Bool {
    switch operation {
    case .lock(let lock) where self[lock].owner == nil:
      self[lock].owner = thread
      return true
    case .unlock(let lock) where self[lock].waiters.isEmpty:
      precondition(self[lock].owner == thread, "only its owner releases a lock")
      self[lock].owner = nil
      return true
    default: return false
    }
  }
}

/// An event queue of a machine: the number of its events, or the threads that wait for one.
struct VirtualQueue {
  let costs: HandOffCosts
  var events = 0
  var waiters = ThreadLine()
  /// When a polling receiver last found the queue empty; before that, the time of its first poll.
  var lookedAt: Instant

  init(costs: HandOffCosts = .none, firstLook: Instant = .zero) {
    self.costs = costs
    lookedAt = firstLook
  }

  /// The time from `now` until a receiver that polls notices an event; zero if it does not poll.
  func notice(at now: Instant) -> TimeSpan {
    guard costs.pollInterval > .zero else { return .zero }
    let period = costs.pollInterval.nanoseconds
    let since = (now - lookedAt).nanoseconds
    let looks = since > 0 ? (since + period - 1) / period : 0
    return TimeSpan(nanoseconds: looks * period - since)
  }
}

// Blocking and waking.
extension VirtualMachine where Threads: ~Copyable {
  /// Wakes `thread` after `delay` and, if an idle core must start it, after `latency` more. A busy core has the thread in its
  /// queue at once.
  private mutating func wake(
    _ thread: ThreadIndex, after delay: TimeSpan = .zero, latency: TimeSpan
  ) {
    threads[thread].waker = asking
    let total = findsIdleCore(thread) ? delay + latency : delay
    guard total > .zero else { return makeReady(thread) }
    threads[thread].state = .waking
    timers.insert(thread, at: moment(now + total))
  }

  /// Whether a core is idle on which `thread` may start.
  @inline(__always)
  private func findsIdleCore(_ thread: ThreadIndex) -> Bool {
    // A delayed thread stays in the queue of its core.
    if isPerCore && threads[thread].isDelayed { return false }
    return cores.indices.contains { cores[$0].thread == nil && mayRun(thread, on: $0) }
  }

  // MARK: Queues

  /// Takes an event from `queue`. If there is none, returns false and blocks `thread`.
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

  /// Puts an event into `queue`, or hands it to the thread that has waited longest. Returns the cost for the posting
  /// thread.
  ///
  /// The woken thread's latency begins when the posting is over, as in the measurements, provided that the poster is not
  /// preempted meanwhile.
  mutating func post(to queue: QueueIndex, extra: TimeSpan) -> TimeSpan {
    let costs = queues[queue].costs
    guard let waiter = queues[queue].waiters.popFirst(in: threads) else {
      queues[queue].events += 1
      return costs.post + extra
    }
    let cost = costs.post + costs.wake + extra
    // Posts without a thread take no time.
    let posting = asking.map { cores[$0].span(of: cost.nanoseconds * 1000) } ?? .zero
    wake(
      waiter, after: posting + queues[queue].notice(at: now + posting),
      latency: queues[queue].costs.latency)
    return cost
  }

  // MARK: Locks

  /// Takes `lock` for `thread`. If it has another owner, returns false and blocks `thread`.
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
    if locks[lock].kind == .inheriting { lendPriority(of: thread, to: owner) }
    return false
  }

  /// Resumes a woken waiter: it already owns the lock, or, with a barging lock, tries again to take it.
  mutating func retry(_ lock: LockIndex, by thread: ThreadIndex) -> Bool {
    threads[thread].lock = nil
    threads[thread].lockWait += now - threads[thread].lockSince
    return locks[lock].owner == thread || take(lock, by: thread)
  }

  /// Releases `lock` and wakes the next waiter. Returns the cost for the releasing thread.
  mutating func release(_ lock: LockIndex, by thread: ThreadIndex) -> TimeSpan {
    precondition(locks[lock].owner == thread, "only its owner releases a lock")
    locks[lock].owner = nil
    let next =
      locks[lock].kind == .inheriting
      ? locks[lock].waiters.popHighest(in: &threads) : locks[lock].waiters.popFirst(in: threads)
    guard let next else { return .zero }
    if locks[lock].kind != .barging { locks[lock].owner = next }
    if locks[lock].kind == .inheriting {
      updatePriority(of: next)
      updatePriority(of: thread)
    }
    wake(next, latency: locks[lock].costs.latency)
    return locks[lock].costs.wake
  }

  /// The threads that wait for a lock now, by number, and the locks that they hold.
  var lockWaits: [LockWait] {
    threads.indices.compactMap { thread in
      guard threads[thread].state == .blocked, let lock = threads[thread].lock else { return nil }
      return LockWait(
        thread: thread.position, lock: lock,
        held: locks.indices.filter { locks[$0].owner == thread }, since: threads[thread].lockSince)
    }
  }

  // MARK: Priorities

  /// Raises the owner of a lock to the priority of `waiter`, and so on along the chain of owners that wait themselves.
  private mutating func lendPriority(of waiter: ThreadIndex, to owner: ThreadIndex) {
    var owner = owner
    // The bound ends the walk if the threads wait in a cycle (deadlock).
    for _ in threads.indices {
      updatePriority(of: owner)
      lendVirtualTime(of: waiter, to: owner)
      guard threads[owner].state == .blocked, let lock = threads[owner].lock,
        locks[lock].kind == .inheriting, let next = locks[lock].owner
      else { return }
      owner = next
    }
  }

  /// Lets a fair owner of a lock run as early as `waiter` would.
  private mutating func lendVirtualTime(of waiter: ThreadIndex, to owner: ThreadIndex) {
    guard isInFairQueue(owner), threads[waiter].rank == 0 else { return }
    let time = virtualTime(of: waiter, beside: owner)
    guard time < threads[owner].virtualTime else { return }
    threads[owner].virtualTime = time
    threads[owner].deadline = min(threads[owner].deadline, time + request(of: owner))
    priorityChanged(of: owner, in: queue(of: owner), isLower: false)
  }

  /// Changes the nice value of `thread`. Has no effect on a thread of fixed priority.
  mutating func renice(_ thread: ThreadIndex, to nice: Int) {
    guard case .fair = threads[thread].priority else { return }
    threads[thread].priority = .fair(nice: nice)
    updatePriority(of: thread)
  }

  /// Sets the rank and weight of `thread` to the highest of its own and those of the waiters for its locks.
  private mutating func updatePriority(of thread: ThreadIndex) {
    // Accounts for the time up to now at the old weight.
    if let core = cores.indices.first(where: { cores[$0].thread == thread }) { account(core) }
    var rank = threads[thread].priority.rank
    var weight = threads[thread].priority.weight
    for lock in locks.indices where locks[lock].owner == thread && locks[lock].kind == .inheriting {
      let highest = locks[lock].waiters.highest(in: threads)
      rank = max(rank, highest.rank)
      weight = max(weight, highest.weight)
    }
    let old = (rank: threads[thread].rank, weight: threads[thread].weight)
    guard rank != old.rank || weight != old.weight else { return }
    let queue = queue(of: thread)
    changePriority(of: thread, toRank: rank, weight: weight)
    let isLower = rank < old.rank || (rank == old.rank && weight < old.weight)
    priorityChanged(of: thread, in: queue, isLower: isLower)
  }

  /// Lets cores choose again after the priority of `thread` changed; its queue was that of the core `queue`
  /// (`prio_changed_fair`, `switched_to_fair`).
  private mutating func priorityChanged(
    of thread: ThreadIndex, in queue: CoreIndex, isLower: Bool
  ) {
    if threads[thread].state == .ready {
      checkPreemption(by: thread)
    } else if isLower, let core = cores.indices.first(where: { cores[$0].thread == thread }),
      shouldSwitch(core)
    {
      preempt(on: core)
    }
    // Their average has changed, and with it the instants at which running threads are no longer due.
    moveEvents(inQueueOf: queue)
  }
}
