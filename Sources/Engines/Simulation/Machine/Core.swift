public import FrameBudget

/// A processor core: the thread that it runs, and the time of its next event.
struct Core {
  /// In thousandths of the speed of a full-speed core.
  let speed: Int64
  var thread: ThreadIndex?
  /// The thread that ran here before the current one.
  var last: ThreadIndex?
  /// The end of the current operation or slice; on an idle core, the next search for work, or `never`.
  var event = Moment.never
  /// The instant up to which the thread's time has been accounted for.
  var accounted = Instant.zero
  /// The instant from which the thread makes progress: the end of the context switch.
  var worksFrom = Instant.zero
  /// Whether the thread must yield before it computes further, because a thread with a better claim woke up.
  var yields = false
  // Used only on machines with a run queue for each core, or with other processes.
  /// The number of ready threads in this core's run queue.
  var queued = 0
  /// The average virtual time of its run queue at the last computation.
  var virtualTime: Int64 = 0
  var busyBalance = BusyBalance()
  var idleBalance = IdleBalance()
  var idleTime = IdleTime()
  var utilisation = Utilisation()
  /// How many searches for work at a tick found only cache-hot threads.
  var failedBalances = 0
  /// How long threads of other processes have run here.
  var othersRan = TimeSpan.zero

  /// The running thread; traps on an idle core.
  var running: ThreadIndex {
    guard let thread else { preconditionFailure("a core that is not idle") }
    return thread
  }

  init(speed: Int) {
    precondition(speed > 0, "a core has a speed")
    self.speed = Int64(speed)
  }

  /// Starts to run `thread`, whose work progresses from `worksFrom` on.
  mutating func begin(_ thread: ThreadIndex, at now: Instant, worksFrom: Instant) {
    self.thread = thread
    self.worksFrom = worksFrom
    yields = false
    accounted = now
  }

  mutating func vacate() {
    last = thread
    thread = nil
    event = .never
  }

  /// Brings the account up to `now`. Returns how long the thread has run since the last account, and the work that it has
  /// done, in thousandths of a nanosecond at full speed.
  mutating func account(at now: Instant) -> (ran: TimeSpan, work: Int64) {
    let ran = now - accounted
    utilisation.busy += ran
    accounted = now
    guard now > worksFrom else { return (ran, 0) }
    let work = (now - worksFrom).nanoseconds * speed
    worksFrom = now
    return (ran, work)
  }

  /// The time that `work`, in thousandths of a nanosecond at full speed, takes on this core.
  func span(of work: Int64) -> TimeSpan {
    if speed == 1000 { return TimeSpan(nanoseconds: (work + 999) / 1000) }
    return TimeSpan(nanoseconds: (work + speed - 1) / speed)
  }
}

/// The time of an event. Events at the same instant happen in the order of their insertion.
struct Moment: Comparable {
  var at: Instant
  var number: UInt64

  static let never = Moment(at: Instant(nanoseconds: .max), number: .max)

  static func < (left: Self, right: Self) -> Bool {
    left.at == right.at ? left.number < right.number : left.at < right.at
  }
}

/// The sleeping threads in the order of their wake-up times: a binary heap.
struct TimerHeap {
  private var timers: ContiguousArray<(moment: Moment, thread: ThreadIndex)> = []

  init(capacity: Int) { timers.reserveCapacity(capacity) }

  var first: Moment { timers.isEmpty ? .never : timers[0].moment }

  mutating func insert(_ thread: ThreadIndex, at moment: Moment) {
    var index = timers.count
    timers.append((moment, thread))
    while index > 0, moment < timers[(index - 1) / 2].moment {
      timers[index] = timers[(index - 1) / 2]
      index = (index - 1) / 2
    }
    timers[index] = (moment, thread)
  }

  mutating func popFirst() -> ThreadIndex {
    let first = timers[0].thread
    let moved = timers.removeLast()
    guard !timers.isEmpty else { return first }
    var index = 0
    while 2 * index + 1 < timers.count {
      var child = 2 * index + 1
      if child + 1 < timers.count, timers[child + 1].moment < timers[child].moment { child += 1 }
      guard timers[child].moment < moved.moment else { break }
      timers[index] = timers[child]
      index = child
    }
    timers[index] = moved
    return first
  }
}

/// How threads share the cores by weight, as in Linux's EEVDF scheduler (kernel/sched/fair.c, 6.18).
public struct FairShare: Hashable, Sendable {
  /// How long a thread keeps its core while other threads wait for it, in virtual time: `sysctl_sched_base_slice`.
  public var slice: TimeSpan
  /// For this long after it last ran, a thread is cache-hot and is not migrated: `sysctl_sched_migration_cost`. A core that
  /// is idle for shorter on average does not search other queues.
  public var warm: TimeSpan
  /// How often an idle core searches the other run queues for waiting threads: the period of the timer tick.
  public var tick: TimeSpan
  /// How often the recent load of a thread is updated: 1024 us.
  var loadPeriod = TimeSpan.nanoseconds(1_024_000)

  public init(
    slice: TimeSpan, warm: TimeSpan = .microseconds(500), tick: TimeSpan = .milliseconds(4)
  ) {
    precondition(slice > .zero && tick > .zero, "slices and ticks have a length")
    self.slice = slice
    self.warm = warm
    self.tick = tick
  }

