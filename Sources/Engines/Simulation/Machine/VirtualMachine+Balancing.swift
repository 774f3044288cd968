internal import FrameBudget

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

  /// The recent share of time for which `thread`, which is fair, was in a queue, in 2^20ths.
  @inline(__always)
  private mutating func recentShare(of thread: ThreadIndex) -> Int64 {
    threads[thread].load.value(at: now, period: sharing.loadPeriod)
  }

  /// Its weight times its recent share of time in a queue (`task_h_load`).
  @inline(__always)
  private mutating func averageLoad(of thread: ThreadIndex) -> Int64 {
    threads[thread].weight * recentShare(of: thread)
  }

  /// Whether `thread` is fair, has not ended, and last ran or waited at `core`.
  @inline(__always)
  private func hasLoad(_ thread: ThreadIndex, at core: CoreIndex) -> Bool {
    threads[thread].home == core && threads[thread].rank == 0 && threads[thread].state != .ended
  }

  /// The total load of the fair threads that last ran or waited at `core`, but `thread` (`cpu_load`).
  private mutating func averageLoad(
    of core: CoreIndex, without thread: ThreadIndex? = nil
  ) -> Int64 {
    var load: Int64 = 0
    for other in threads.indices where other != thread && hasLoad(other, at: core) {
      load += averageLoad(of: other)
    }
    return load
  }

  /// Brings the recent utilisation of all cores up to date, at most once a tick.
  mutating func updateUtilisation() {
    let span = now - utilisationUpdated
    guard span >= sharing.tick else { return }
    utilisationUpdated = now
    // A tick is an eighth of the 32 ms in which half of the average decays.
    let steps = min(span.nanoseconds / sharing.tick.nanoseconds, 64)
    for core in cores.indices {
      let running = cores[core].thread == nil ? .zero : now - cores[core].accounted
      cores[core].utilisation.update(after: span, running: running, steps: steps)
    }
  }

  /// Whether the threads of `core` want more than it has (`group_is_overloaded`).
  private mutating func isCrowded(_ core: CoreIndex) -> Bool {
    // 1.17 is `imbalance_pct`.
    if cores[core].utilisation.share * 117 > 100_000 { return true }
    var shares: Int64 = 0
    for thread in threads.indices where hasLoad(thread, at: core) {
      shares += recentShare(of: thread)
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

  /// Migrates the ready thread at `index` to `core`. It keeps its lag and the rest of its request.
  private mutating func transfer(at index: Int, to core: CoreIndex) -> ThreadIndex {
    // Up to now it has waited for the core that it leaves.
    accountWait(of: ready[index])
    if threads[ready[index]].rank == 0 { keepRequest(of: ready[index]) }
    let thread = dequeue(at: index)
    let home = queue(of: thread)
    threads[thread].home = core
    place(thread)
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
    for index in ready.indices where mayRun(ready[index], on: core) {
      guard warm || isCacheCold(ready[index]) else { continue }
      guard let chosen = best else {
        best = index
        continue
      }
      if isPulledBefore(ready[index], ready[chosen]) { best = index }
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

  /// Ends the busy time of `core`, which is then idle until the given instant, while no thread waits.
  @inline(__always)
  mutating func endBusyTime(of core: CoreIndex, idleUntil end: Instant) {
    countBusyBalances(of: core)
    cores[core].busyBalance.endIdle(since: tick(at: now), now: tick(at: end))
    balance = .never
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
        let index = ready.firstIndex(of: thread)
      else { continue }
      imbalance -= load
      cores[core].failedBalances = 0
      _ = transfer(at: index, to: core)
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
