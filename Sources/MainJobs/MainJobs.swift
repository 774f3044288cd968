package import CMainJobs
internal import Concurrency
internal import Dispatch
internal import Synchronization

/// A job that was posted to the main actor: what its witness noted then.
package struct PostedJob: Sendable {
  /// A number that means something to the witness.
  package let item: UInt32
  /// The same of whoever posted it.
  package let poster: UInt32
  /// When it was posted, on a clock that only goes forward.
  package let posted: Int64

  package init(item: UInt32, poster: UInt32, posted: Int64) {
    self.item = item
    self.poster = poster
    self.posted = posted
  }
}

/// Sees the main actor's jobs come and run.
package protocol MainJobWitness: Sendable {
  /// A job comes, on whichever thread posts it; nil if it is to go its usual way.
  func posted(_ job: UInt) -> PostedJob?
  /// Its turn has come: `body` runs it.
  @MainActor func run(_ job: PostedJob, _ body: () -> Void)
}

/// Shows what runs on the main actor, and what goes to Swift's pool of threads, to one witness at a time.
///
/// Nothing of that can be seen from outside by public means: jobs of the main actor go to its executor, whatever executor a
/// task prefers. So while somebody looks, Swift's own hooks put an executor in the main actor's place that does the same
/// with a look at the clock before and after, and show what goes to the pool.
package enum MainJobs {
  private static let witness = Locked<(any MainJobWitness)?>(nil)
  private static let main = ShownMainExecutor()

  /// Whether the runtime has the hooks.
  package static var areSeen: Bool { cmainjobs_available() }

  /// Whether the caller runs on the main thread, or on the one that serves the main queue in its place.
  package static var isOnMain: Bool { main.isCurrent }

  /// How many jobs wait for the main actor, of those that were posted while somebody looked.
  package static var waitingCount: Int { waiting.load(ordering: .acquiring) }

  fileprivate static let waiting = Atomic(0)

  static var current: (any MainJobWitness)? { witness.withLock { $0 } }

  /// Begins to show jobs; false where they are shown to somebody else. `pool` is asked about each job that goes to the pool.
  package static func begin(_ newcomer: any MainJobWitness, pool: cmainjobs_taker? = nil) -> Bool {
    let isFree = witness.withLock { witness in
      guard witness == nil else { return false }
      witness = newcomer
      return true
    }
    guard isFree else { return false }
    // Two words: the object and how it is an executor, as the runtime passes them on.
    let words = unsafe unsafeBitCast(main.asUnownedSerialExecutor(), to: (UInt, UInt).self)
    cmainjobs_take(cmainjobs_executor(identity: words.0, implementation: words.1), pool)
    return true
  }

  /// From now on jobs go their usual way. Those that were seen to be posted are still shown when they run.
  package static func end() {
    cmainjobs_release()
    witness.withLock { $0 = nil }
  }
}

/// The main actor's executor while somebody looks: the main queue, as ever.
private final class ShownMainExecutor: SerialExecutor {
  private static let isMain = DispatchSpecificKey<Bool>()

  init() { DispatchQueue.main.setSpecific(key: Self.isMain, value: true) }

  var isCurrent: Bool {
    Platform.isMainThread || DispatchQueue.getSpecific(key: Self.isMain) ?? false
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let witness = MainJobs.current
    let posted = witness?.posted(unsafe unsafeBitCast(job, to: UInt.self))
    MainJobs.waiting.add(1, ordering: .releasing)
    DispatchQueue.main.async { [self] in
      MainJobs.waiting.subtract(1, ordering: .relaxed)
      guard let witness, let posted else {
        return unsafe job.runSynchronously(on: asUnownedSerialExecutor())
      }
      MainActor.assumeIsolated {
        witness.run(posted) { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }
  }

  func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: Self.isMain) ?? false }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }
}
