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
        threads[heir].virtualTime = min(
          threads[heir].virtualTime, virtualTime(of: waiter, beside: heir))
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

// A queue for each core: where a thread waits that finds none idle, and how it gets from one to another.
//
// What Linux does (kernel/sched/fair.c, 6.6: select_task_rq_fair, wake_affine, newidle_balance), in short: a thread that
// wakes goes to an idle core, rather to the one it ran on, then to its waker's. Where none is idle it stays with the one it
// ran on, unless less waits at its waker's (wake_affine_weight). There it waits for its turn, whatever happens on other
// cores, until one of them has nothing to do. That its waker is about to sleep, only pipes and sockets tell (WF_SYNC), and
// hand-offs wake through a futex.
extension VirtualMachine where Threads: ~Copyable {
  /// The core at which `thread` waits that has found none idle.
  @inline(__always)
  func queue(for thread: ThreadIndex) -> CoreIndex {
    guard let home = threads[thread].home, mayRun(thread, on: home) else {
      return leastLoaded(for: thread)
    }
    guard let waker = threads[thread].waker, waker != home, mayRun(thread, on: waker) else {
      return home
    }
    return load(of: waker) < load(of: home) ? waker : home
  }

  /// Where a thread begins that has not run yet.
  @inline(__always)
  private func leastLoaded(for thread: ThreadIndex) -> CoreIndex {
    var best: CoreIndex?
    for core in cores.indices where mayRun(thread, on: core) {
      guard let chosen = best else {
        best = core
        continue
      }
      if load(of: core) < load(of: chosen) { best = core }
    }
    guard let best else { preconditionFailure("a core on which the thread may run") }
    return best
  }

  /// By how much weight of threads that run there or wait a core is wanted.
  @inline(__always)
  private func load(of core: CoreIndex) -> Int64 {
    var load = cores[core].thread.map { threads[$0].weight } ?? 0
    for thread in ready where threads[thread].home == core { load += threads[thread].weight }
    return load
  }

  /// From now on `thread` is one of `core`'s; how far it is ahead of the others there, or behind, stays.
  mutating func move(_ thread: ThreadIndex, to core: CoreIndex) {
    threads[thread].waker = nil
    if threads[thread].home == core { return }
    if let home = threads[thread].home {
      updateLeast(on: home)
      updateLeast(on: core)
      threads[thread].virtualTime +=
        cores[core].leastVirtualTime - cores[home].leastVirtualTime
    }
    threads[thread].home = core
  }

  /// The thread that has waited longest in the longest queue, for a core that has nothing to do.
  mutating func pull(to core: CoreIndex) -> ThreadIndex? {
    var best: Int?
    for place in ready.indices where mayRun(ready[place], on: core) {
      guard let chosen = best else {
        best = place
        continue
      }
      if isRatherPulled(ready[place], than: ready[chosen]) { best = place }
    }
    return best.map { dequeue(at: $0) }
  }

  @inline(__always)
  private func isRatherPulled(_ thread: ThreadIndex, than other: ThreadIndex) -> Bool {
    let (home, otherHome) = (threads[thread].home, threads[other].home)
    if let home, let otherHome, home != otherHome {
      let (length, otherLength) = (cores[home].queued, cores[otherHome].queued)
      return length == otherLength ? home < otherHome : length > otherLength
    }
    return threads[thread].order < threads[other].order
  }

  /// Sends a thread from the queue of `core` to the core that is wanted least, if that one is still wanted less with it than
  /// this one was.
  mutating func evenOut(_ core: CoreIndex) {
    guard cores[core].queued > 0 else { return }
    let whole = load(of: core)
    var best: (place: Int, core: CoreIndex, load: Int64)?
    for place in ready.indices where threads[ready[place]].home == core {
      let thread = ready[place]
      guard threads[thread].rank == 0 else { continue }
      for other in cores.indices where other != core && mayRun(thread, on: other) {
        let load = load(of: other)
        guard load + threads[thread].weight < whole else { continue }
        if let best {
          let isOlder = threads[thread].order < threads[ready[best.place]].order
          guard load < best.load || (load == best.load && isOlder) else { continue }
        }
        best = (place, other, load)
      }
    }
    if let best { send(dequeue(at: best.place), to: best.core) }
  }

  private mutating func send(_ thread: ThreadIndex, to core: CoreIndex) {
    noteReady(thread)
    move(thread, to: core)
    beginWaiting(thread)
    enqueue(thread)
    limitSlices(for: thread)
  }

  /// The least virtual time there has been among the threads of `core`, which never decreases.
  mutating func updateLeast(on core: CoreIndex) {
    var least = Int64.max
    if let running = cores[core].thread, threads[running].rank == 0 {
      least = currentVirtualTime(core)
    }
    for waiting in ready where threads[waiting].home == core && threads[waiting].rank == 0 {
      least = min(least, threads[waiting].virtualTime)
    }
    if least != .max { cores[core].leastVirtualTime = max(cores[core].leastVirtualTime, least) }
  }

  /// The virtual time of `thread` as it would be at the core of `other`.
  mutating func virtualTime(of thread: ThreadIndex, beside other: ThreadIndex) -> Int64 {
    let time = threads[thread].virtualTime
    guard isPerCore, let home = threads[thread].home, let core = threads[other].home, home != core
    else { return time }
    updateLeast(on: home)
    updateLeast(on: core)
    return time - cores[home].leastVirtualTime + cores[core].leastVirtualTime
  }

  // MARK: Other processes

  /// Whether `thread` is one of another process.
  @inline(__always)
  func isOthers(_ thread: ThreadIndex) -> Bool { thread >= firstOthers }

  /// For how long, up to now, other processes have had what `thread` waits for: its core, or, where it waits for any, a
  /// share of all that they had of each.
  func othersTime(before thread: ThreadIndex) -> TimeSpan {
    if isPerCore { return threads[thread].home.map { othersTime(on: $0) } ?? .zero }
    let all = cores.indices.reduce(TimeSpan.zero) { $0 + othersTime(on: $1) }
    return TimeSpan(nanoseconds: all.nanoseconds / Int64(cores.count))
  }

  private func othersTime(on core: CoreIndex) -> TimeSpan {
    guard let thread = cores[core].thread, isOthers(thread) else { return cores[core].othersRan }
    return cores[core].othersRan + (now - cores[core].accounted)
  }
}
