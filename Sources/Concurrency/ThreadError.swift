/// The system refused to create a thread or to apply one of its settings.
public enum ThreadError: Error, Equatable, CustomStringConvertible {
  /// The thread was not created: usually a limit on the number of threads, or no memory. `error` is an `errno` value.
  case notStarted(thread: String, error: Int32)
  /// The nice value was not set: on Linux a lower one than the current needs a privilege.
  case niceRefused(thread: String, nice: Int, error: Int32)
  /// The thread was not confined to these processors: probably one of them does not exist.
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
