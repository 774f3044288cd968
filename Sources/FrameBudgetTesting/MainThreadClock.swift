internal import Concurrency

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
