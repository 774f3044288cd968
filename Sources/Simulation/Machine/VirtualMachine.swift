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
  /// The least virtual time there has been among threads that could run; never decreases.
  var leastVirtualTime: Int64 = 0
  /// The core whose thread is being asked for operations.
  var asking: CoreIndex?
  private var insertions: UInt64 = 0
  let sharing: FairShare
  let contextSwitch: TimeSpan
  /// Whether threads wait in a queue for each core.
  let isPerCore: Bool
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
    let idle = idleCore(for: thread)
    if isPerCore { move(thread, to: idle ?? queue(for: thread)) }
    beginWaiting(thread)
    grantCredit(thread)
    if let idle { return dispatch(thread, on: idle) }
    threads[thread].order = moment(now).number
    enqueue(thread)
    reconsider(thread)
    limitSlices(for: thread)
  }

  /// Uses `core` for `span`, unless a thread that waits for it comes first.
  mutating func compute(_ span: TimeSpan, on core: CoreIndex) {
    threads[cores[core].running].remaining = span.nanoseconds * 1000
    guard hasRival(core) else { return schedule(core) }
    let isSliceOver = now - cores[core].sliceBegan >= sharing.slice
    if cores[core].yields || isSliceOver { return sliceIsOver(on: core) }
    schedule(core)
  }

  /// The slice of the thread on `core` is over: the next one's turn, if that comes first.
  mutating func sliceIsOver(on core: CoreIndex) {
    cores[core].yields = false
    // Whoever waited may have got another core.
    guard hasRival(core) else { return schedule(core) }
    if isPerCore { evenOut(core) }
    if isOutdone(core) { return replace(core) }
    cores[core].sliceBegan = now
    schedule(core)
  }

  /// The thread on `core` sleeps, waits or has ended.
  mutating func vacate(_ core: CoreIndex) {
    contextSwitches += 1
    // What its thread has had counts for whoever comes while nobody is here.
    if isPerCore { updateLeast(on: core) }
    cores[core].vacate()
    if let next = popBest(for: core) { return dispatch(next, on: core) }
    if isPerCore, let next = pull(to: core) { dispatch(next, on: core) }
  }

  /// Brings the account of the thread on `core` up to now.
  mutating func account(_ core: CoreIndex) {
    let (ran, work) = cores[core].account(at: now)
    threads[cores[core].running].ran(ran, doing: work)
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
  private func idleCore(for thread: ThreadIndex) -> CoreIndex? {
    var best: CoreIndex?
    for core in cores.indices where cores[core].thread == nil && mayRun(thread, on: core) {
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

  /// Whether `thread` goes to `core` rather than to `other`, if it could have either.
  @inline(__always)
  private func isNearer(_ core: CoreIndex, _ other: CoreIndex, to thread: ThreadIndex) -> Bool {
    guard isPerCore else { return cores[core].last == thread }
    if threads[thread].home == other { return false }
    return threads[thread].home == core || threads[thread].waker == core
  }

  /// The core whose thread has the least claim to it, if that is less than `thread`'s.
  @inline(__always)
  private func givingWay(to thread: ThreadIndex) -> CoreIndex? {
    var weakest: CoreIndex?
    var claim = (rank: Int.max, time: Int64.min)
    for core in cores.indices where !cores[core].yields && isQueued(thread, on: core) {
      guard let thread = cores[core].thread else { continue }
      let running = threads[thread]
      let time = currentVirtualTime(core)
      if running.rank < claim.rank || (running.rank == claim.rank && time > claim.time) {
        weakest = core
        claim = (running.rank, time)
      }
    }
    let rank = threads[thread].rank
    if rank > claim.rank { return weakest }
    let lead = claim.time &- threads[thread].virtualTime
    let isFar = rank == 0 && claim.rank == 0 && lead > sharing.granularity.nanoseconds * 1024
    return isFar ? weakest : nil
  }

  /// Whether a ready thread comes before the one on `core`, whose account is up to date;
  /// if they are even, a fair one that has been waiting does.
  @inline(__always)
  func isOutdone(_ core: CoreIndex) -> Bool {
    guard let best = bestPlace(for: core) else { return false }
    let (waiting, running) = (threads[ready[best]], threads[cores[core].running])
    if waiting.rank != running.rank { return waiting.rank > running.rank }
    guard waiting.rank == 0 else { return false }
    return waiting.virtualTime < running.virtualTime
      || (waiting.virtualTime == running.virtualTime && waiting.readySince < now)
  }

  /// Where among the ready threads the one is that `core` turns to next.
  @inline(__always)
  private func bestPlace(for core: CoreIndex) -> Int? {
    var best: Int?
    for place in ready.indices where isQueued(ready[place], on: core) {
      guard let chosen = best else {
        best = place
        continue
      }
      if comesFirst(ready[place], ready[chosen]) { best = place }
    }
    return best
  }

  @inline(__always)
  private func comesFirst(_ left: ThreadIndex, _ right: ThreadIndex) -> Bool {
    let (left, right) = (threads[left], threads[right])
    if left.rank != right.rank { return left.rank > right.rank }
    if left.rank == 0 && left.virtualTime != right.virtualTime {
      return left.virtualTime < right.virtualTime
    }
    return left.order < right.order
  }

  private mutating func popBest(for core: CoreIndex) -> ThreadIndex? {
    bestPlace(for: core).map { dequeue(at: $0) }
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
    if ready.isEmpty { return false }
    return isUniform || ready.contains { isQueued($0, on: core) }
  }

  @inline(__always)
  mutating func enqueue(_ thread: ThreadIndex) {
    ready.append(thread)
    if isPerCore, let home = threads[thread].home { cores[home].queued += 1 }
  }

  @inline(__always)
  mutating func dequeue(at place: Int) -> ThreadIndex {
    let thread = ready[place]
    ready.swapAt(place, ready.count - 1)
    ready.removeLast()
    if isPerCore, let home = threads[thread].home { cores[home].queued -= 1 }
    return thread
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

  private mutating func dispatch(_ thread: ThreadIndex, on core: CoreIndex) {
    threads[thread].state = .running
    noteReady(thread)
    if isPerCore { move(thread, to: core) }
    let isSwitch = cores[core].last != thread && cores[core].last != nil
    cores[core].begin(thread, at: now, worksFrom: isSwitch ? now + contextSwitch : now)
    schedule(core)
  }

  /// Works out when the thread on `core` will be through with its operation or its slice.
  private mutating func schedule(_ core: CoreIndex) {
    let thread = cores[core].running
    var at = cores[core].worksFrom + cores[core].span(of: threads[thread].remaining)
    if threads[thread].rank == 0 && hasRival(core) {
      at = min(at, max(now, cores[core].sliceBegan + sharing.slice))
    }
    cores[core].event = moment(at)
  }

  /// `thread` has joined the ready ones: those that it waits for may go on to the end of their slices.
  mutating func limitSlices(for waiting: ThreadIndex) {
    for core in cores.indices where core != asking && isQueued(waiting, on: core) {
      guard let thread = cores[core].thread, threads[thread].rank == 0 else { continue }
      let end = max(now, cores[core].sliceBegan + sharing.slice)
      if end < cores[core].event.at { cores[core].event = moment(end) }
    }
  }

  private mutating func makeRoom(on core: CoreIndex) {
    if core != asking { account(core) }
    // What is through at this very instant ends before it gives way.
    let isThrough = threads[cores[core].running].remaining == 0 && cores[core].event.at == now
    if core == asking || isThrough { cores[core].yields = true } else { replace(core) }
  }

  /// Puts the thread on `core` back among the ready ones, and the best of those in its place.
  private mutating func replace(_ core: CoreIndex) {
    guard let next = popBest(for: core) else { preconditionFailure("somebody to replace it") }
    let thread = cores[core].running
    threads[thread].state = .ready
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

  /// A thread that slept is not far behind the others, or it could keep a core for as long as it slept; nor far ahead of
  /// them, or it would wait until they have had as much, which they may never.
  private mutating func grantCredit(_ thread: ThreadIndex) {
    guard threads[thread].priority.rank == 0 else { return }
    if isPerCore, let home = threads[thread].home {
      updateLeast(on: home)
      return limitLag(of: thread, to: cores[home].leastVirtualTime)
    }
    var least = Int64.max
    for core in cores.indices {
      guard let running = cores[core].thread, threads[running].rank == 0 else { continue }
      least = min(least, currentVirtualTime(core))
    }
    for waiting in ready where threads[waiting].rank == 0 {
      least = min(least, threads[waiting].virtualTime)
    }
    if least != .max { leastVirtualTime = max(leastVirtualTime, least) }
    limitLag(of: thread, to: leastVirtualTime)
  }

  @inline(__always)
  private mutating func limitLag(of thread: ThreadIndex, to least: Int64) {
    let most = sharing.credit.nanoseconds * 1024
    threads[thread].virtualTime = min(max(threads[thread].virtualTime, least - most), least + most)
  }
}
