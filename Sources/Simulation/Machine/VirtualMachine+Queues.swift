internal import FrameBudget

// Which fair thread is due a core: Linux's EEVDF (kernel/sched/fair.c, 6.18; the names in brackets are its functions).
//
// Each thread of a queue has a virtual time, which grows while it runs, the slower the more weight it has. One is *due* a core
// if it is not past the average of its queue, by weight. Each has a request of a slice; the virtual time at which that will
// have been served is its deadline. Of those that are due, the one with the earliest deadline gets the core, and keeps it up to
// that deadline, unless one wakes while it is not due itself. Who sleeps keeps its distance to the average, its lag; who has
// had too much stays in the queue, asleep, until it is due again.
extension VirtualMachine where Threads: ~Copyable {
  /// The core whose queue `thread` is in; with one queue for all, the first.
  @inline(__always)
  private func queue(of thread: ThreadIndex) -> CoreIndex {
    isPerCore ? threads[thread].home ?? 0 : 0
  }

  /// The weight of all in the queue of `core`, and by how much their virtual times are past `time`, times their weights.
  @inline(__always)
  private func sums(at core: CoreIndex, from time: Int64) -> (weight: Int64, lead: Int64) {
    var sums: (weight: Int64, lead: Int64) = (0, 0)
    for other in cores.indices where !isPerCore || other == core {
      guard let running = cores[other].thread, threads[running].rank == 0 else { continue }
      let weight = threads[running].weight
      sums.weight += weight
      sums.lead += weight * (currentVirtualTime(other) - time)
    }
    for thread in ready where threads[thread].rank == 0 && queue(of: thread) == core {
      sums.weight += threads[thread].weight
      sums.lead += threads[thread].weight * (threads[thread].virtualTime - time)
    }
    for thread in delayed where queue(of: thread) == core {
      sums.weight += threads[thread].weight
      sums.lead += threads[thread].weight * (threads[thread].virtualTime - time)
    }
    return sums
  }

  /// The average virtual time in the queue of `core` (`avg_vruntime`).
  mutating func average(at core: CoreIndex) -> Int64 {
    let time = cores[core].virtualTime
    let (weight, lead) = sums(at: core, from: time)
    if weight > 0 { cores[core].virtualTime = time + lead.dividedDown(by: weight) }
    return cores[core].virtualTime
  }

  /// Whether a thread at `time` is due the core (`entity_eligible`).
  @inline(__always)
  private func isDue(at core: CoreIndex, _ time: Int64) -> Bool {
    sums(at: core, from: time).lead >= 0
  }

  /// A slice of `thread`, in virtual time.
  @inline(__always)
  func request(of thread: ThreadIndex) -> Int64 { sharing.slice.nanoseconds * threads[thread].pace }

  /// Puts `thread`, which is in no queue, into that of its core, as far behind the average as it was (`place_entity`).
  mutating func place(_ thread: ThreadIndex) {
    guard threads[thread].rank == 0 else { return }
    let core = queue(of: thread)
    let time = average(at: core)
    let weight = sums(at: core, from: time).weight
    var lag: Int64 = 0
    // Its own coming moves the average towards it.
    if weight > 0 { lag = threads[thread].lag * (weight + threads[thread].weight) / weight }
    threads[thread].virtualTime = time - lag
    threads[thread].deadline = time - lag + request(of: thread)
  }

  /// Notes how far behind the average `thread` is, which is in a queue (`update_entity_lag`).
  mutating func noteLag(of thread: ThreadIndex) {
    let most = sharing.mostLag.nanoseconds * threads[thread].pace
    let lag = average(at: queue(of: thread)) - threads[thread].virtualTime
    threads[thread].lag = min(max(lag, -most), most)
  }

  /// The thread on `core` is about to sleep, or to end: if it has had more than its due, it stays in the queue.
  @inline(__always)
  mutating func leaveQueue(of core: CoreIndex) {
    let thread = cores[core].running
    threads[thread].ran = now
    guard threads[thread].rank == 0 else { return }
    if ready.isEmpty && delayed.isEmpty && (isPerCore || cores.count == 1) {
      cores[core].virtualTime = threads[thread].virtualTime
      threads[thread].lag = 0
      return
    }
    noteLag(of: thread)
    let isDue = isDue(at: queue(of: thread), threads[thread].virtualTime)
    if !isDue && threads[thread].state != .ended {
      threads[thread].isDelayed = true
      delayed.append(thread)
    }
  }

  /// A sleeping thread leaves its queue, which it is due again, or in which nobody else is left.
  private mutating func release(delayed thread: ThreadIndex) {
    guard let place = delayed.firstIndex(of: thread) else {
      preconditionFailure("one that is delayed")
    }
    noteLag(of: thread)
    threads[thread].lag = min(threads[thread].lag, 0)
    delayed.remove(at: place)
    threads[thread].isDelayed = false
  }

