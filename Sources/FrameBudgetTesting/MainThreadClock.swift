internal import CMainJobs
internal import Concurrency
internal import Dispatch
internal import MainJobs

/// Takes the time of what the main thread does, stretch by stretch, with few system calls.
///
/// Which instant it is costs none; how long the thread ran, and how often it slept, cost one each, more than a small closure
/// takes. So these are read where they can say something new: where the thread may have slept, behind a stretch that was long
/// enough to lose the processor, and every now and then. In between it is taken to have run all the time.
struct MainThreadClock {
  /// One stretch, without a pause, in nanoseconds.
  struct Stretch {
    let began, ended: Int64
    /// Processor time of the thread.
    let cpu: Int64
    /// Time in which it slept: for a lock, a disk, a timer.
    let blocked: Int64

    /// Time in which others had its processor.
    var lost: Int64 { ended - began - cpu - blocked }
  }

  /// No thread loses its processor and has it again within so long.
  private static let short: Int64 = 5_000
  /// What is lost in stretches that are shorter is not to add up for longer than this.
  private static let unread: Int64 = 200_000
  /// No thread sleeps and is woken within so long.
  private static let nap: Int64 = 2_000

  /// Whether the thread has been where it may have slept since the last stretch.
  var mayHaveSlept = true
  /// When the last stretch began or ended.
  private(set) var latest: Int64 = 0
  private var readAt: Int64 = 0
  /// For how long the thread did not run, up to when it was read last; only differences mean anything.
  private var idle: Int64 = 0
  private var sleeps: Int64 = 0

  /// - Returns: when the stretch begins.
  mutating func begin() -> Int64 {
    let now = ThreadUse.clock
    latest = needsReading(at: now) ? readBefore() : now
    return latest
  }

  private func needsReading(at now: Int64) -> Bool {
    mayHaveSlept || now - latest >= Self.short || now - readAt >= Self.unread
  }

  /// The instant is the last thing that is read, so that the stretch has none of this.
  private mutating func readBefore() -> Int64 {
    sleeps = ThreadUse.sleepCount
    let cpu = ThreadUse.processorTime
    let now = ThreadUse.clock
    (idle, readAt, mayHaveSlept) = (now - cpu, now, false)
    return now
  }

  /// - Parameter began: what `begin` returned.
  /// - Returns: the stretch, which ends now.
  mutating func end(_ began: Int64) -> Stretch {
    let now = ThreadUse.clock
    let isShort = now - latest < Self.short
    latest = now
    guard !isShort else { return Stretch(began: began, ended: now, cpu: now - began, blocked: 0) }
    let lost = min(readLoss(at: now), now - began)
    let hasSlept = lost > Self.nap && countSleeps()
    return Stretch(
      began: began, ended: now, cpu: now - began - lost, blocked: hasSlept ? lost : 0)
  }

  /// For how long the thread has not run since that was read before.
  private mutating func readLoss(at now: Int64) -> Int64 {
    let before = idle
    (idle, readAt) = (now - ThreadUse.processorTime, now)
    return max(0, idle - before)
  }

  /// Whether the thread has slept since that was read before.
  private mutating func countSleeps() -> Bool {
    let before = sleeps
    sleeps = ThreadUse.sleepCount
    return sleeps != before
  }
}

/// A stretch in which the loop gave the main thread to who waited for it, and what became of that time.
struct Absence: Sendable {
  /// On the clock of the segments.
  let began, ended: Int64
  /// What the main thread used of the processor meanwhile; nil where the loop came back on another thread.
  let cpu: Int64?
  /// Whether the thread went to sleep meanwhile: otherwise it could have run all the time.
  let hasSlept: Bool
  /// What items did in it, in the order of time.
  let pieces: [WorkSegment]

  /// Processor time that neither an item nor the handing over of its pieces accounts for, in nanoseconds; 0 where that is too
  /// little to be told from the library's own.
  var undeclared: Int64 {
    guard let others = othersUse else { return 0 }
    return others > Self.own + Int64(pieces.count) * Self.ownOfPiece ? others : 0
  }