  /// Linux's slice: 0.70 ms (0.75 in its first versions) times 1 + log2 of the number of cores, of which at most 8 count.
  public static func standard(cores: Int) -> FairShare {
    let factor =
      1 + (min(max(cores, 1), 8).bitWidth - 1 - min(max(cores, 1), 8).leadingZeroBitCount)
    return FairShare(slice: TimeSpan.microseconds(700) * factor)
  }

  /// The bound on a thread's lag, ahead or behind, when it wakes: `entity_lag`.
  var maxLag: TimeSpan { max(slice * 2, tick) }
}

/// When a core searches the other queues although it is busy (`sched_balance_domains`, `get_sd_balance_interval`).
struct BusyBalance {
  /// The tick of the last search.
  var last: Int64 = 0
  /// Whether the last search found the queues balanced, so that the next one comes later.
  var isBalanced = true

  /// The tick of the next search: after 16 ms (4 ticks) for each core, or twice that, less a tick.
  func due(cores: Int) -> Int64 { last + Int64(cores) * (isBalanced ? 8 : 4) - 1 }

  /// Counts the searches up to the tick `now` that were not simulated, because no thread waited. Returns whether there were any.
  @inline(__always)
  mutating func countSearches(upTo now: Int64, cores: Int) -> Bool {
    guard due(cores: cores) <= now else { return false }
    while due(cores: cores) <= now {
      last = due(cores: cores)
      isBalanced = true
    }
    return true
  }

  /// Ends an idle time that began in the tick `since`. An idle core searches at each tick.
  mutating func endIdle(since: Int64, now: Int64) {
    if since < now { last = now }
  }
}

/// The recent utilisation of a core (`util_avg`): a decaying average with a half-life of 32 ms.
struct Utilisation {
  /// The total busy time of the core, up to the last account.
  var busy = TimeSpan.zero
  private var seen = TimeSpan.zero
  /// In thousandths.
  private(set) var share: Int64 = 0

  /// Updates the average, `span` after the last time, in `steps` of a tick. `running` is the busy time since the last account.
  @inline(__always)
  mutating func update(after span: TimeSpan, running: TimeSpan, steps: Int64) {
    let busy = self.busy + running
    // A core that has been idle for long stays at zero.
    if busy == seen && share == 0 { return }
    let recent =
      busy == seen ? 0 : (busy - seen).nanoseconds * 1000 / span.nanoseconds
    for _ in 0..<steps {
      let change = (recent - share) * 83 / 1000
      if change == 0 { break }
      share += change
    }
    seen = busy
  }
}

/// How long a core is idle, on average over its last idle times (`avg_idle`).
struct IdleTime {
  private var average: TimeSpan?
  private(set) var since: Instant?

  mutating func begin(at now: Instant) { since = now }

  /// Forgets an idle time that a search ended at once.
  mutating func forget() { since = nil }

  /// Ends the idle time, if there is one. No average is longer than two searches.
  @inline(__always)
  mutating func end(at now: Instant, search: TimeSpan) {
    guard let since else { return }
    self.since = nil
    let average = average ?? search * 2
    let next = average.nanoseconds + ((now - since) - average).nanoseconds / 8
    self.average = min(TimeSpan(nanoseconds: next), search * 2)
  }

  /// Whether the core is idle for long enough to search other queues.
  func allows(search: TimeSpan) -> Bool { average.map { $0 >= search } ?? true }
}

/// The probability that a core searches the other run queues when it becomes idle: it follows the share of searches that found
/// a thread (`sched_balance_newidle`, `update_newidle_stats`).
struct IdleBalance {
  private var calls = 512
  private var successes = 256
  private(set) var ratio = 512

  /// Whether the core searches, given a random number from 0 to 1023. `note(found:)` must follow a search.
  mutating func searches(_ random: Int) -> Bool {
    if random <= ratio + 1 { return true }
    count(successes: 0)
    return false
  }

  /// Counts a search. Finding a thread counts more often the more searches were skipped.
  mutating func note(found: Bool) {
    let chance = ratio + 1
    count(successes: found ? (1024 + chance / 2) / chance : 0)
  }

  private mutating func count(successes: Int) {
    calls += 1
    self.successes += successes
    guard calls >= 1024 else { return }
    ratio = self.successes
    calls /= 2
    self.successes /= 2
  }
}

/// Decides which of several ready threads gets a core.
enum Priority: Hashable, Sendable {
  /// Shares the cores with all other fair threads, by weight.
  case fair(nice: Int)
  /// Runs before all fair threads and all threads with a smaller number, for as long as it likes.
  case fixed(Int)

  /// 0 for fair threads; positive for fixed priorities.
  var rank: Int {
    switch self {
    case .fair: 0
    case .fixed(let number): number
    }
  }

  /// Its share of a core in relation to others: 1024 at nice 0. A fixed priority weighs more than any fair thread.
  var weight: Int64 {
    guard case .fair(let nice) = self else { return 1 << 17 }
    return Self.weights[min(max(nice, -20), 19) + 20]
  }

  /// Linux's weight for each nice value from -20 to 19: `sched_prio_to_weight` in kernel/sched/core.c.
  private static let weights: [Int64] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
    9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
    1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
  ]
}
