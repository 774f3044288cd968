internal import FrameBudget

/// The scheduler's state of a thread.
struct VirtualThread {
  /// Its own priority; `rank` and `weight` may be higher while other threads wait for a lock that it owns.
  var priority: Priority
  var rank: Int
  private(set) var weight: Int64
  /// How far a nanosecond on a core advances its virtual time: 1024 at nice 0.
  private(set) var virtualTimeRate: Int64
  var state = State.ready
  /// The rest of the current operation, in thousandths of a nanosecond on a full-speed core.
  var remaining: Int64 = 0
  /// Time on a core in nanoseconds, multiplied by that rate, from the start that its queue gave it.
  var virtualTime: Int64 = 0
  /// The virtual time at which its request ends. Of the threads that are due, the one with the earliest deadline runs
  /// first.
  var deadline: Int64 = 0
  /// The virtual time up to which it keeps its core even if other threads wait: its deadline when it got the core.
  var protection: Int64 = 0
  /// Its lag while it is in no queue: how far its virtual time was behind the average of its queue.
  var lag: Int64 = 0
  /// The rest of its request, in virtual time, when it left a queue without sleeping; when it joins the next one, it requests
  /// no more than that.
  var keptRequest: Int64?
  /// Whether it sleeps and still counts in its queue, because it has had more than its share (delayed dequeue).
  var isDelayed = false
  /// The recent share of time for which it was in a queue.
  var load = LoadAverage()
  /// When it last stopped running.
  var ran: Instant?
  /// When it joined the ready threads, as a sequence number of the machine.
  var order: UInt64 = 0
  var readySince = Instant.zero
  /// The total time for which it was ready and had no core.
  var readyTime = TimeSpan.zero
  var cpu = TimeSpan.zero
  /// The total time for which it has waited for locks, and when the wait for the current one began.
  var lockWait = TimeSpan.zero
  var lockSince = Instant.zero
  /// The lock that it waits for or, once woken, tries to take.
  var lock: LockIndex?
  /// The next thread in the line for a lock or an event queue.
  var nextInLine: ThreadIndex?
  /// The cores on which it may run.
  let cores: CoreSet
  // With a run queue for each core: the core in whose queue it waits or on which it last ran, and the core of the thread
  // that woke it.
  var home: CoreIndex?
  var waker: CoreIndex?
  /// The value of `othersTime(before:)` when it began to wait for a core.
  var othersBefore = TimeSpan.zero

  enum State {
    case ready, running, blocked, sleeping, ended
    /// Woken; ready to run once the wake-up latency is over.
    case waking
  }

  init(_ request: ThreadRequest) {
    priority = request.priority
    rank = priority.rank
    weight = priority.weight
    virtualTimeRate = Self.virtualTimeRate(weight: priority.weight)
    cores = request.cores
    if !request.runs { state = .ended }
  }

  private static func virtualTimeRate(weight: Int64) -> Int64 { ((1 << 20) + weight / 2) / weight }

  /// Changes the weight. A lag and a request that it has kept give it as much time on a core as before.
  mutating func setWeight(_ weight: Int64) {
    guard weight != self.weight else { return }
    lag = lag * self.weight / weight
    keptRequest = keptRequest.map { $0 * self.weight / weight }
    self.weight = weight
    virtualTimeRate = Self.virtualTimeRate(weight: weight)
  }

  /// Accounts for `span` on a core, which did `work` thousandths of a nanosecond of full-speed work.
  mutating func ran(_ span: TimeSpan, doing work: Int64) {
    cpu += span
    virtualTime += span.nanoseconds * virtualTimeRate
    remaining = max(0, remaining - work)
  }
}

/// The recent share of time for which a thread was in a queue, running or not (`load_avg`): a decaying average with a half-life
/// of 32 periods.
struct LoadAverage {
  /// The share of a thread that was always in a queue.
  static let full: Int64 = 1 << 20
  /// An average after a period in which the thread was in no queue.
  private static func decayed(_ share: Int64) -> Int64 { (share &* 4_202_935_002) >> 32 }
  private static let gain = full - decayed(full)

  /// At the start of the current period, in 2^20ths.
  private var share = Self.full
  private var periodStart: Int64 = 0
  /// How many nanoseconds of the current period it was in a queue before `since`.
  private var queued: Int64 = 0
  /// Since when it has been in a queue; nil if it is in none.
  private var since: Int64?

  /// The average at the end of the last period before `now`, in 2^20ths.
  @inline(__always)
  mutating func value(at now: Instant, period: TimeSpan) -> Int64 {
    if now.nanoseconds - periodStart >= period.nanoseconds {
      update(at: now.nanoseconds, period: period.nanoseconds)
    }
    return share
  }

  private mutating func update(at now: Int64, period: Int64) {
    let end = periodStart + period
    if let since { queued += end - since }
    share = Self.decayed(share) + (queued == 0 ? 0 : Self.gain * queued / period)
    queued = 0
    // It was in a queue for all of the periods that follow, or for none of them.
    let gain = since == nil ? 0 : Self.gain
    let count = (now - end) / period
    for _ in 0..<count {
      let next = Self.decayed(share) &+ gain
      if next == share { break }
      share = next
    }
    periodStart = end + count * period
    if since != nil { since = periodStart }
  }

  @inline(__always)
  mutating func joinQueue(at now: Instant, period: TimeSpan) {
    _ = value(at: now, period: period)
    // Time before 0, in which threads start, does not count.
    if since == nil { since = max(now.nanoseconds, 0) }
  }