  /// Processor time that no piece of an item has.
  private var othersUse: Int64? { cpu.map { $0 - pieces.reduce(0) { $0 + $1.cpu } } }

  /// What giving way takes at most, and what a piece of an item takes besides itself, in nanoseconds.
  private static let own: Int64 = 100_000
  private static let ownOfPiece: Int64 = 20_000

  /// When the undeclared work ran, and when the machine kept the thread from running, as far as both are known: in the time
  /// that no piece of an item has, the machine last.
  var spans: (undeclared: [Range<Int64>], machine: [Range<Int64>]) {
    var free = idle
    let unused = free.reduce(0) { $0 + Int64($1.count) } - (othersUse ?? .max)
    let machine = hasSlept ? [] : Self.take(unused, fromEndOf: &free)
    return (Self.take(undeclared, fromEndOf: &free), machine)
  }

  /// The time that no piece has.
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

  /// Takes the last `span` of `ranges` out of them; returns it, in the order of time.
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

/// The begin of an `Absence`.
struct AbsenceStart {
  private let thread = Platform.threadID()
  private let sleeps = ThreadUse.sleepCount
  private let cpu = ThreadUse.processorTime
  let clock = ThreadUse.clock

  /// The absence that ends now, with what items did in it.
  func ended(_ pieces: [WorkSegment]) -> Absence {
    let now = ThreadUse.now()
    return Absence(
      began: clock, ended: now.clock, cpu: thread == Platform.threadID() ? now.cpu - cpu : nil,
      hasSlept: now.sleeps != sleeps, pieces: pieces)
  }
}

/// Sees what runs for items on the main actor and on Swift's pool of threads, behind their first suspension.
///
/// A job is an item's if its task is, or if work of the item posted it. Others go their usual way.
enum ObservedJobs {
  /// The tasks of open items.
  private static let tasks = Locked<[UInt: UInt32]>([:])

  /// Begins to look; false where somebody else does.
  static func begin() -> Bool { MainJobs.begin(ItemJobs(), pool: takePoolJob) }

  static func end() {
    MainJobs.end()
    tasks.withLock { $0.removeAll() }
  }

  /// Says that the calling task is an item's.
  static func registerCurrentTask(as item: UInt32) {
    let task = cmainjobs_current_task()
    tasks.withLock { $0[task] = item }
  }

  /// Says that it is not any more: another task may get its address.
  static func forgetCurrentTask() {
    let task = cmainjobs_current_task()
    tasks.withLock { $0[task] = nil }
  }

  /// The item that a job belongs to which the calling thread posts; 0 if none.
  static func item(of job: UInt) -> UInt32 {
    guard ObservedWork.isOn else { return 0 }
    return tasks.withLock { $0[job] } ?? ObservedWork.currentItem
  }
}

/// Takes the time of what items do on the main actor.
private struct ItemJobs: MainJobWitness {
  func posted(_ job: UInt) -> PostedJob? {
    // The main thread does not sleep while it posts.
    if !MainJobs.isOnMain { AppLoop.bell.unpark() }
    let item = ObservedJobs.item(of: job)
    guard item != 0 else { return nil }
    return PostedJob(item: item, poster: ObservedWork.currentItem, posted: ThreadUse.clock)
  }

  func run(_ job: PostedJob, _ body: () -> Void) {
    guard let loop = AppLoop.current else { return body() }
    loop.run(job, body)
  }
}

/// Runs a job of an item on the pool that it was meant for, between two looks at the clock.
private func takePoolJob(_ job: UInt) -> Bool {
  let item = ObservedJobs.item(of: job)
  guard item != 0 else { return false }
  let posted = ThreadUse.clock
  DispatchQueue.global().async {
    ObservedWork.measured(item, at: Measured.pool, posted: posted) { cmainjobs_run(job) }
  }
  return true
}
