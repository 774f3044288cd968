internal import FrameBudget

/// Cores, threads, locks and event queues in virtual time.
///
/// A discrete-event simulation: the clock jumps from one event to the next. Events at the same instant happen in the order
/// in which they were scheduled, so a run gives the same result on every host.
struct VirtualMachine<Threads: VirtualThreads & ~Copyable>: ~Copyable {
  var program: Threads
  private(set) var now: Instant
  /// The number of operations that threads have started so far.
  private(set) var operations = 0
  var contextSwitches = 0
  var threads: ThreadTable<VirtualThread>
  var cores: OwnedTable<Core, Core>
  var locks: LockTable
  var queues: OwnedTable<Lane, VirtualQueue>
  var timers: TimerHeap
  /// When thread 0 wakes from an interruptible sleep; `never` while it is in none.
  var alarm = Moment.never
  /// When the program is called back next; `never` if it has not requested that.
  private var callBack = Moment.never
  /// When a busy core searches other queues next; `never` while no thread waits.
  var balance = Moment.never
  /// The ready threads: they could run and have no core.
  var ready: ContiguousArray<ThreadIndex> = []
  /// Sleeping threads that still count in their queues (delayed dequeue).
  var delayed: ContiguousArray<ThreadIndex> = []
  /// The state of the pseudo-random number generator.
  var randomState: UInt64 = 0
  /// When the recent utilisation of all cores was last updated.
  var utilisationUpdated = Instant.zero
  /// The core whose thread is being asked for its next operation.
  var asking: CoreIndex?
  private var insertions: UInt64 = 0
  /// The limit of the current `advance`.
  private var limit = Instant.zero
  let sharing: FairShare
  let contextSwitch: TimeSpan
  /// Whether each core has a run queue of its own.
  let isPerCore: Bool
  /// Whether, in addition, there are several.
  let hasSeveralQueues: Bool
  /// Whether, in addition, loads can decide where a thread waits: two cores run others.
  let hasLoads: Bool
  /// Whether a waking thread searches only some of the cores for an idle one; not where core speeds differ.
  let isScanned: Bool
  /// Whether every thread may run on every core.
  let isUnbound: Bool
  /// Whether, in addition, all cores share one run queue.
  let isUniform: Bool
  /// The first thread of other processes, which come last; and whether there are any.
  let firstOthers: ThreadIndex
  let hasOthers: Bool

  /// `others` is the number of threads of other processes, the last ones of `requests`.
  init(
    _ program: consuming Threads, threads requests: [ThreadRequest], speeds: [Int],
    locks: [VirtualLock] = [], queues: [VirtualQueue] = [], sharing: FairShare,
    contextSwitch: TimeSpan = .zero, start: Instant = .zero,
    scheduler: Machine.Scheduler = .global, others: Int = 0
  ) {
    precondition(!speeds.isEmpty, "a machine has a core")
    let requests = requests.map { $0.fitting(cores: speeds.count) }
    let isUnbound = requests.allSatisfy { $0.cores == .all }
    self.program = program
    now = start
    isPerCore = scheduler == .perCore
    hasSeveralQueues = scheduler == .perCore && speeds.count > 1
    hasLoads = hasSeveralQueues && requests.count > 2
    isScanned = scheduler == .perCore && Set(speeds).count == 1
    self.isUnbound = isUnbound
    isUniform = isUnbound && scheduler == .global
    firstOthers = ThreadIndex(requests.count - others)
    hasOthers = others > 0
    threads = OwnedTable(requests.map(VirtualThread.init))
    cores = OwnedTable(speeds.map(Core.init))
    self.locks = OwnedTable(locks)
    self.queues = OwnedTable(queues)
    timers = TimerHeap(capacity: requests.count)
    ready.reserveCapacity(requests.count)
    self.sharing = sharing
    self.contextSwitch = contextSwitch
    for index in requests.indices where requests[index].runs { makeReady(ThreadIndex(index)) }
  }

