/// What has become of a job, or of the store; told to a queue's listeners in the order in which it happened.
public enum JobEvent: Hashable, Sendable {
  /// It was accepted, and kept where there is a store.
  case added(JobRecord)
  /// It was kept from an earlier run of the app.
  case restored(JobRecord)
  /// One of the queue's threads begins to run it.
  case started(JobRecord)
  /// It has succeeded, and is over.
  case completed(JobRecord)
  /// It has succeeded, and will run again.
  case repeating(JobRecord)
  /// It has failed, and will be tried again.
  case retrying(JobRecord, reason: String)
  /// It has failed for good.
  case failed(JobRecord, reason: String)
  /// It will not run any more, by `cancel`.
  case cancelled(JobRecord)
  /// Its deadline had come before it could start.
  case expired(JobRecord)

  /// A kept job that cannot be read, or whose type is not registered. It stays in the store.
  case unreadable(id: String, reason: String)
  /// The store was damaged, has been moved to `path`, and begins anew.
  case setAside(path: String, reason: String)
  /// The store cannot be opened. What it holds stays there, and no job is accepted.
  case unusable(reason: String)
  /// A change could not be stored, so that jobs which are over may run again in the next run of the app.
  case notStored(reason: String)
  /// All that was kept has been restored.
  case restoredAll(Int)

  /// The job that it is about.
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
