/// Why a job was not accepted, or cannot be run.
public enum JobError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknownType(String, known: [String])
  case parameters(type: String, reason: String)
  case parametersTooLarge(type: String, bytes: Int, limit: Int)
  case alreadyPresent(id: String)
  case notKept(id: String, reason: String)
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
