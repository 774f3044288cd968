public import FrameBudget

/// A processor core: the thread it runs, and when something happens on it next.
struct Core {
  /// In thousandths of a full one.
  let speed: Int64
  var thread: ThreadIndex?
  /// The thread that was here before.
  var last: ThreadIndex?
  /// The end of the operation under way, or of the slice; never while the core is idle.
  var event = Moment.never
  /// Until when the thread's time has been accounted for.
  var accounted = Instant.zero
  /// Since when its work has been progressing: after the switch.
  var worksFrom = Instant.zero
  /// Whether the thread has to make room before it computes on: another one woke up meanwhile.
  var yields = false
  // What only machines with a queue for each core, or with other processes, look at.
  /// How many of those wait that are this core's.
  var queued = 0
  /// The average virtual time of its queue when that was last asked for.
  var virtualTime: Int64 = 0
  /// When it was last looked at whether a thread should go to a core that is wanted less.
  var evenedOut = Instant.zero
  var idleBalance = IdleBalance()
  var utilisation = Utilisation()
  /// How many ticks in a row it was idle and found only threads that are kept by their caches.
  var failedLooks = 0
  /// How long threads of other processes have been here.
  var othersRan = TimeSpan.zero

  /// The thread that is here, for whoever knows that there is one.
  var running: ThreadIndex {
    guard let thread else { preconditionFailure("a core that is not idle") }
    return thread
  }

  init(speed: Int) {
    precondition(speed > 0, "a core has a speed")
    self.speed = Int64(speed)
  }

  /// Turns to `thread`, whose work progresses from `worksFrom` on.
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

  /// Returns how long the thread has been here since the last account, and what work it has done, in
  /// thousandths of a nanosecond at full speed.
  mutating func account(at now: Instant) -> (ran: TimeSpan, work: Int64) {
    let ran = now - accounted
    utilisation.busy += ran
    accounted = now
    guard now > worksFrom else { return (ran, 0) }
    let work = (now - worksFrom).nanoseconds * speed
    worksFrom = now
    return (ran, work)
  }

  /// How long `work`, in thousandths of a nanosecond at full speed, takes here.
  func span(of work: Int64) -> TimeSpan {
    if speed == 1000 { return TimeSpan(nanoseconds: (work + 999) / 1000) }
    return TimeSpan(nanoseconds: (work + speed - 1) / speed)
  }
}

/// When something happens; what is due at the same instant happens in the order of insertion.
struct Moment: Comparable {
  var at: Instant
  var number: UInt64

  static let never = Moment(at: Instant(nanoseconds: .max), number: .max)

  static func < (left: Self, right: Self) -> Bool {
    left.at == right.at ? left.number < right.number : left.at < right.at
  }
}

/// Sleeping threads by the moment at which they wake: a binary heap.
struct TimerHeap {
  private var timers: ContiguousArray<(moment: Moment, thread: ThreadIndex)> = []

  init(capacity: Int) { timers.reserveCapacity(capacity) }

  var first: Moment { timers.isEmpty ? .never : timers[0].moment }

  mutating func insert(_ thread: ThreadIndex, at moment: Moment) {
    var place = timers.count
    timers.append((moment, thread))
    while place > 0, moment < timers[(place - 1) / 2].moment {
      timers[place] = timers[(place - 1) / 2]
      place = (place - 1) / 2
    }
    timers[place] = (moment, thread)
  }

  mutating func popFirst() -> ThreadIndex {
    let first = timers[0].thread
    let moved = timers.removeLast()
    guard !timers.isEmpty else { return first }
    var place = 0
    while 2 * place + 1 < timers.count {
      var child = 2 * place + 1
      if child + 1 < timers.count, timers[child + 1].moment < timers[child].moment { child += 1 }
      guard timers[child].moment < moved.moment else { break }
      timers[place] = timers[child]
      place = child
    }
    timers[place] = moved
    return first
  }
}

/// How threads take turns that share the cores by weight: as Linux's EEVDF scheduler has it (kernel/sched/fair.c, 6.18).
public struct FairShare: Hashable, Sendable {
  /// How long a thread keeps its core while others wait for it, in virtual time: `sysctl_sched_base_slice`.
  public var slice: TimeSpan
  /// Since it last ran, a thread stays with its core for so long: `sysctl_sched_migration_cost`.
  public var warm: TimeSpan
  /// How often an idle core looks for threads that wait elsewhere: the period of the timer tick.
  public var tick: TimeSpan

