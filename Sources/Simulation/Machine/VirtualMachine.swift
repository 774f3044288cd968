internal import FrameBudget

/// Cores, threads, locks and event queues in virtual time.
///
/// A discrete-event simulation: the machine jumps from one event to the next. What is due at the same
/// instant happens in the order in which it was scheduled, so that a run is the same everywhere.
///
/// One thing although it holds more than ten: what happens next is chosen among all of them.
struct VirtualMachine<Threads: VirtualThreads & ~Copyable>: ~Copyable {
  var program: Threads
  private(set) var now: Instant
  /// Answers of threads so far.
  private(set) var operations = 0
  var contextSwitches = 0
  var threads: PerThread<VirtualThread>
  var cores: IndexedArray<Core, Core>
  var locks: PerLock<VirtualLock>
  var queues: PerLane<VirtualQueue>
  var timers: TimerHeap
  /// When thread 0 wakes that dozes; never while it does not.
  var alarm = Moment.never
  /// Threads that could run, if they had a core.
  var ready: ContiguousArray<ThreadIndex> = []
  /// Threads that sleep and still count in their queues.
  var delayed: ContiguousArray<ThreadIndex> = []
  /// The state of a sequence of numbers that are as good as random.
  var die: UInt64 = 0
  /// The core whose thread is being asked for operations.
  var asking: CoreIndex?
  private var insertions: UInt64 = 0
  let sharing: FairShare
  let contextSwitch: TimeSpan
  /// Whether threads wait in a queue for each core.
  let isPerCore: Bool
  /// Whether a waking thread looks for an idle core among some only: not where cores differ.
  let isScanned: Bool
  /// Whether every thread may run on every core.
  let isUnbound: Bool
  /// Whether in addition all wait for all of them.
  let isUniform: Bool
  /// From this one on threads are those of other processes; and whether there are any.
  let firstOthers: ThreadIndex
  let hasOthers: Bool

  /// `others` is how many of the threads, the last ones, are other processes'.
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
    isScanned = scheduler == .perCore && Set(speeds).count == 1
    self.isUnbound = isUnbound
    isUniform = isUnbound && scheduler == .global
    firstOthers = ThreadIndex(requests.count - others)
    hasOthers = others > 0
    threads = PerThread(requests.map(VirtualThread.init))
    cores = IndexedArray(speeds.map(Core.init))
    self.locks = PerLock(locks)
    self.queues = PerLane(queues)
    timers = TimerHeap(capacity: requests.count)
    ready.reserveCapacity(requests.count)
    self.sharing = sharing
    self.contextSwitch = contextSwitch
    for place in requests.indices where requests[place].runs { makeReady(ThreadIndex(place)) }
  }

  /// Runs everything that is due up to `limit`, which then is the time.
  mutating func advance(to limit: Instant) {
    while true {
      var first = timers.first
      var core: CoreIndex?
      for index in cores.indices where cores[index].event < first {
        first = cores[index].event
        core = index
      }
      if alarm < first {
        if alarm.at > limit { break }
        now = alarm.at
        wakeDozing()
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
      noteReady(thread)
      beginWaiting(thread)
    }
  }

  /// Forgets what was used up to now.
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

  /// What is scheduled later at the same instant happens later.
  mutating func moment(_ at: Instant) -> Moment {
    insertions += 1
    return Moment(at: at, number: insertions)
  }

  /// Wakes thread 0, if it dozes.
  mutating func wakeDozing() {
    guard alarm != .never else { return }
    alarm = .never
    makeReady(0)
  }

  private mutating func eventIsDue(on core: CoreIndex) {
    guard cores[core].thread != nil else {
      cores[core].event = .never
      return findWork(for: core)
    }
    account(core)
    if threads[cores[core].running].remaining > 0 { sliceIsOver(on: core) } else { ask(core) }
  }

  /// Lets the thread on `core` go on with operation after operation until one takes time.
  private mutating func ask(_ core: CoreIndex) {
    asking = core
    defer { asking = nil }
    let thread = cores[core].running
    if let lock = threads[thread].lock, !retry(lock, by: thread) { return vacate(core) }
    while true {
      operations += 1
      let operation = program.next(thread, at: now, ready: threads[thread].readyTime)
      if program.takeWakeRequest() { wakeDozing() }
      var cost = TimeSpan.zero
      switch operation {
      case .compute(let span): cost = span
      case .lock(let lock): if !take(lock, by: thread) { return vacate(core) }
      case .unlock(let lock): cost = release(lock, by: thread)
      case .wait(let queue): if !takeEvent(from: queue, by: thread) { return vacate(core) }
      case .post(let queue, let extra): cost = post(to: queue, extra: extra)
      case .sleep(let until):
        if until > now {
          threads[thread].state = .sleeping
          timers.insert(thread, at: moment(until))
          return vacate(core)
        }
      case .doze(let until):
        if until > now {
          threads[thread].state = .sleeping
          alarm = moment(until)
          return vacate(core)
        }
      case .renice(let thread, let nice): renice(thread, to: nice)
      case .end:
        threads[thread].state = .ended
        return vacate(core)
      }
      if cost > .zero { return compute(cost, on: core) }
    }
  }
}