  /// Processes all events up to `limit` and sets the clock to `limit`.
  mutating func advance(to limit: Instant) {
    self.limit = limit
    while true {
      var first = timers.first
      var core: CoreIndex?
      for index in cores.indices where cores[index].event < first {
        first = cores[index].event
        core = index
      }
      if balance < first && balance < alarm && balance < callBack {
        if balance.at > limit { break }
        now = balance.at
        balanceBusyCores()
        continue
      }
      if callBack < first && callBack < alarm {
        if callBack.at > limit { break }
        now = callBack.at
        callBackIsDue()
        continue
      }
      if alarm < first {
        if alarm.at > limit { break }
        now = alarm.at
        endInterruptibleSleep()
        continue
      }
      if first.at > limit { break }
      now = first.at
      if let core { eventIsDue(on: core) } else { makeReady(timers.popFirst()) }
    }
    now = max(now, limit)
  }

  /// Brings the accounts of running and ready threads up to now.
  mutating func updateAccounts() {
    for core in cores.indices where cores[core].thread != nil { account(core) }
    for thread in threads.indices where threads[thread].state == .ready {
      accountWait(of: thread)
      beginWaiting(thread)
    }
  }

  /// Resets the accounts, for example after the warm-up.
  mutating func resetAccounts() {
    updateAccounts()
    operations = 0
    contextSwitches = 0
    for thread in threads.indices {
      threads[thread].cpu = .zero
      threads[thread].lockWait = .zero
      threads[thread].readyTime = .zero
    }
  }

  consuming func end() -> Threads { program }

  /// Assigns the next sequence number, so that events at the same instant keep the order of their scheduling.
  mutating func moment(_ at: Instant) -> Moment {
    insertions += 1
    return Moment(at: at, number: insertions)
  }

  /// Wakes thread 0 if it is in an interruptible sleep.
  mutating func endInterruptibleSleep() {
    guard alarm != .never else { return }
    alarm = .never
    makeReady(0)
  }

  private mutating func requestCall(at instant: Instant) {
    if instant < callBack.at { callBack = moment(instant) }
  }

  /// Performs what the program does without a thread, like a timer's interrupt: it takes no core's time.
  private mutating func callBackIsDue() {
    callBack = .never
    while let queue = program.callBack(at: now) { _ = post(to: queue, extra: .zero) }
    if let next = program.nextCallBack { requestCall(at: next) }
    if program.takeWakeRequest() { endInterruptibleSleep() }
  }

  private mutating func eventIsDue(on core: CoreIndex) {
    guard cores[core].thread != nil else {
      cores[core].event = .never
      return balanceIdle(core)
    }
    account(core)
    if threads[cores[core].running].remaining > 0 {
      reschedule(on: core)
    } else {
      runOperations(on: core)
    }
  }

  /// Runs the operations of the thread on `core` until one ends after another event or blocks the thread.
  private mutating func runOperations(on core: CoreIndex) {
    asking = core
    defer { asking = nil }
    let thread = cores[core].running
    if let lock = threads[thread].lock, !retry(lock, by: thread) { return vacate(core) }
    var quiet = QuietTime()
    while true {
      operations += 1
      let operation = program.next(thread, at: now, ready: threads[thread].readyTime, &locks)
      if program.takeWakeRequest() {
        account(core)
        endInterruptibleSleep()
      }
      guard let cost = perform(operation, of: thread, on: core, &quiet) else { return }
      if cost > .zero && !runOn(for: cost, on: core, &quiet) {
        account(core)
        return compute(cost, on: core)
      }
    }
  }

  /// Performs an operation of `thread`; before it concerns other threads, the account of `core` is brought up to date. Returns its
  /// cost; nil if the thread does not continue on `core` at once.
  @inline(__always)
  private mutating func perform(
    _ operation: Operation, of thread: ThreadIndex, on core: CoreIndex, _ quiet: inout QuietTime
  ) -> TimeSpan? {
    switch operation {
    case .compute(let span): return span
    case .wait(let queue): if takeEvent(from: queue, by: thread) { return .zero }
    case .post(let queue, let extra):
      if !queues[queue].waiters.isEmpty { account(core) }
      return post(to: queue, extra: extra)
    case .lock(let lock):
      account(core)
      if take(lock, by: thread) { return .zero }
    case .unlock(let lock):
      account(core)
      return release(lock, by: thread)
    case .sleep(let until):
      if until <= now { return .zero }
      if isQuiet(through: until, besides: core, &quiet) {
        return sleepOn(until: until, on: core, quiet) ? .zero : nil
      }
      timers.insert(thread, at: moment(until))
      threads[thread].state = .sleeping
    case .interruptibleSleep(let until):
      if until <= now { return .zero }
      if isQuiet(through: until, besides: core, &quiet) {
        return sleepOn(until: until, on: core, quiet) ? .zero : nil
      }
      alarm = moment(until)
      threads[thread].state = .sleeping
    case .renice(let thread, let nice):
      account(core)
      renice(thread, to: nice)
      return .zero
    case .callBack(let instant):
      requestCall(at: instant)
      return .zero
    case .end: threads[thread].state = .ended
    }
    account(core)
    vacate(core)
    return nil
  }

