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
