internal import FrameBudget

/// A thread as the machine sees it.
///
/// One thing although it holds more than ten: who runs and who wakes is chosen by looking at them side by side.
struct VirtualThread {
  /// What it was given; `rank` and `pace` may be better while others wait for a lock it owns.
  var priority: Priority
  var rank: Int
  var pace: Int64
  var state = State.ready
  /// Work left of the operation under way, in thousandths of a nanosecond of a full-speed core.
  var remaining: Int64 = 0
  /// Time on a core times pace, counted from where its queue put it.
  var virtualTime: Int64 = 0
  /// The virtual time up to which its request lasts: of those that are due something, the one with the earliest goes first.
  var deadline: Int64 = 0
  /// The virtual time up to which it keeps its core although others have come: its deadline when it got the core.
  var protection: Int64 = 0
  /// While it is in no queue: how far behind the average of its queue it was, so how much it is due.
  var lag: Int64 = 0
  /// Whether it sleeps and still counts in its queue, because it has had more than its due.
  var isDelayed = false
  /// Until when it last ran.
  var ran: Instant?
  /// When it joined the ready threads, as a place in the order of all insertions.
  var order: UInt64 = 0
  var readySince = Instant.zero
  /// How long it was ready and had no core.
  var readyTime = TimeSpan.zero
  var cpu = TimeSpan.zero
  /// How long it has waited for locks, and since when it waits for the one that it wants.
  var lockWait = TimeSpan.zero
  var lockSince = Instant.zero
  /// The lock it waits for, or, woken, tries to take.
  var lock: LockIndex?
  /// The thread behind it in the line for a lock or a queue.
  var behind: ThreadIndex?
  /// Where it may run.
  let cores: CoreSet
  // Where there is a queue for each core: the one at which it waits, or which it ran on last, and that of who woke it.
  var home: CoreIndex?
  var waker: CoreIndex?
  /// For how long other processes had had what it waits for when it began to wait.
  var othersBefore = TimeSpan.zero

  enum State {
    case ready, running, blocked, sleeping, ended
    /// Woken, and ready to run when the latency is over.
    case waking
  }

  init(_ request: ThreadRequest) {
    priority = request.priority
    rank = priority.rank
    pace = priority.pace
    cores = request.cores
    if !request.runs { state = .ended }
  }

  /// Its share beside others: 1024 at nice 0, and more than any fair one's for a fixed priority.
  var weight: Int64 { pace > 0 ? (1 << 20) / pace : 1 << 17 }

  /// It has had a core for so long.
  mutating func ran(_ span: TimeSpan, doing work: Int64) {
    cpu += span
    virtualTime += span.nanoseconds * pace
    remaining = max(0, remaining - work)
  }
}

/// A thread that a machine is to have.
struct ThreadRequest {
  var priority: Priority
  /// Where it may run; on a machine that has none of these, anywhere, as Linux has it.
  var cores = CoreSet.all
  /// False for one that never runs: it only takes a place.
  var runs = true

  init(_ priority: Priority) { self.priority = priority }

  /// The same for a machine with so many cores.
  func fitting(cores count: Int) -> ThreadRequest {
    var request = self
    if !(0..<count).contains(where: cores.contains) { request.cores = .all }
    return request
  }
}

/// A line of threads, first come first; linked through the threads, so that it takes no memory of its own.
struct ThreadLine {
  private(set) var first: ThreadIndex?
  private var last: ThreadIndex?

  var isEmpty: Bool { first == nil }

  mutating func append(_ thread: ThreadIndex, in threads: inout PerThread<VirtualThread>) {
    threads[thread].behind = nil
    if let last { threads[last].behind = thread } else { first = thread }
    last = thread
  }

  mutating func popFirst(in threads: PerThread<VirtualThread>) -> ThreadIndex? {
    guard let popped = first else { return nil }
    first = threads[popped].behind
    if first == nil { last = nil }
    return popped
  }

  /// Takes out the thread of the highest rank, the longest waiter among equals.
  mutating func popHighest(in threads: inout PerThread<VirtualThread>) -> ThreadIndex? {
    guard var current = first else { return nil }
    var highest = current
    var ahead: ThreadIndex?
    while let next = threads[current].behind {
      if threads[next].rank > threads[highest].rank { (highest, ahead) = (next, current) }
      current = next
    }
    guard let ahead else { return popFirst(in: threads) }
    threads[ahead].behind = threads[highest].behind
    if highest == last { last = ahead }
    return highest
  }

  /// The best rank and pace in the line: what the owner of its lock inherits.
  func best(in threads: PerThread<VirtualThread>) -> (rank: Int, pace: Int64)? {
    guard first != nil else { return nil }
    var best = (rank: Int.min, pace: Int64.max)
    var current = first
    while let place = current {
      let thread = threads[place]
      best.rank = max(best.rank, thread.rank)
      best.pace = min(best.pace, thread.pace)
      current = thread.behind
    }
    return best
  }
}

/// What a virtual thread answers when it is asked what it does next.
enum Operation {
  /// Uses a core for so long, if the core is one of full speed.
  case compute(TimeSpan)
  case lock(LockIndex)
  case unlock(LockIndex)
  /// Takes an event out of a queue, and sleeps until there is one.
  case wait(QueueIndex)
  /// Puts an event into a queue, which costs what the queue says and `extra`.
  case post(QueueIndex, extra: TimeSpan = .zero)
  case sleep(until: Instant)
  /// As `sleep`, of thread 0 alone; a wake request ends it earlier.
  case doze(until: Instant)
  /// Gives a thread that shares the cores another nice value.
  case renice(ThreadIndex, to: Int)
  case end
}

/// A place among a machine's event queues, one for each lane. The machine only counts events; what they mean is the
/// program's.
typealias QueueIndex = LaneIndex
typealias CoreIndex = TypedIndex<Core>

/// The threads that a machine runs: values, not real threads.
protocol VirtualThreads: ~Copyable {
  /// What `thread` does next. It is asked while it has a core, once its last operation is over; `ready` is
  /// how long it was ready to run and had no core, up to now.
  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation

  /// Whether thread 0 is to be woken if it dozes, since this was last asked.
  mutating func takeWakeRequest() -> Bool

  /// Notes that `thread` was ready to run in between, and had no core; often for no time at all. `others` is for how long
  /// of that other processes had it.
  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan)
}

extension VirtualThreads where Self: ~Copyable {
  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan
  ) {}

  @inline(__always)
  mutating func takeWakeRequest() -> Bool { false }
}