// Who gets a core, and for how long.
extension VirtualMachine where Threads: ~Copyable {
  /// Lets a thread run as soon as it is its turn; at once where a core is idle or its thread must give way.
  mutating func makeReady(_ thread: ThreadIndex) {
    threads[thread].state = .ready
    let isDelayed = threads[thread].isDelayed
    if isDelayed { resume(delayed: thread) }
    // One that is still in a core's queue stays there.
    let idle = isDelayed && isPerCore ? nil : idleCore(for: thread)
    if !isDelayed {
      if isPerCore { threads[thread].home = idle ?? queue(for: thread) }
      place(thread)
    }
    threads[thread].waker = nil
    beginWaiting(thread)
    if let idle { return dispatch(thread, on: idle) }
    threads[thread].order = moment(now).number
    enqueue(thread)
    reconsider(thread)
    limitSlices(for: thread)
  }

  /// Uses `core` for `span`, unless a thread that waits for it comes first.
  mutating func compute(_ span: TimeSpan, on core: CoreIndex) {
    threads[cores[core].running].remaining = span.nanoseconds * 1000
    if cores[core].yields { return sliceIsOver(on: core) }
    schedule(core)
  }

  /// The slice of the thread on `core` is over: the next one's turn, if that comes first.
  mutating func sliceIsOver(on core: CoreIndex) {
    cores[core].yields = false
    // Whoever waited may have got another core.
    guard hasRival(core) else { return schedule(core) }
    if isPerCore { evenOut(core) }
    guard let next = next(on: core, keeping: cores[core].running) else {
      preconditionFailure("the one that is there")
    }
    if next == cores[core].running { return schedule(core) }
    replace(core, with: next)
  }

  /// The thread on `core` sleeps, waits or has ended.
  mutating func vacate(_ core: CoreIndex) {
    contextSwitches += 1
    leaveQueue(of: core)
    cores[core].vacate()
    if let next = next(on: core, keeping: nil) {
      dequeue(next)
      return dispatch(next, on: core)
    }
    if isPerCore { findWorkAtOnce(for: core) }
  }

  /// Brings the account of the thread on `core` up to now.
  mutating func account(_ core: CoreIndex) {
    let (ran, work) = cores[core].account(at: now)
    let thread = cores[core].running
    threads[thread].ran(ran, doing: work)
    // Request after request, each of a slice (`update_deadline`).
    let past = threads[thread].virtualTime - threads[thread].deadline
    if past >= 0 && threads[thread].rank == 0 {
      threads[thread].deadline += (past / request(of: thread) + 1) * request(of: thread)
    }
    if hasOthers && isOthers(cores[core].running) { cores[core].othersRan += ran }
  }

