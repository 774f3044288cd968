internal import FrameBudget

// Chooses the fair thread that runs next: Linux's EEVDF (kernel/sched/fair.c, 6.18; its function names are in parentheses).
//
// Each thread in a run queue has a virtual time. It grows while the thread runs, more slowly with a higher weight. A thread
// is *due* (eligible) if its virtual time is not past the weighted average of its queue. Each thread requests a slice; its
// deadline is the virtual time at which that request will have been served. The due thread with the earliest deadline gets
// the core. It keeps the core up to that deadline, unless another thread wakes while it is not due itself. A sleeping
// thread keeps its distance from the average, its lag. If a thread has had more than its share when it goes to sleep, it
// stays in the queue until it is due again.
extension VirtualMachine where Threads: ~Copyable {
  /// The core whose queue contains `thread`; the first core if all cores share one queue.
  @inline(__always)
  func queue(of thread: ThreadIndex) -> CoreIndex {
    isPerCore ? threads[thread].home ?? 0 : 0
  }

  /// The total weight of the threads in the queue of `core`, and the weighted sum of their distances past `time`.
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

  /// The average virtual time in the queue of `core` (`avg_vruntime`) and the total weight there, without `thread`, which is
  /// in that queue, if it is not nil.
  mutating func average(
    at core: CoreIndex, without thread: ThreadIndex? = nil
  ) -> (time: Int64, weight: Int64) {
    let time = cores[core].virtualTime
    var (weight, lead) = sums(at: core, from: time)
    if let thread {
      weight -= threads[thread].weight
      lead -= threads[thread].weight * (threads[thread].virtualTime - time)
    }
    if weight > 0 { cores[core].virtualTime = time + lead.dividedDown(by: weight) }
    return (cores[core].virtualTime, weight)
  }

  /// The length of a slice of `thread`, in virtual time.
  @inline(__always)
  func request(of thread: ThreadIndex) -> Int64 { sharing.slice.nanoseconds * threads[thread].pace }

  /// Whether `thread` counts in a queue of fair threads.
  @inline(__always)
  func isInFairQueue(_ thread: ThreadIndex) -> Bool {
    guard threads[thread].rank == 0 else { return false }
    return threads[thread].isDelayed || isRunnable(thread)
  }

  /// Whether `thread` waits for a core or has one. One that is about to sleep still has it.
  @inline(__always)
  private func isRunnable(_ thread: ThreadIndex) -> Bool {
    threads[thread].state == .ready || cores.contains { $0.thread == thread }
  }

  /// Places `thread`, which is in no queue, into the queue of its core with the lag that it had (`place_entity`).
  @inline(__always)
  mutating func place(_ thread: ThreadIndex) {
    guard threads[thread].rank == 0 else { return }
    place(thread, beside: average(at: queue(of: thread)))
  }

  /// Places `thread` into a queue whose other threads have this average and total weight.
  @inline(__always)
  private mutating func place(_ thread: ThreadIndex, beside others: (time: Int64, weight: Int64)) {
    var lag: Int64 = 0
    // Compensates for the shift of the average that the thread itself causes.
    if others.weight > 0 {
      lag = threads[thread].lag * (others.weight + threads[thread].weight) / others.weight
    }
    let request = threads[thread].keptRequest ?? request(of: thread)
    threads[thread].keptRequest = nil
    threads[thread].virtualTime = others.time - lag
    threads[thread].deadline = threads[thread].virtualTime + request
  }

  /// Records the lag of `thread`, which is in a queue (`update_entity_lag`).
  mutating func updateLag(of thread: ThreadIndex) {
    let most = sharing.mostLag.nanoseconds * threads[thread].pace
    let lag = average(at: queue(of: thread)).time - threads[thread].virtualTime
    threads[thread].lag = min(max(lag, -most), most)
  }

  /// Records the lag of `thread`, which is in a queue, and what is left of its request, before it is placed anew.
  private mutating func keepRequest(of thread: ThreadIndex) {
    updateLag(of: thread)
    threads[thread].keptRequest = threads[thread].deadline - threads[thread].virtualTime
  }

