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

/// The outcome of a run of a job.
public enum JobOutcome: Hashable, Sendable {
  /// The run succeeded.
  case success
  /// The run failed. A final failure is not retried.
  case failure(reason: String, isFinal: Bool = false)

  init(_ error: any Error) {
    if let final = error as? FinalJobFailure {
      self = .failure(reason: final.reason, isFinal: true)
    } else {
      self = .failure(reason: "\(error)")
    }
  }
}

/// An error for a job's code to throw if a retry would not help.
public struct FinalJobFailure: Error, Hashable, Sendable {
  /// The reason, for people.
  public let reason: String

  /// - Parameter reason: the reason, for people.
  public init(_ reason: String) { self.reason = reason }
}

/// The reason why a job was not accepted or cannot run.
public enum JobError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No type of this name is registered; `known` lists the registered types.
  case unknownType(String, known: [String])
  /// The parameters could not be encoded or decoded.
  case parameters(type: String, reason: String)
  /// The parameters exceed the limit; both sizes are in bytes.
  case parametersTooLarge(type: String, bytes: Int, limit: Int)
  /// The queue has a job with this id, and `IfPresent` is `refuse`.
  case alreadyPresent(id: String)
  /// The store could not keep the job, so it was not added.
  case notKept(id: String, reason: String)
  /// The queue has been stopped.
  case stopped
  /// The system refused a thread.
  case noThread(reason: String)

  public var description: String {
    switch self {
    case .unknownType(let type, let known):
      "'\(type)' is not a registered type of job; registered: \(known.joined(separator: ", "))"
    case .parameters(let type, let reason):
      "the parameters of a job '\(type)' cannot be read or written: \(reason)"
    case .parametersTooLarge(let type, let bytes, let limit):
      "the parameters of a job '\(type)' take \(bytes) bytes; allowed: \(limit)"
    case .alreadyPresent(let id): "a job '\(id)' is there already"
    case .notKept(let id, let reason): "the job '\(id)' could not be stored: \(reason)"
    case .stopped: "the queue has been stopped"
    case .noThread(let reason): "the queue has no thread: \(reason)"
    }
  }
}
