internal import CMainJobs
internal import Concurrency
internal import Dispatch
internal import MainJobs

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