  /// Sets the rank and weight of `thread`. A thread that waits or runs leaves its queue and is placed anew, with its lag and
  /// what is left of its request (`rt_mutex_setprio`, `set_user_nice`, `reweight_entity`).
  mutating func changePriority(of thread: ThreadIndex, toRank rank: Int, weight: Int64) {
    if threads[thread].isDelayed && rank > 0 { release(delayed: thread) }
    var others: (time: Int64, weight: Int64)?
    if isInFairQueue(thread) {
      keepRequest(of: thread)
      others = average(at: queue(of: thread), without: thread)
    } else if rank == 0 && isRunnable(thread) {
      others = average(at: queue(of: thread))
    }
    threads[thread].rank = rank
    threads[thread].setWeight(weight)
    guard let others, rank == 0 else { return }
    place(thread, beside: others)
    threads[thread].protection = threads[thread].deadline
  }

  /// Takes the thread on `core` out of its queue before it sleeps or ends. A thread that sleeps and has had more than its
  /// share stays in the queue.
  @inline(__always)
  mutating func leaveQueue(of core: CoreIndex) {
    let thread = cores[core].running
    threads[thread].ran = now
    guard threads[thread].rank == 0 else { return endLoad(of: thread) }
    if ready.isEmpty && delayed.isEmpty && (isPerCore || cores.count == 1) {
      cores[core].virtualTime = threads[thread].virtualTime
      threads[thread].lag = 0
      endLoad(of: thread)
      return
    }
    updateLag(of: thread)
    // Behind the average, or at it, it is due.
    if threads[thread].lag < 0 && threads[thread].state != .ended {
      threads[thread].isDelayed = true
      delayed.append(thread)
    } else {
      endLoad(of: thread)
    }
  }

  @inline(__always)
  private mutating func endLoad(of thread: ThreadIndex) {
    if hasLoads { threads[thread].load.leaveQueue(at: now, period: sharing.loadPeriod) }
  }

  /// Takes a sleeping thread out of its queue: it is due again.
  private mutating func release(delayed thread: ThreadIndex) {
    guard let place = delayed.firstIndex(of: thread) else {
      preconditionFailure("one that is delayed")
    }
    updateLag(of: thread)
    threads[thread].lag = min(threads[thread].lag, 0)
    delayed.remove(at: place)
    threads[thread].isDelayed = false
    endLoad(of: thread)
  }

  /// Wakes `thread`, which still counts in its queue and stays there (`requeue_delayed_entity`).
  mutating func resume(delayed thread: ThreadIndex) {
    guard let place = delayed.firstIndex(of: thread) else {
      preconditionFailure("one that is delayed")
    }
    updateLag(of: thread)
    delayed.remove(at: place)
    threads[thread].isDelayed = false
    guard threads[thread].lag > 0 else { return }
    threads[thread].lag = 0
    self.place(thread)
  }

  /// The thread that runs next on `core` (`pick_eevdf`): `current`, if it is not nil, or a waiting thread; nil if there is
  /// none.
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
    // Whether a thread is due (`entity_eligible`), from sums taken once: there may be hundreds of threads.
    let reference = cores[queue].virtualTime
    let (weight, lead) = sums(at: queue, from: reference)
    func isDue(_ time: Int64) -> Bool { lead >= weight * (time - reference) }
    var best: ThreadIndex?
    var kept = current
    if let current {
      // A thread of fixed priority keeps the core unless a thread of higher priority waits.
      if threads[current].rank > 0 {
        best = current
      } else if !isDue(currentVirtualTime(core)) {
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
        if isDue(threads[thread].virtualTime) {
          if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
        } else if last.map({ comesFirst(thread, $0) }) ?? true {
          last = thread
        }
      }
    }
    if isProtected || best.map({ threads[$0].rank > 0 }) ?? false { return best }
    for thread in delayed where isQueued(thread, on: core) {
      guard isDue(threads[thread].virtualTime) else { continue }
      if best.map({ comesFirst(thread, $0) }) ?? true { best = thread }
    }
    if let kept {
      guard let best else { return kept }
      return threads[best].deadline <= currentDeadline(core) ? best : kept
    }
    // With a shared queue or restricted threads, the threads that are due may be on other cores.
    return best ?? (current ?? last)
  }

  /// Whether `left` runs before `right`. Both are ready and, if fair, due.
  @inline(__always)
  private func comesFirst(_ left: ThreadIndex, _ right: ThreadIndex) -> Bool {
    let (left, right) = (threads[left], threads[right])
    if left.rank != right.rank { return left.rank > right.rank }
    if left.rank == 0 && left.deadline != right.deadline { return left.deadline < right.deadline }
    return left.order < right.order
  }

  /// When to decide next whether the fair thread on `core` yields to a waiting one: at the end of its request; or, if it
  /// kept the core after that, as soon as it is no longer due.
  @inline(__always)
  func decision(on core: CoreIndex) -> Instant {
    let thread = threads[cores[core].running]
    let time = currentVirtualTime(core)
    if time < thread.protection {
      return now + TimeSpan(nanoseconds: (thread.protection - time + thread.pace - 1) / thread.pace)
    }
    let (weight, lead) = sums(at: isPerCore ? core : 0, from: time)
    let closing = (weight - thread.weight) * thread.pace
    let end = (currentDeadline(core) - time + thread.pace - 1) / thread.pace
    guard closing > 0 else { return now + TimeSpan(nanoseconds: end) }
    // With a shared queue, all threads that are due may be running on other cores.
    if lead < 0 { return now + TimeSpan(nanoseconds: isPerCore ? 1 : end) }
    return now + TimeSpan(nanoseconds: min(lead / closing + 1, end))
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}