  /// Computes on `core` for `span` of full-speed time at once, if nothing else happens until that has ended: the thread makes the
  /// same progress as with an event for its end. Its account stays behind; later ones include what it lacks. Returns false, and does
  /// nothing, if something else may happen.
  @inline(__always)
  private mutating func runOn(
    for span: TimeSpan, on core: CoreIndex, _ quiet: inout QuietTime
  ) -> Bool {
    guard !cores[core].yields else { return false }
    let end = cores[core].worksFrom + cores[core].span(of: span.nanoseconds * 1000)
    guard isQuiet(through: end, besides: core, &quiet) else { return false }
    now = end
    cores[core].worksFrom = end
    return true
  }

  /// Lets the thread on `core` sleep and wake without a timer, because nothing else happens until then. Returns whether it
  /// continues on `core` at once; otherwise an event is scheduled for it.
  private mutating func sleepOn(until: Instant, on core: CoreIndex, _ quiet: QuietTime) -> Bool {
    account(core)
    let thread = cores[core].running
    if isScanned && threads[thread].rank == 0 {
      nap(until: until, on: core)
      if cores[core].speed == 1000 { runIdle(on: core, before: min(quiet.end, limit)) }
      return true
    }
    threads[thread].state = .sleeping
    vacate(core)
    asking = nil
    now = until
    makeReady(thread)
    guard cores[core].thread == thread, cores[core].event.at == now else { return false }
    asking = core
    account(core)
    return true
  }

  /// Lets the thread on `core` sleep and wake there, because nothing else happens until then: what remains of `vacate` and
  /// `makeReady` if no thread waits and the core that the thread ran on is the best one.
  private mutating func nap(until: Instant, on core: CoreIndex) {
    let thread = cores[core].running
    contextSwitches += 1
    leaveQueue(of: core)
    if hasSeveralQueues { endBusyTime(of: core, idleUntil: until) }
    cores[core].idleTime.begin(at: now)
    now = until
    cores[core].idleTime.end(at: now, search: sharing.warm)
    cores[core].last = thread
    cores[core].begin(thread, at: now, worksFrom: now)
    if searches(besides: core, for: thread) { updateUtilisation() }
    if hasLoads { threads[thread].load.joinQueue(at: now, period: sharing.loadPeriod) }
    place(thread, beside: (cores[core].virtualTime, 0))
    threads[thread].protection = threads[thread].deadline
  }

  /// Runs what the thread on `core` does each time it wakes, as long as the program knows it beforehand.
  @inline(__always)
  private mutating func runIdle(on core: CoreIndex, before end: Instant) {
    let thread = cores[core].running
    while let work = program.nextIdle(thread, at: now, before: end, locks) {
      now = work.end
      account(core)
      nap(until: work.next, on: core)
    }
  }

  /// Whether nothing happens up to `instant`, within this `advance`, but the operations on `core`.
  @inline(__always)
  private func isQuiet(
    through instant: Instant, besides core: CoreIndex, _ quiet: inout QuietTime
  ) -> Bool {
    guard ready.isEmpty && delayed.isEmpty && instant <= limit else { return false }
    if quiet.insertions != insertions {
      quiet = QuietTime(end: nextEvent(besidesThatOf: core), insertions: insertions)
    }
    return instant < quiet.end
  }

  /// The first instant at which anything but the operation on `core` happens.
  @inline(__always)
  private func nextEvent(besidesThatOf core: CoreIndex) -> Instant {
    var first = min(timers.first.at, balance.at, alarm.at, callBack.at)
    for other in cores.indices where other != core { first = min(first, cores[other].event.at) }
    return first
  }
}

/// The time until the next event, found once and then valid as long as no event is scheduled.
private struct QuietTime {
  var end = Instant.zero
  /// The number of events that had been scheduled when it was found.
  var insertions = UInt64.max
}