  /// `thread` wakes that is still in its queue (`requeue_delayed_entity`): there it stays.
  mutating func resume(delayed thread: ThreadIndex) {
    guard let place = delayed.firstIndex(of: thread) else {
      preconditionFailure("one that is delayed")
    }
    noteLag(of: thread)
    delayed.remove(at: place)
    threads[thread].isDelayed = false
    guard threads[thread].lag > 0 else { return }
    threads[thread].lag = 0
    self.place(thread)
  }

  /// Who comes next on `core`: the one there, if `keeping` it is an answer, or one that waits (`pick_eevdf`); nil for nobody.
  @inline(__always)
  mutating func next(on core: CoreIndex, keeping current: ThreadIndex?) -> ThreadIndex? {
    while true {
      guard let best = best(on: core, keeping: current) else { return nil }
      guard threads[best].isDelayed else { return best }
      release(delayed: best)
    }
  }

  @inline(__always)
  private func best(on core: CoreIndex, keeping current: ThreadIndex?) -> ThreadIndex? {
    let queue = isPerCore ? core : 0
    var best: ThreadIndex?
    var kept = current
    if let current {
      // One of a fixed priority keeps the core, unless a higher one waits.
      if threads[current].rank > 0 {
        best = current
      } else if !isDue(at: queue, currentVirtualTime(core)) {
        kept = nil
      } else if currentVirtualTime(core) < threads[current].protection {
        best = current
      }
    }
    let isProtected = best != nil
    var last: ThreadIndex?
    for thread in ready where isQueued(thread, on: core) {
      if threads[thread].rank > 0 {
        if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
      } else if !isProtected, best.map({ threads[$0].rank == 0 }) ?? true {
        if isDue(at: queue, threads[thread].virtualTime) {
          if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
        } else if last.map({ comesFirst(thread, $0) }) ?? true {
          last = thread
        }
      }
    }
    if isProtected || best.map({ threads[$0].rank > 0 }) ?? false { return best }
    for thread in delayed where isQueued(thread, on: core) {
      guard isDue(at: queue, threads[thread].virtualTime) else { continue }
      if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
    }
    if let kept {
      guard let best else { return kept }
      return threads[best].deadline <= threads[kept].deadline ? best : kept
    }
    // Where threads are kept on cores, those that are due may be others.
    return best ?? (current ?? last)
  }

  /// Whether `left` goes before `right`, both of them ready and, if fair, due.
  @inline(__always)
  private func comesFirst(_ left: ThreadIndex, _ right: ThreadIndex) -> Bool {
    let (left, right) = (threads[left], threads[right])
    if left.rank != right.rank { return left.rank > right.rank }
    if left.rank == 0 && left.deadline != right.deadline { return left.deadline < right.deadline }
    return left.order < right.order
  }

  /// When it is next decided whether the fair thread on `core` makes room for one that waits: at the end of its request; and
  /// where it got the core anew after that, as soon as it is not due any more.
  @inline(__always)
  func decision(on core: CoreIndex) -> Instant {
    let thread = threads[cores[core].running]
    let time = currentVirtualTime(core)
    if time < thread.protection {
      return now + TimeSpan(nanoseconds: (thread.protection - time + thread.pace - 1) / thread.pace)
    }
    let (weight, lead) = sums(at: isPerCore ? core : 0, from: time)
    let closing = (weight - thread.weight) * thread.pace
    let end = max(1, (thread.deadline - time + thread.pace - 1) / thread.pace)
    guard closing > 0 else { return now + TimeSpan(nanoseconds: end) }
    // With one queue all that are due may be running, on other cores.
    if lead < 0 { return now + TimeSpan(nanoseconds: isPerCore ? 1 : end) }
    return now + TimeSpan(nanoseconds: min(lead / closing + 1, end))
  }
}

extension Int64 {
  /// The quotient rounded down, also of negative numbers.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}

// A queue for each core: where a thread waits that finds none idle, and how it gets from one to another.
//
// What Linux does (kernel/sched/fair.c, 6.18: select_task_rq_fair, wake_affine, sched_balance_newidle, task_hot), in short: a
// thread that wakes goes to an idle core, rather to the one it ran on, then to its waker's. Where none is idle it stays with the
// one it ran on, unless less waits at its waker's (wake_affine_weight). There it waits for its turn, whatever happens on other
// cores, until one of them has nothing to do and looks. That its waker is about to sleep, only pipes and sockets tell (WF_SYNC),
// and hand-offs wake through a futex.
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