// A run queue for each core: where a thread waits if no core is idle, and how it migrates.
//
// Linux, in short (kernel/sched/fair.c, 6.18: select_task_rq_fair, wake_affine, sched_balance_newidle, task_hot): a waking
// thread goes to an idle core, preferably the one that it ran on, then its waker's. If none is idle, it stays with the core
// that it ran on, unless its waker's core has a lower load (wake_affine_weight). It waits in that core's queue until its
// turn comes or an idle core pulls it. Only pipes and sockets tell the scheduler that the waker is about to sleep
// (WF_SYNC); hand-offs wake through a futex, which does not.
extension VirtualMachine where Threads: ~Copyable {
  /// The core in whose queue `thread` waits if it has found no idle core.
  @inline(__always)
  mutating func queue(for thread: ThreadIndex) -> CoreIndex {
    guard let home = threads[thread].home, mayRun(thread, on: home) else {
      return leastLoaded(for: thread)
    }
    guard let waker = threads[thread].waker, waker != home, mayRun(thread, on: waker) else {
      return home
    }
    let own = threads[thread].rank == 0 ? averageLoad(of: thread) : 0
    let atHome = averageLoad(of: home, without: thread)
    return 100 * (averageLoad(of: waker, without: thread) + own) < 108 * atHome ? waker : home
  }

  /// The weight of `thread`, which is fair, times its recent share of time in a queue, in 2^20ths (`task_h_load`).
  private mutating func averageLoad(of thread: ThreadIndex) -> Int64 {
    threads[thread].weight * threads[thread].load.value(at: now, period: sharing.loadPeriod)
  }

  /// The total load of the fair threads that last ran or waited at `core`, but `thread` (`cpu_load`).
  private mutating func averageLoad(
    of core: CoreIndex, without thread: ThreadIndex? = nil
  ) -> Int64 {
    var load: Int64 = 0
    for other in threads.indices where threads[other].home == core && other != thread {
      guard threads[other].rank == 0, threads[other].state != .ended else { continue }
      load += averageLoad(of: other)
    }
    return load
  }

  /// Whether the threads of `core` want more than it has (`group_is_overloaded`).
  private mutating func isCrowded(_ core: CoreIndex) -> Bool {
    // 1.17 is `imbalance_pct`.
    if cores[core].utilisation.share * 117 > 100_000 { return true }
    var shares: Int64 = 0
    for thread in threads.indices where threads[thread].home == core {
      guard threads[thread].rank == 0, threads[thread].state != .ended else { continue }
      shares += threads[thread].load.value(at: now, period: sharing.loadPeriod)
    }
    return shares * 100 > LoadAverage.full * 117
  }

  /// The core for a thread that has not run yet.
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

