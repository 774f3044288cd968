internal import CFrameBudgetMainJobs
internal import SchedulableThreads
internal import Dispatch
internal import FrameRecording

/// Measures intervals of the main thread with few system calls.
///
/// The current time costs none. The thread's run time and number of sleeps cost one each, which is more than a small closure
/// takes. They are read only when they can have changed: when the thread may have slept, after an interval long enough to lose
/// the processor, and at regular intervals. Otherwise the thread is assumed to have run all the time.
struct MainThreadClock {
  /// One interval without a pause, in nanoseconds.
  struct MeasuredInterval {
    let began, ended: Int64
    /// Processor time of the thread.
    let cpu: Int64
    /// Time in which it slept: for a lock, a disk, a timer.
    let blocked: Int64

    /// Time in which other threads had its processor.
    var lost: Int64 { ended - began - cpu - blocked }
  }

  /// The shortest time in which a thread can lose its processor and get it back.
  private static let short: Int64 = 5_000
  /// How long losses in shorter intervals may add up before they are read.
  private static let maxReadInterval: Int64 = 200_000
  /// The shortest time in which a thread can sleep and be woken.
  private static let shortestSleep: Int64 = 2_000

  /// Whether the thread may have slept since the last interval.
  var mayHaveSlept = true
  /// When the last interval started or ended.
  private(set) var latest: Int64 = 0
  private var readAt: Int64 = 0
  /// The time without running up to the last reading; only differences are meaningful.
  private var idle: Int64 = 0
  private var sleeps: Int64 = 0

  /// - Returns: the start of the interval.
  mutating func begin() -> Int64 {
    let now = ThreadUse.clock
    latest = needsReading(at: now) ? readBefore() : now
    return latest
  }

  private func needsReading(at now: Int64) -> Bool {
    mayHaveSlept || now - latest >= Self.short || now - readAt >= Self.maxReadInterval
  }

  /// Reads the instant last, so that the interval excludes this call.
  private mutating func readBefore() -> Int64 {
    sleeps = ThreadUse.sleepCount
    let cpu = ThreadUse.processorTime
    let now = ThreadUse.clock
    (idle, readAt, mayHaveSlept) = (now - cpu, now, false)
    return now
  }

  /// - Parameter began: the result of `begin`.
  /// - Returns: the interval, which ends now.
  mutating func end(_ began: Int64) -> MeasuredInterval {
    let now = ThreadUse.clock
    let isShort = now - latest < Self.short
    latest = now
    guard !isShort else {
      return MeasuredInterval(began: began, ended: now, cpu: now - began, blocked: 0)
    }
    let lost = min(readLoss(at: now), now - began)
    let hasSlept = lost > Self.shortestSleep && countSleeps()
    return MeasuredInterval(
      began: began, ended: now, cpu: now - began - lost, blocked: hasSlept ? lost : 0)
  }

  /// The time without running since the previous reading.
  private mutating func readLoss(at now: Int64) -> Int64 {
    let before = idle
    (idle, readAt) = (now - ThreadUse.processorTime, now)
    return max(0, idle - before)
  }

  /// Whether the thread has slept since the previous reading.
  private mutating func countSleeps() -> Bool {
    let before = sleeps
    sleeps = ThreadUse.sleepCount
    return sleeps != before
  }
}

/// An interval in which the loop yielded the main thread, and how that time was used.
struct YieldInterval: Sendable {
  /// On the clock of the segments.
  let began, ended: Int64
  /// Processor time of the main thread in it; nil if the loop resumed on another thread.
  let cpu: Int64?
  /// Whether the thread slept in it; otherwise it was runnable all the time.
  let hasSlept: Bool
  /// Segments of items in it, in order of time.
  let pieces: [WorkSegment]

  /// Processor time that belongs to neither items nor hand-offs, in nanoseconds; 0 if too little to be distinguished from the
  /// library's own.
  var undeclared: Int64 {
    guard let others = othersUse else { return 0 }
    return others > Self.maxOverhead + Int64(pieces.count) * Self.overheadPerPiece ? others : 0
  }

  /// Processor time outside of items.
  private var othersUse: Int64? { cpu.map { $0 - pieces.reduce(0) { $0 + $1.cpu } } }

  /// The most that yielding takes, and the overhead of a piece of an item, in nanoseconds.
  private static let maxOverhead: Int64 = 100_000
  private static let overheadPerPiece: Int64 = 20_000

  /// When the undeclared work ran, and when the machine kept the thread from running, as far as known: in the time outside of
  /// items, with the machine last.
  var spans: (undeclared: [Range<Int64>], machine: [Range<Int64>]) {
    var free = idle
    let unused = free.reduce(0) { $0 + Int64($1.count) } - (othersUse ?? .max)
    let machine = hasSlept ? [] : Self.take(unused, fromEndOf: &free)
    return (Self.take(undeclared, fromEndOf: &free), machine)
  }

