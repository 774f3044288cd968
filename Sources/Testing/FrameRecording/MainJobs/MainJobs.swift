package import CFrameBudgetMainJobs
internal import SchedulableThreads
internal import Dispatch
internal import Synchronization

/// A job that was posted to the main actor, with the notes of its observer.
package struct PostedJob: Sendable {
  /// The observer's number for the job.
  package let item: UInt32
  /// The observer's number for the code that posted it.
  package let poster: UInt32
  /// When it was posted, on a monotonic clock.
  package let posted: Int64

  package init(item: UInt32, poster: UInt32, posted: Int64) {
    self.item = item
    self.poster = poster
    self.posted = posted
  }
}

/// Observes the main actor's jobs.
package protocol MainJobObserver: Sendable {
  /// A job is being posted, on the calling thread. Returns nil if it should run without being observed.
  func posted(_ job: UInt) -> PostedJob?
  /// The job runs now, by `body`.
  @MainActor func run(_ job: PostedJob, _ body: () -> Void)
}

/// Shows the jobs of the main actor, and those of Swift's thread pool, to one observer at a time.
///
/// No public API can observe them: jobs of the main actor go to its executor even if a task prefers another one. So during an
/// observation, Swift's own hooks replace the main actor's executor by one that does the same and reads the clock before and
/// after each job; they also show the jobs of the pool.
package enum MainJobs {
  private static let observer = Locked<(any MainJobObserver)?>(nil)
  private static let main = ShownMainExecutor()

  /// Whether the runtime has the hooks.
  package static var areSeen: Bool { cmainjobs_available() }

  /// Whether the caller runs on the main thread, or on the thread that serves the main queue in its place.
  package static var isOnMain: Bool { main.isCurrent }

  /// The number of waiting jobs of the main actor that were posted during an observation.
  package static var waitingCount: Int { waiting.load(ordering: .acquiring) }

  /// Whether none of the main actor's jobs that were posted during an observation waits or runs.
  package static var areOver: Bool { unended.load(ordering: .acquiring) == 0 }

  fileprivate static let waiting = Atomic(0)
  fileprivate static let unended = Atomic(0)

  static var current: (any MainJobObserver)? { observer.withLock { $0 } }

  /// Begins an observation; returns false during another one. `pool` is called with each job for the pool.
  package static func begin(_ newcomer: any MainJobObserver, pool: cmainjobs_taker? = nil) -> Bool {
    let isFree = observer.withLock { observer in
      guard observer == nil else { return false }
      observer = newcomer
      return true
    }
    guard isFree else { return false }
    // Two words: the object, and the kind of its executor, as the runtime passes them.
    let words = unsafe unsafeBitCast(main.asUnownedSerialExecutor(), to: (UInt, UInt).self)
    cmainjobs_take(cmainjobs_executor(identity: words.0, implementation: words.1), pool)
    return true
  }

  /// Ends the observation. Jobs whose posts were observed are still shown when they run.
  package static func end() {
    cmainjobs_release()
    observer.withLock { $0 = nil }
  }
}

/// The main actor's executor during an observation; it uses the main queue as usual.
private final class ShownMainExecutor: SerialExecutor {
  var isCurrent: Bool { Platform.isMainThread || MainDispatchQueue.isCurrent }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let observer = MainJobs.current
    let posted = observer?.posted(unsafe unsafeBitCast(job, to: UInt.self))
    MainJobs.waiting.add(1, ordering: .releasing)
    MainJobs.unended.add(1, ordering: .releasing)
    DispatchQueue.main.async { [self] in
      MainJobs.waiting.subtract(1, ordering: .relaxed)
      defer { MainJobs.unended.subtract(1, ordering: .releasing) }
      guard let observer, let posted else {
        return unsafe job.runSynchronously(on: asUnownedSerialExecutor())
      }
      MainActor.assumeIsolated {
        observer.run(posted) { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }
  }

  func isIsolatingCurrentContext() -> Bool? { MainDispatchQueue.isCurrent }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }
}
