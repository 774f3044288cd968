internal import Synchronization

/// One run of a job, as its code sees it.
public final class JobRun: Sendable {
  /// The job as it was when this run began.
  public let record: JobRecord
  private let cancelled = Atomic(false)

  init(_ record: JobRecord) { self.record = record }

  /// Whether somebody has cancelled the job since it started: long work looks now and then, and ends early.
  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