  /// The load of a core: the total weight of its running thread and the ready threads in its queue.
  @inline(__always)
  private func load(of core: CoreIndex) -> Int64 {
    var load = cores[core].thread.map { threads[$0].weight } ?? 0
    for thread in ready where threads[thread].home == core { load += threads[thread].weight }
    return load
  }

  /// Migrates the ready thread at `place` to `core`. It keeps its lag and the rest of its request.
  private mutating func transfer(at place: Int, to core: CoreIndex) -> ThreadIndex {
    // Up to now it has waited for the core that it leaves.
    accountWait(of: ready[place])
    if threads[ready[place]].rank == 0 { keepRequest(of: ready[place]) }
    let thread = dequeue(at: place)
    let home = queue(of: thread)
    threads[thread].home = core
    self.place(thread)
    moveEvent(on: home)
    beginWaiting(thread)
    return thread
  }

  /// Migrates a waiting thread to the idle core `core`, or schedules another search at the next tick.
  mutating func balanceIdle(_ core: CoreIndex) {
    guard !ready.isEmpty else { return }
    // The third search takes cache-hot threads too (`nr_balance_failed`, `cache_nice_tries`).
    if let next = pull(to: core, warm: cores[core].failedBalances > 1) {
      return dispatch(next, on: core)
    }
    cores[core].failedBalances += 1
    cores[core].busyBalance.isBalanced = false
    scheduleBalance(on: core)
  }

  /// Schedules a search for work at the next tick if `core` is idle and a thread is ready.
  @inline(__always)
  mutating func scheduleBalance(on core: CoreIndex) {
    guard cores[core].thread == nil, !ready.isEmpty else { return }
    let tick = sharing.tick.nanoseconds
    cores[core].event = moment(Instant(nanoseconds: (now.nanoseconds / tick + 1) * tick))
  }

  /// Searches for work on a core that has just become idle, with the probability that `IdleBalance` gives.
  mutating func balanceNewlyIdle(_ core: CoreIndex) {
    if hasSeveralQueues { countBusyBalances(of: core) }
    cores[core].idleTime.begin(at: now)
    guard !ready.isEmpty else { return }
    var next: ThreadIndex?
    if cores[core].idleTime.allows(search: sharing.warm),
      cores[core].idleBalance.searches(nextRandomNumber())
    {
      next = pull(to: core)
      cores[core].idleBalance.note(found: next != nil)
    }
    if let next {
      cores[core].idleTime.forget()
      return dispatch(next, on: core)
    }
    scheduleBalance(on: core)
  }

  /// A pseudo-random number from 0 to 1023; the sequence is the same in each run.
  private mutating func nextRandomNumber() -> Int {
    randomState = randomState &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(randomState >> 54)
  }

  /// Pulls the thread that has waited longest in the longest queue to the idle core `core`. Skips cache-hot threads unless
  /// `warm` is true.
  private mutating func pull(to core: CoreIndex, warm: Bool = false) -> ThreadIndex? {
    var best: Int?
    for place in ready.indices where mayRun(ready[place], on: core) {
      guard warm || isCacheCold(ready[place]) else { continue }
      guard let chosen = best else {
        best = place
        continue
      }
      if isPulledBefore(ready[place], ready[chosen]) { best = place }
    }
    guard let best else { return nil }
    cores[core].failedBalances = 0
    return transfer(at: best, to: core)
  }

  /// Whether `thread` is not cache-hot and may migrate (`task_hot`). A thread of fixed priority always may.
  @inline(__always)
  private func isCacheCold(_ thread: ThreadIndex) -> Bool {
    guard threads[thread].rank == 0, let ran = threads[thread].ran else { return true }
    return now - ran >= sharing.warm
  }

  @inline(__always)
  private func isPulledBefore(_ thread: ThreadIndex, _ other: ThreadIndex) -> Bool {
    let (home, otherHome) = (threads[thread].home, threads[other].home)
    if let home, let otherHome, home != otherHome {
      let (length, otherLength) = (cores[home].queued, cores[otherHome].queued)
      return length == otherLength ? home < otherHome : length > otherLength
    }
    return threads[thread].order < threads[other].order
  }

  /// The number of the last tick up to `time`.
  @inline(__always)
  func tick(at time: Instant) -> Int64 { time.nanoseconds / sharing.tick.nanoseconds }