  public init(
    slice: TimeSpan, warm: TimeSpan = .microseconds(500), tick: TimeSpan = .milliseconds(4)
  ) {
    precondition(slice > .zero && tick > .zero, "slices and ticks have a length")
    self.slice = slice
    self.warm = warm
    self.tick = tick
  }

  /// Linux's slice: 0.70 ms (0.75 in its first versions) times 1 + log2 of the cores, of at most 8.
  public static func standard(cores: Int) -> FairShare {
    let factor =
      1 + (min(max(cores, 1), 8).bitWidth - 1 - min(max(cores, 1), 8).leadingZeroBitCount)
    return FairShare(slice: TimeSpan.microseconds(700) * factor)
  }

  /// By how much a thread may be ahead of its due, or behind, when it wakes: `entity_lag`.
  var mostLag: TimeSpan { max(slice * 2, tick) }
  /// How often a busy core sends a thread to one that is wanted less: 16 times the 2 ms of two cores.
  var evenOutEvery: TimeSpan { tick * 8 }
}

/// How much of the time a core was busy of late, where a period of 32 ms counts half as much as the next (`util_avg`).
struct Utilisation {
  /// How long the core has been busy in all, up to the last account.
  var busy = TimeSpan.zero
  private var seen = TimeSpan.zero
  private var since = Instant.zero
  /// In thousandths.
  private(set) var share: Int64 = 0

  /// Brings it up to date, once in a tick; `running` is for how long the core has been busy since the last account.
  @inline(__always)
  mutating func update(at now: Instant, running: TimeSpan, tick: TimeSpan) {
    let span = now - since
    guard span >= tick else { return }
    let busy = self.busy + running
    let recent = (busy - seen).nanoseconds * 1000 / span.nanoseconds
    // A tick is an eighth of the 32 ms.
    for _ in 0..<min(span.nanoseconds / tick.nanoseconds, 64) {
      share += (recent - share) * 83 / 1000
    }
    seen = busy
    since = now
  }
}

/// Whether a core that becomes idle looks for threads that wait elsewhere: the more often it found one, and the more seldom
/// it becomes idle, the more likely (`sched_balance_newidle`, `update_newidle_stats`).
struct IdleBalance {
  private var calls = 512
  private var successes = 256
  private var ratio = 512
  private var since = Instant.zero

  /// Out of 1025: how likely it looks.
  var chance: Int { 1 + ratio }
  /// How much one look counts, so that those that were left out do.
  var weight: Int { (1024 + chance / 2) / chance }

  mutating func note(calls: Int = 1, successes: Int, at now: Instant, tick: TimeSpan) {
    self.calls += calls
    self.successes += successes
    guard self.calls >= 1024 else { return }
    // A thousandth more for each 4.2 ms that they took; ticks are as long.
    let spans = (now - since).nanoseconds / max(1, tick.nanoseconds * 1_048_576 / 1_000_000)
    ratio = min(1024, self.successes + Int(clamping: spans))
    since = now
    self.calls /= 2
    self.successes /= 2
  }
}

/// What decides which of several ready threads gets a core.
enum Priority: Hashable, Sendable {
  /// Shares the cores with all other fair threads, by weight.
  case fair(nice: Int)
  /// Runs before every fair thread and every one of a smaller number, as long as it likes.
  case fixed(Int)

  /// 0 for fair threads; more for others.
  var rank: Int {
    switch self {
    case .fair: 0
    case .fixed(let number): number
    }
  }

  /// By how much a nanosecond on a core advances a thread's virtual time: 1024 at nice 0.
  var pace: Int64 {
    guard case .fair(let nice) = self else { return 0 }
    let weight = Self.weights[min(max(nice, -20), 19) + 20]
    return ((1 << 20) + weight / 2) / weight
  }

  /// Linux's weight for each nice value from -20 to 19: `sched_prio_to_weight` in kernel/sched/core.c.
  private static let weights: [Int64] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
    9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
    1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
    110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
  ]
}
