/// A change of a job or of the store. A queue's listeners receive these in order.
public enum JobEvent: Hashable, Sendable {
  /// The job was accepted, and stored if there is a store.
  case added(JobRecord)
  /// The job was restored from an earlier run of the app.
  case restored(JobRecord)
  /// A thread of the queue begins to run the job.
  case started(JobRecord)
  /// The job succeeded, and is over.
  case completed(JobRecord)
  /// The job succeeded, and will run again.
  case repeating(JobRecord)
  /// The job failed, and will be retried.
  case retrying(JobRecord, reason: String)
  /// The job failed, and is over.
  case failed(JobRecord, reason: String)
  /// The job was cancelled, and will not run any more.
  case cancelled(JobRecord)
  /// The job's deadline passed before it could start.
  case expired(JobRecord)

  /// A kept job cannot be read, or its type is not registered. It stays in the store.
  case unreadable(id: String, reason: String)
  /// The store was damaged, was moved to `path`, and starts empty.
  case setAside(path: String, reason: String)
  /// The store cannot be opened. Its contents stay, and no job is accepted.
  case unusable(reason: String)
  /// A change could not be stored, so finished jobs may run again in the next run of the app.
  case notStored(reason: String)
  /// All kept jobs, of this number, have been restored.
  case restoredAll(Int)

  /// The job of the event, if any.
  public var record: JobRecord? {
    switch self {
    case .added(let record), .restored(let record), .started(let record), .completed(let record),
      .repeating(let record), .retrying(let record, _), .failed(let record, _),
      .cancelled(let record), .expired(let record):
      record
    case .unreadable, .setAside, .unusable, .notStored, .restoredAll: nil
    }
  }
}