// Which thread gets a core, and for how long.
extension VirtualMachine where Threads: ~Copyable {
  /// Makes a thread ready to run. It starts at once on an idle core or if it preempts a running thread.
  mutating func makeReady(_ thread: ThreadIndex) {
    threads[thread].state = .ready
    let isDelayed = threads[thread].isDelayed
    if isDelayed { resume(delayed: thread) }
    // A delayed thread stays in its core's queue.
    let idle = isDelayed && isPerCore ? nil : idleCore(for: thread)
    if !isDelayed {
      if isPerCore {
        threads[thread].home = idle ?? queue(for: thread)
        if hasLoads { threads[thread].load.joinQueue(at: now, period: sharing.loadPeriod) }
      }
      place(thread)
    }
    threads[thread].waker = nil
    beginWaiting(thread)
    if let idle { return dispatch(thread, on: idle) }
    threads[thread].order = moment(now).number
    enqueue(thread)
    checkPreemption(by: thread)
    limitSlices(for: thread)
  }

  /// Computes on `core` for `span` of full-speed time, unless the thread must yield first.
  mutating func compute(_ span: TimeSpan, on core: CoreIndex) {
    threads[cores[core].running].remaining = span.nanoseconds * 1000
    if cores[core].yields { return reschedule(on: core) }
    scheduleEvent(on: core)
  }

  /// Ends the slice of the thread on `core` and switches to the next thread, if that runs first.
  mutating func reschedule(on core: CoreIndex) {
    cores[core].yields = false
    // The waiting thread may have got another core.
    guard hasCompetitor(core) else { return scheduleEvent(on: core) }
    guard let next = next(on: core, keeping: cores[core].running) else {
      preconditionFailure("the one that is there")
    }
    if next == cores[core].running { return scheduleEvent(on: core) }
    replace(core, with: next)
  }

  /// Frees `core`, whose thread sleeps, waits or has ended.
  mutating func vacate(_ core: CoreIndex) {
    contextSwitches += 1
    leaveQueue(of: core)
    cores[core].vacate()
    if !(ready.isEmpty && delayed.isEmpty), let next = next(on: core, keeping: nil) {
      dequeue(next)
      return dispatch(next, on: core)
    }
    if isPerCore { balanceNewlyIdle(core) }
  }

  /// Brings the account of the thread on `core` up to now.
  mutating func account(_ core: CoreIndex) {
    let (ran, work) = cores[core].account(at: now)
    let thread = cores[core].running
    threads[thread].ran(ran, doing: work)
    threads[thread].deadline = currentDeadline(core)
    if hasOthers && isOthers(cores[core].running) { cores[core].othersRan += ran }
  }

  /// Preempts a running thread if `thread`, which is ready, has a better claim to its core.
  mutating func checkPreemption(by thread: ThreadIndex) {
    if let core = coreToPreempt(for: thread) { preempt(on: core) }
  }

  // MARK: Choosing
  // Inlined: a call of a non-mutating function would copy the whole machine first.

  /// The fastest idle core for `thread`; among equals, the one that it used last.
  @inline(__always)
  private mutating func idleCore(for thread: ThreadIndex) -> CoreIndex? {
    if isScanned, threads[thread].rank == 0, let home = threads[thread].home,
      cores[home].thread == nil, mayRun(thread, on: home)
    {
      // Of cores of one speed, it is the best. A search of other idle ones would only update their utilisation.
      if searches(besides: home, for: thread) { updateUtilisation() }
      return home
    }
    var best: CoreIndex?
    var reach: Int?
    for core in cores.indices where cores[core].thread == nil && mayRun(thread, on: core) {
      if isScanned, threads[thread].rank == 0, let home = threads[thread].home, home != core,
        threads[thread].waker != core
      {
        let found = reach ?? scanReach()
        reach = found
        let distance = core.position - home.position
        guard distance + (distance < 0 ? cores.count : 0) <= found else { continue }
      }
      guard let chosen = best else {
        best = core
        continue
      }
      let isFaster = cores[core].speed > cores[chosen].speed
      let isWarmer = cores[core].speed == cores[chosen].speed && isNearer(core, chosen, to: thread)
      if isFaster || isWarmer { best = core }
    }
    return best
  }

  /// Whether there are idle cores that `thread`, which wakes, searches according to their utilisation.
  @inline(__always)
  private func searches(besides home: CoreIndex, for thread: ThreadIndex) -> Bool {
    cores.indices.contains { core in
      core != home && cores[core].thread == nil && threads[thread].waker != core
        && mayRun(thread, on: core)
    }
  }

