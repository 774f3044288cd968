/// Says which wish about a thread the system did not grant, and why.
public enum ThreadError: Error, Equatable, CustomStringConvertible {
  /// The thread was not created: usually a limit on their number, or no memory.
  case notStarted(thread: String, error: Int32)
  /// The nice value was not set: a lower one than the present needs a privilege on Linux.
  case niceRefused(thread: String, nice: Int, error: Int32)
  /// The thread was not confined to these processors: most likely one of them does not exist.
  case pinningRefused(thread: String, processors: [Int], error: Int32)

  public var description: String {
    switch self {
    case .notStarted(let thread, let error):
      "thread '\(thread)' could not be started: \(Platform.describe(error: error))"
    case .niceRefused(let thread, let nice, let error):
      "thread '\(thread)' cannot have nice \(nice): \(Platform.describe(error: error))"
    case .pinningRefused(let thread, let processors, let error):
      "thread '\(thread)' cannot run on processors \(processors): "
        + Platform.describe(error: error)
    }
  }
}