  /// The time outside of pieces.
  private var idle: [Range<Int64>] {
    var idle: [Range<Int64>] = []
    var from = began
    for piece in pieces {
      if piece.began > from { idle.append(from..<piece.began) }
      from = max(from, piece.ended)
    }
    if ended > from { idle.append(from..<ended) }
    return idle
  }

  /// Removes the last `span` from `ranges` and returns it, in order of time.
  private static func take(_ span: Int64, fromEndOf ranges: inout [Range<Int64>]) -> [Range<Int64>]
  {
    var taken: [Range<Int64>] = []
    var left = span
    while left > 0, let last = ranges.popLast() {
      let begin = max(last.lowerBound, last.upperBound - left)
      taken.append(begin..<last.upperBound)
      left -= last.upperBound - begin
      if begin > last.lowerBound { ranges.append(last.lowerBound..<begin) }
    }
    return taken.reversed()
  }
}

/// The start of a `YieldInterval`.
struct YieldStart {
  private let thread = Platform.threadID()
  private let sleeps = ThreadUse.sleepCount
  private let cpu = ThreadUse.processorTime
  let clock = ThreadUse.clock

  /// The interval that ends now, with the segments of items in it.
  func ended(_ pieces: [WorkSegment]) -> YieldInterval {
    let now = ThreadUse.now()
    return YieldInterval(
      began: clock, ended: now.clock, cpu: thread == Platform.threadID() ? now.cpu - cpu : nil,
      hasSlept: now.sleeps != sleeps, pieces: pieces)
  }
}

/// Observes the work of items on the main actor and on Swift's thread pool after their first suspension.
///
/// A job belongs to an item if it is part of the item's own task, or if work of the item posted it. What a task does when nothing
/// known resumes it, as after `Task.yield()`, belongs to the item that posted it last. Other jobs are not affected.
enum ObservedJobs {
  private static let tasks = Locked<[UInt64: Owner]>([:])

  private struct Owner {
    let item: UInt32
    /// Whether the task runs the item's closure; otherwise the item posted it last.
    let isOwn: Bool
  }

  /// Starts to observe; false if another observer exists.
  static func begin() -> Bool { MainJobs.begin(ItemJobs(), pool: takePoolJob) }

  static func end() {
    MainJobs.end()
    tasks.withLock { $0.removeAll() }
  }

  /// Registers the calling task, which runs the closure of an item.
  static func registerCurrentTask(as item: UInt32) {
    let task = cmainjobs_task_number(cmainjobs_current_task())
    tasks.withLock { $0[task] = Owner(item: item, isOwn: true) }
  }

  /// Whether the calling task runs the closure of an item.
  static var isItemsTask: Bool {
    let task = cmainjobs_task_number(cmainjobs_current_task())
    return tasks.withLock { $0[task]?.isOwn ?? false }
  }

  /// The item of a job that the calling thread posts; 0 if none.
  static func item(of job: UInt) -> UInt32 {
    guard ObservedWork.isOn else { return 0 }
    let task = cmainjobs_task_number(job)
    let poster = cmainjobs_task_number(cmainjobs_current_task())
    let current = ObservedWork.currentItem
    return tasks.withLock { tasks in
      let known = tasks[task]
      if let known, known.isOwn { return known.item }
      // An actor that runs several items' jobs in one go is still attributed to the first.
      let item = if let posting = tasks[poster], posting.isOwn { posting.item } else { current }
      guard item != 0 else { return known?.item ?? 0 }
      if task != 0 { tasks[task] = Owner(item: item, isOwn: false) }
      return item
    }
  }
}

/// Measures the work of items on the main actor.
private struct ItemJobs: MainJobObserver {
  func posted(_ job: UInt) -> PostedJob? {
    // The main thread does not sleep while it posts.
    if !MainJobs.isOnMain { AppLoop.doorbell.unpark() }
    let item = ObservedJobs.item(of: job)
    return PostedJob(item: item, poster: ObservedWork.currentItem, posted: ThreadUse.clock)
  }

  func run(_ job: PostedJob, _ body: () -> Void) {
    guard let loop = AppLoop.current else { return body() }
    loop.run(job, body)
  }
}

/// Runs an item's job on its pool and measures it.
private func takePoolJob(_ job: UInt) -> Bool {
  let item = ObservedJobs.item(of: job)
  guard item != 0 else { return false }
  let (posted, poster) = (ThreadUse.clock, ObservedWork.currentItem)
  DispatchQueue.global().async {
    ObservedWork.measured(item, at: Measured.pool, posted: posted, by: poster) {
      cmainjobs_run(job)
    }
  }
  return true
}
