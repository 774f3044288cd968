internal import Synchronization

/// One run of a job, for the job's code.
public final class JobRun: Sendable {
  /// The job as it was when this run began.
  public let record: JobRecord
  private let cancelled = Atomic(false)

  init(_ record: JobRecord) { self.record = record }

  /// Whether the job was cancelled since it started. Long work should check it regularly, and end early.
  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