  /// Counts the searches of `core` while it was busy and no thread waited: each found the cores balanced.
  @inline(__always)
  private mutating func countBusyBalances(of core: CoreIndex) {
    if cores[core].busyBalance.countSearches(upTo: tick(at: now), cores: cores.count) {
      cores[core].failedBalances = 0
    }
  }

  /// Schedules the next tick at which a busy core searches the other queues, if a thread waits.
  mutating func scheduleBusyBalance() {
    balance = .never
    guard !ready.isEmpty else { return }
    var first = Int64.max
    for core in cores.indices where cores[core].thread != nil {
      countBusyBalances(of: core)
      first = min(first, cores[core].busyBalance.due(cores: cores.count))
    }
    guard first < .max else { return }
    balance = moment(Instant(nanoseconds: first * sharing.tick.nanoseconds))
  }

  /// Lets each busy core for which it is time search the other queues.
  mutating func balanceBusyCores() {
    let tick = tick(at: now)
    for core in cores.indices where cores[core].thread != nil {
      guard cores[core].busyBalance.due(cores: cores.count) <= tick else { continue }
      cores[core].busyBalance.last = tick
      balanceBusy(core)
    }
    scheduleBusyBalance()
  }

  /// Pulls threads to the busy core `core` from the crowded core with the highest load (`sched_balance_find_src_group`,
  /// `calculate_imbalance`, `detach_tasks`).
  private mutating func balanceBusy(_ core: CoreIndex) {
    guard let (source, most) = busiest(for: core) else {
      cores[core].busyBalance.isBalanced = true
      cores[core].failedBalances = 0
      return
    }
    cores[core].busyBalance.isBalanced = false
    let failed = cores[core].failedBalances
    cores[core].failedBalances += 1
    var imbalance = most
    let waiting = ready.filter {
      threads[$0].home == source && threads[$0].rank == 0 && mayRun($0, on: core)
    }.sorted { threads[$0].order < threads[$1].order }
    for thread in waiting where imbalance > 0 && (failed > 1 || isCacheCold(thread)) {
      let load = averageLoad(of: thread)
      guard load >> Int64(min(failed, 40)) <= imbalance,
        let place = ready.firstIndex(of: thread)
      else { continue }
      imbalance -= load
      cores[core].failedBalances = 0
      _ = transfer(at: place, to: core)
      enqueue(thread)
      checkPreemption(by: thread)
      limitSlices(for: thread)
    }
  }

  /// The core from which the busy core `core` pulls threads, and how much load; nil if the cores are balanced.
  private mutating func busiest(for core: CoreIndex) -> (core: CoreIndex, imbalance: Int64)? {
    guard !ready.isEmpty else { return nil }
    updateUtilisation()
    guard isCrowded(core) else { return nil }
    let own = averageLoad(of: core)
    var whole: Int64 = 0
    var busiest: (core: CoreIndex, load: Int64)?
    for other in cores.indices {
      let load = averageLoad(of: other)
      whole += load
      guard other != core, cores[other].thread != nil, cores[other].queued > 0, isCrowded(other)
      else { continue }
      if load > busiest?.load ?? 0 { busiest = (other, load) }
    }
    let mean = whole / Int64(cores.count)
    guard let busiest, own < busiest.load, own < mean,
      cores[core].queued == 0 || 100 * busiest.load > 117 * own
    else { return nil }
    return (busiest.core, min(busiest.load - mean, mean - own))
  }

  /// The virtual time of `thread`, converted to the queue of the core of `other`.
  mutating func virtualTime(of thread: ThreadIndex, beside other: ThreadIndex) -> Int64 {
    let time = threads[thread].virtualTime
    guard isPerCore, let home = threads[thread].home, let core = threads[other].home, home != core
    else { return time }
    return time - average(at: home).time + average(at: core).time
  }

  // MARK: Other processes

  /// Whether `thread` belongs to another process.
  @inline(__always)
  func isOthers(_ thread: ThreadIndex) -> Bool { thread >= firstOthers }

  /// How long other processes have run, up to now, on the core that `thread` waits for. If it waits for any core, the mean
  /// over all cores.
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