  /// How far from its last core a thread searches for an idle one. The busier the cores, the fewer are searched; of two cores
  /// none, if they are busy for more than 60 % of the time (`select_idle_cpu`, `update_idle_cpu_scan`).
  private mutating func scanReach() -> Int {
    updateUtilisation()
    var share: Int64 = 0
    for core in cores.indices { share += cores[core].utilisation.share }
    let count = Int64(cores.count)
    share /= count
    // 1.369 is the square of `imbalance_pct`, 117 %.
    return Int(count * (1_000_000 - min(share * share * 1369 / 1000, 1_000_000)) / 1_000_000)
  }

  /// Whether `thread` prefers `core` to `other`, both of them idle and equally fast.
  @inline(__always)
  private func isNearer(_ core: CoreIndex, _ other: CoreIndex, to thread: ThreadIndex) -> Bool {
    guard isPerCore else { return cores[core].last == thread }
    if threads[thread].home == other { return false }
    return threads[thread].home == core || threads[thread].waker == core
  }

  /// The core whose thread must yield to `thread`, which has just become ready; nil if none must.
  @inline(__always)
  private mutating func coreToPreempt(for thread: ThreadIndex) -> CoreIndex? {
    var weakest: CoreIndex?
    var claim = (rank: Int.max, deadline: Int64.min)
    for core in cores.indices where !cores[core].yields && isQueued(thread, on: core) {
      guard let running = cores[core].thread else { continue }
      let (rank, deadline) = (threads[running].rank, currentDeadline(core))
      if rank < claim.rank || (rank == claim.rank && deadline > claim.deadline) {
        weakest = core
        claim = (rank, deadline)
      }
    }
    guard let weakest, let running = cores[weakest].thread else { return nil }
    if threads[thread].rank > claim.rank { return weakest }
    guard claim.rank == 0 else { return nil }
    account(weakest)
    return next(on: weakest, keeping: running) == thread ? weakest : nil
  }

  /// Whether a waiting thread runs before the thread on `core`, whose account is up to date.
  @inline(__always)
  mutating func shouldSwitch(_ core: CoreIndex) -> Bool {
    next(on: core, keeping: cores[core].running) != cores[core].running
  }

  // MARK: Queues

  /// Whether `core` may choose `thread`, which is ready.
  @inline(__always)
  func isQueued(_ thread: ThreadIndex, on core: CoreIndex) -> Bool {
    if isUniform { return true }
    // As in Linux, threads of fixed priority move between cores so that the highest of them run.
    if isPerCore && threads[thread].rank == 0 { return threads[thread].home == core }
    return mayRun(thread, on: core)
  }

  @inline(__always)
  func mayRun(_ thread: ThreadIndex, on core: CoreIndex) -> Bool {
    isUnbound || threads[thread].cores.contains(core.position)
  }

  /// Whether a thread waits for `core`, or is delayed in its queue.
  @inline(__always)
  private func hasCompetitor(_ core: CoreIndex) -> Bool {
    if ready.isEmpty && delayed.isEmpty { return false }
    return isUniform || ready.contains { isQueued($0, on: core) }
      || delayed.contains { isQueued($0, on: core) }
  }

  @inline(__always)
  mutating func enqueue(_ thread: ThreadIndex) {
    ready.append(thread)
    guard isPerCore, let home = threads[thread].home else { return }
    cores[home].queued += 1
    if hasSeveralQueues && balance == .never { scheduleBusyBalance() }
    for core in cores.indices where cores[core].event == .never { scheduleBalance(on: core) }
  }

  @inline(__always)
  mutating func dequeue(at index: Int) -> ThreadIndex {
    let thread = ready[index]
    ready.swapAt(index, ready.count - 1)
    ready.removeLast()
    if isPerCore, let home = threads[thread].home { cores[home].queued -= 1 }
    return thread
  }

  @inline(__always)
  private mutating func dequeue(_ thread: ThreadIndex) {
    guard let index = ready.firstIndex(of: thread) else { preconditionFailure("one that is ready") }
    _ = dequeue(at: index)
  }

  // MARK: Switching

  /// Starts a wait of `thread` for a core.
  @inline(__always)
  mutating func beginWaiting(_ thread: ThreadIndex) {
    threads[thread].readySince = now
    if hasOthers { threads[thread].othersBefore = othersTime(before: thread) }
  }

