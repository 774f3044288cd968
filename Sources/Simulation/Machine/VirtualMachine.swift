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
  mutating func settle() {
    for core in cores.indices where cores[core].thread != nil { account(core) }
    for thread in threads.indices where threads[thread].state == .ready {
      noteReady(thread)
      beginWaiting(thread)
    }
  }

  /// Forgets what was used up to now.
  mutating func resetAccounts() {
    settle()
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
      if program.takeNudge() { wakeDozing() }
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