  /// Takes the thread at `place` of the ready ones to `core`; it stays as far behind the others there, or ahead of them.
  private mutating func transfer(at place: Int, to core: CoreIndex) -> ThreadIndex {
    if threads[ready[place]].rank == 0 { noteLag(of: ready[place]) }
    let thread = dequeue(at: place)
    let left = threads[thread].deadline - threads[thread].virtualTime
    threads[thread].home = core
    self.place(thread)
    threads[thread].deadline = threads[thread].virtualTime + left
    return thread
  }

  /// Gives an idle core something to do that waits elsewhere, or has it look again at the next tick.
  mutating func findWork(for core: CoreIndex) {
    guard !ready.isEmpty else { return }
    // The third look takes any (`nr_balance_failed`, `cache_nice_tries`).
    if let next = pull(to: core, warm: cores[core].failedLooks > 1) {
      return dispatch(next, on: core)
    }
    cores[core].failedLooks += 1
    lookAgain(on: core)
  }

  /// Lets an idle core look for work at the next tick, if any waits.
  @inline(__always)
  mutating func lookAgain(on core: CoreIndex) {
    guard cores[core].thread == nil, !ready.isEmpty else { return }
    let tick = sharing.tick.nanoseconds
    cores[core].event = moment(Instant(nanoseconds: (now.nanoseconds / tick + 1) * tick))
  }

  /// The same, of a core that has just become idle: it does not always look.
  mutating func findWorkAtOnce(for core: CoreIndex) {
    guard !ready.isEmpty else { return }
    let (chance, weight) = (cores[core].idleBalance.chance, cores[core].idleBalance.weight)
    var next: ThreadIndex?
    if throwDie() <= chance {
      next = pull(to: core)
      cores[core].idleBalance.note(
        calls: weight, successes: next == nil ? 0 : weight, at: now, tick: sharing.tick)
    } else {
      cores[core].idleBalance.note(successes: 0, at: now, tick: sharing.tick)
    }
    if let next { return dispatch(next, on: core) }
    lookAgain(on: core)
  }

  /// A number from 0 to 1023, as good as random and the same in each run.
  private mutating func throwDie() -> Int {
    die = die &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(die >> 54)
  }

  /// The thread that has waited longest in the longest queue, for a core that has nothing to do; but not one that ran so
  /// short a while ago that its core's caches still serve it.
  private mutating func pull(to core: CoreIndex, warm: Bool = false) -> ThreadIndex? {
    var best: Int?
    for place in ready.indices where mayRun(ready[place], on: core) {
      guard warm || isCold(ready[place]) else { continue }
      guard let chosen = best else {
        best = place
        continue
      }
      if isRatherPulled(ready[place], than: ready[chosen]) { best = place }
    }
    guard let best else { return nil }
    cores[core].failedLooks = 0
    return transfer(at: best, to: core)
  }

  /// Whether `thread` may leave its core (`task_hot`). One of a fixed priority always may.
  @inline(__always)
  private func isCold(_ thread: ThreadIndex) -> Bool {
    guard threads[thread].rank == 0, let ran = threads[thread].ran else { return true }
    return now - ran >= sharing.warm
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

  /// Sends a thread from the queue of `core` to the busy core that is wanted least, if that one is still wanted less with it
  /// than this one was.
  mutating func evenOut(_ core: CoreIndex) {
    guard cores[core].queued > 0, now - cores[core].evenedOut >= sharing.evenOutEvery else {
      return
    }
    cores[core].evenedOut = now
    let whole = load(of: core)
    var best: (place: Int, core: CoreIndex, load: Int64)?
    for place in ready.indices where threads[ready[place]].home == core {
      let thread = ready[place]
      guard threads[thread].rank == 0 else { continue }
      for other in cores.indices where other != core && mayRun(thread, on: other) {
        // An idle core looks for threads itself.
        guard cores[other].thread != nil else { continue }
        let load = load(of: other)
        guard load + threads[thread].weight < whole else { continue }
        if let best {
          let isOlder = threads[thread].order < threads[ready[best.place]].order
          guard load < best.load || (load == best.load && isOlder) else { continue }
        }
        best = (place, other, load)
      }
    }
    guard let best else { return }
    noteReady(ready[best.place])
    let thread = transfer(at: best.place, to: best.core)
    beginWaiting(thread)
    enqueue(thread)
    reconsider(thread)
    limitSlices(for: thread)
  }

  /// The virtual time of `thread` as it would be at the core of `other`.
  mutating func virtualTime(of thread: ThreadIndex, beside other: ThreadIndex) -> Int64 {
    let time = threads[thread].virtualTime
    guard isPerCore, let home = threads[thread].home, let core = threads[other].home, home != core
    else { return time }
    return time - average(at: home) + average(at: core)
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