  /// Brings the account of a thread's wait for a core up to now.
  @inline(__always)
  mutating func accountWait(of thread: ThreadIndex) {
    let others = hasOthers ? othersTime(before: thread) - threads[thread].othersBefore : .zero
    program.waitedForCore(thread, from: threads[thread].readySince, to: now, others: others)
    threads[thread].readyTime += now - threads[thread].readySince
  }

  mutating func dispatch(_ thread: ThreadIndex, on core: CoreIndex) {
    threads[thread].state = .running
    accountWait(of: thread)
    var wasIdle = false
    if isPerCore {
      threads[thread].home = core
      if let since = cores[core].idleTime.since {
        if hasSeveralQueues {
          cores[core].busyBalance.endIdle(since: tick(at: since), now: tick(at: now))
        }
        cores[core].idleTime.end(at: now, search: sharing.warm)
        wasIdle = hasSeveralQueues
      }
    }
    threads[thread].protection = threads[thread].deadline
    let isSwitch = cores[core].last != thread && cores[core].last != nil
    cores[core].begin(thread, at: now, worksFrom: isSwitch ? now + contextSwitch : now)
    scheduleEvent(on: core)
    if wasIdle && balance.at != now { scheduleBusyBalance() }
  }

  /// Schedules the next event of `core`: the end of its operation, or the next decision about its slice.
  mutating func scheduleEvent(on core: CoreIndex) {
    cores[core].event = moment(nextEvent(on: core))
  }

  @inline(__always)
  private func nextEvent(on core: CoreIndex) -> Instant {
    let thread = cores[core].running
    let end = cores[core].worksFrom + cores[core].span(of: threads[thread].remaining)
    guard threads[thread].rank == 0 && hasCompetitor(core) else { return end }
    return min(end, decision(on: core))
  }

  /// Moves the next event of `core`, whose queue has changed. One that is due now, or does not move, keeps its place among the
  /// others of its instant.
  mutating func moveEvent(on core: CoreIndex) {
    guard core != asking, cores[core].thread != nil, cores[core].event.at > now else { return }
    let at = nextEvent(on: core)
    if at != cores[core].event.at { cores[core].event = moment(at) }
  }

  /// Moves the events of the cores that share a queue with `queue`.
  mutating func moveEvents(inQueueOf queue: CoreIndex) {
    for core in cores.indices where !isPerCore || core == queue { moveEvent(on: core) }
  }

  /// Limits the running threads that `waiting`, which is now ready, waits for: they run at most to the ends of their
  /// slices.
  mutating func limitSlices(for waiting: ThreadIndex) {
    for core in cores.indices where core != asking && isQueued(waiting, on: core) {
      moveEvent(on: core)
    }
  }

  /// Preempts the thread on `core`: at once, or if it is being asked or its operation ends now, before it computes further.
  mutating func preempt(on core: CoreIndex) {
    if core != asking { account(core) }
    // An operation that ends at this instant ends before its thread yields.
    let isFinished = threads[cores[core].running].remaining == 0 && cores[core].event.at == now
    if core == asking || isFinished {
      cores[core].yields = true
    } else if let next = next(on: core, keeping: nil) {
      replace(core, with: next)
    }
  }

  /// Preempts the thread on `core` and runs `next` there.
  private mutating func replace(_ core: CoreIndex, with next: ThreadIndex) {
    dequeue(next)
    let thread = cores[core].running
    threads[thread].state = .ready
    threads[thread].ran = now
    beginWaiting(thread)
    // A thread of fixed priority keeps its place in front of its equals.
    if threads[thread].rank == 0 { threads[thread].order = moment(now).number }
    enqueue(thread)
    if !isOthers(thread) { contextSwitches += 1 }
    cores[core].last = thread
    dispatch(next, on: core)
    if !isUnbound { placePreempted(thread) }
  }

  /// If threads are restricted to cores, a preempted thread may get another core: an idle one, or that of a thread that runs
  /// after it. With a queue for each core, a fair thread waits where it ran, and idle cores search for it.
  private mutating func placePreempted(_ thread: ThreadIndex) {
    if isPerCore && threads[thread].rank == 0 { return }
    if let idle = idleCore(for: thread), let index = ready.firstIndex(of: thread) {
      return dispatch(dequeue(at: index), on: idle)
    }
    checkPreemption(by: thread)
    limitSlices(for: thread)
  }
}