  /// Takes the core from whichever thread must give way to `thread`, which is ready.
  mutating func reconsider(_ thread: ThreadIndex) {
    if let core = givingWay(to: thread) { makeRoom(on: core) }
  }

  // MARK: Choosing
  // Inlined, because whoever calls a function that only reads the machine copies the whole of it first.

  /// The idle core of the highest speed, the one that `thread` used last among equals.
  @inline(__always)
  private mutating func idleCore(for thread: ThreadIndex) -> CoreIndex? {
    var best: CoreIndex?
    for core in cores.indices where cores[core].thread == nil && mayRun(thread, on: core) {
      if isScanned, threads[thread].rank == 0, let home = threads[thread].home, home != core,
        threads[thread].waker != core
      {
        guard isScanned(core, from: home) else { continue }
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

  /// Whether a thread that last ran on `home` finds `core` if that is idle: the busier all are, the fewer are looked at, and
  /// none of two cores that are busy for more than 60 % of the time (`select_idle_cpu`, `update_idle_cpu_scan`).
  private mutating func isScanned(_ core: CoreIndex, from home: CoreIndex) -> Bool {
    var share: Int64 = 0
    for place in cores.indices {
      let running = cores[place].thread == nil ? .zero : now - cores[place].accounted
      cores[place].utilisation.update(at: now, running: running, tick: sharing.tick)
      share += cores[place].utilisation.share
    }
    let count = Int64(cores.count)
    share /= count
    // 1.37 is the square of the 117 % by which a core is the busier.
    let scanned = count * (1_000_000 - min(share * share * 1369 / 1000, 1_000_000)) / 1_000_000
    let distance = (core.position - home.position + cores.count) % cores.count
    return distance <= Int(scanned)
  }

  /// Whether `thread` goes to `core` rather than to `other`, if it could have either.
  @inline(__always)
  private func isNearer(_ core: CoreIndex, _ other: CoreIndex, to thread: ThreadIndex) -> Bool {
    guard isPerCore else { return cores[core].last == thread }
    if threads[thread].home == other { return false }
    return threads[thread].home == core || threads[thread].waker == core
  }

  /// The core whose thread makes room for `thread`, which has just become ready.
  @inline(__always)
  private mutating func givingWay(to thread: ThreadIndex) -> CoreIndex? {
    var weakest: CoreIndex?
    var claim = (rank: Int.max, deadline: Int64.min)
    for core in cores.indices where !cores[core].yields && isQueued(thread, on: core) {
      guard let running = cores[core].thread else { continue }
      let (rank, deadline) = (threads[running].rank, threads[running].deadline)
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

  /// Whether another comes before the thread on `core`.
  @inline(__always)
  mutating func isOutdone(_ core: CoreIndex) -> Bool {
    next(on: core, keeping: cores[core].running) != cores[core].running
  }

  // MARK: Queues

  /// Whether `thread`, which is ready, is among those that `core` turns to.
  @inline(__always)
  func isQueued(_ thread: ThreadIndex, on core: CoreIndex) -> Bool {
    if isUniform { return true }
    // Linux too pushes and pulls threads of a fixed priority so that the highest of them run, wherever that is.
    if isPerCore && threads[thread].rank == 0 { return threads[thread].home == core }
    return mayRun(thread, on: core)
  }

  @inline(__always)
  func mayRun(_ thread: ThreadIndex, on core: CoreIndex) -> Bool {
    isUnbound || threads[thread].cores.contains(core.position)
  }

  /// Whether somebody waits for `core`.
  @inline(__always)
  private func hasRival(_ core: CoreIndex) -> Bool {
    if ready.isEmpty && delayed.isEmpty { return false }
    return isUniform || ready.contains { isQueued($0, on: core) }
      || delayed.contains { isQueued($0, on: core) }
  }

  @inline(__always)
  mutating func enqueue(_ thread: ThreadIndex) {
    ready.append(thread)
    guard isPerCore, let home = threads[thread].home else { return }
    cores[home].queued += 1
    for core in cores.indices where cores[core].event == .never { lookAgain(on: core) }
  }

  @inline(__always)
  mutating func dequeue(at place: Int) -> ThreadIndex {
    let thread = ready[place]
    ready.swapAt(place, ready.count - 1)
    ready.removeLast()
    if isPerCore, let home = threads[thread].home { cores[home].queued -= 1 }
    return thread
  }

  @inline(__always)
  private mutating func dequeue(_ thread: ThreadIndex) {
    guard let place = ready.firstIndex(of: thread) else { preconditionFailure("one that is ready") }
    _ = dequeue(at: place)
  }

  // MARK: Switching

  /// From now on `thread` could run and has no core.
  @inline(__always)
  mutating func beginWaiting(_ thread: ThreadIndex) {
    threads[thread].readySince = now
    if hasOthers { threads[thread].othersBefore = othersTime(before: thread) }
  }

  /// Brings the account of a thread's wait for a core up to now.
  @inline(__always)
  mutating func noteReady(_ thread: ThreadIndex) {
    let others = hasOthers ? othersTime(before: thread) - threads[thread].othersBefore : .zero
    program.waitedForCore(thread, from: threads[thread].readySince, to: now, others: others)
    threads[thread].readyTime += now - threads[thread].readySince
  }

  mutating func dispatch(_ thread: ThreadIndex, on core: CoreIndex) {
    threads[thread].state = .running
    noteReady(thread)
    if isPerCore { threads[thread].home = core }
    threads[thread].protection = threads[thread].deadline
    let isSwitch = cores[core].last != thread && cores[core].last != nil
    cores[core].begin(thread, at: now, worksFrom: isSwitch ? now + contextSwitch : now)
    schedule(core)
  }

  /// Works out when the thread on `core` will be through with its operation or its slice.
  private mutating func schedule(_ core: CoreIndex) {
    let thread = cores[core].running
    var at = cores[core].worksFrom + cores[core].span(of: threads[thread].remaining)
    if threads[thread].rank == 0 && hasRival(core) {
      at = min(at, decision(on: core))
    }
    cores[core].event = moment(at)
  }

  /// `thread` has joined the ready ones: those that it waits for may go on to the end of their slices.
  mutating func limitSlices(for waiting: ThreadIndex) {
    for core in cores.indices where core != asking && isQueued(waiting, on: core) {
      guard let thread = cores[core].thread, threads[thread].rank == 0 else { continue }
      let end = decision(on: core)
      if end < cores[core].event.at { cores[core].event = moment(end) }
    }
  }

  private mutating func makeRoom(on core: CoreIndex) {
    if core != asking { account(core) }
    // What is through at this very instant ends before it gives way.
    let isThrough = threads[cores[core].running].remaining == 0 && cores[core].event.at == now
    if core == asking || isThrough {
      cores[core].yields = true
    } else if let next = next(on: core, keeping: nil) {
      replace(core, with: next)
    }
  }

  /// Puts the thread on `core` back among the ready ones, and `next` in its place.
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
    if !isUnbound { findRoom(for: thread) }
  }

  /// Where threads are kept on cores, one that had to give way may have another: an idle one, or one of somebody who comes
  /// after it.
  private mutating func findRoom(for thread: ThreadIndex) {
    if let idle = idleCore(for: thread), let place = ready.firstIndex(of: thread) {
      dispatch(dequeue(at: place), on: idle)
    } else if threads[thread].rank > 0 {
      reconsider(thread)
    }
  }

  // MARK: Virtual time

  @inline(__always)
  func currentVirtualTime(_ core: CoreIndex) -> Int64 {
    let thread = threads[cores[core].running]
    return thread.virtualTime + (now - cores[core].accounted).nanoseconds * thread.pace
  }
}