  @inline(__always)
  mutating func leaveQueue(at now: Instant, period: TimeSpan) {
    _ = value(at: now, period: period)
    if let since { queued += max(now.nanoseconds - since, 0) }
    since = nil
  }
}

/// A thread to be created on a machine.
struct ThreadRequest {
  var priority: Priority
  /// The cores on which it may run. On a machine that has none of them it may run anywhere, as on Linux.
  var cores = CoreSet.all
  /// False for a thread that never runs and only occupies a number.
  var runs = true

  init(_ priority: Priority) { self.priority = priority }

  /// The request adapted to a machine with `count` cores.
  func fitting(cores count: Int) -> ThreadRequest {
    var request = self
    if !(0..<count).contains(where: cores.contains) { request.cores = .all }
    return request
  }
}

/// A FIFO of threads, linked through the threads, so that it needs no memory of its own.
struct ThreadLine {
  private(set) var first: ThreadIndex?
  private var last: ThreadIndex?

  var isEmpty: Bool { first == nil }

  mutating func append(_ thread: ThreadIndex, in threads: inout ThreadTable<VirtualThread>) {
    threads[thread].nextInLine = nil
    if let last { threads[last].nextInLine = thread } else { first = thread }
    last = thread
  }

  mutating func popFirst(in threads: borrowing ThreadTable<VirtualThread>) -> ThreadIndex? {
    guard let popped = first else { return nil }
    first = threads[popped].nextInLine
    if first == nil { last = nil }
    return popped
  }

  /// Removes and returns the thread of the highest rank; among equals, the longest waiter.
  mutating func popHighest(in threads: inout ThreadTable<VirtualThread>) -> ThreadIndex? {
    guard var current = first else { return nil }
    var highest = current
    var ahead: ThreadIndex?
    while let next = threads[current].nextInLine {
      if threads[next].rank > threads[highest].rank { (highest, ahead) = (next, current) }
      current = next
    }
    guard let ahead else { return popFirst(in: threads) }
    threads[ahead].nextInLine = threads[highest].nextInLine
    if highest == last { last = ahead }
    return highest
  }

  /// The highest rank in the line, and the greatest weight of a fair thread there; the owner of its lock inherits both.
  func highest(in threads: borrowing ThreadTable<VirtualThread>) -> (rank: Int, weight: Int64) {
    var highest = (rank: 0, weight: Int64(0))
    var current = first
    while let waiter = current {
      let thread = threads[waiter]
      highest.rank = max(highest.rank, thread.rank)
      if case .fair = thread.priority { highest.weight = max(highest.weight, thread.weight) }
      current = thread.nextInLine
    }
    return highest
  }
}

/// What a virtual thread does next.
enum Operation {
  /// Computes for this long on a full-speed core.
  case compute(TimeSpan)
  case lock(LockIndex)
  case unlock(LockIndex)
  /// Takes an event from a queue; sleeps until there is one.
  case wait(QueueIndex)
  /// Puts an event into a queue. Costs what the queue states, plus `extra`.
  case post(QueueIndex, extra: TimeSpan = .zero)
  case sleep(until: Instant)
  /// Like `sleep`, for thread 0 only; a wake request ends it early.
  case interruptibleSleep(until: Instant)
  /// Changes the nice value of a fair thread.
  case renice(ThreadIndex, to: Int)
  /// Requests a call of `callBack` at this instant, if none is due before.
  case callBack(at: Instant)
  case end
}

/// The index of a machine's event queue, one for each lane. The machine only counts events; the program gives them their
/// meaning.
typealias QueueIndex = LaneIndex
typealias CoreIndex = TypedIndex<Core>

/// The program that a machine runs: the behaviour of its virtual threads.
protocol VirtualThreads: ~Copyable {
  /// The next operation of `thread`. Called while the thread has a core and its last operation is over. `ready` is the
  /// total time up to now for which it was ready and had no core.
  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation

  /// The same, for a program that itself does operations which `locks` can complete.
  mutating func next(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan, _ locks: inout LockTable
  ) -> Operation

  /// Does at once what `thread`, which wakes at `now`, does until it sleeps again, if that only takes full-speed time. Returns when
  /// it falls asleep and when it wakes again, which is before `end`; nil, and does nothing, if more may happen. No other thread
  /// does anything before `end`.
  mutating func nextIdle(
    _ thread: ThreadIndex, at now: Instant, before end: Instant, _ locks: borrowing LockTable
  ) -> (end: Instant, next: Instant)?

  /// Whether thread 0 should be woken from an interruptible sleep. Resets the request.
  mutating func takeWakeRequest() -> Bool

  /// The next queue to post to without a thread, at an instant for which a call was requested; nil if there is none.
  mutating func callBack(at now: Instant) -> QueueIndex?

  /// The next instant at which it wants to be called back.
  var nextCallBack: Instant? { get }

  /// Records that `thread` was ready from `from` to `to` and had no core; often for no time at all. `others` is the part of
  /// that time for which other processes had the core.
  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan)
}

extension VirtualThreads where Self: ~Copyable {
  mutating func next(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan, _ locks: inout LockTable
  ) -> Operation {
    next(thread, at: now, ready: ready)
  }

  mutating func nextIdle(
    _ thread: ThreadIndex, at now: Instant, before end: Instant, _ locks: borrowing LockTable
  ) -> (end: Instant, next: Instant)? { nil }

  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan
  ) {}

  @inline(__always)
  mutating func takeWakeRequest() -> Bool { false }

  mutating func callBack(at now: Instant) -> QueueIndex? { nil }

  var nextCallBack: Instant? { nil }
}
