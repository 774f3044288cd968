/// An error that this library itself gives an operation.
public enum WorkError: Error, Equatable {
  /// The operation was cancelled before it ended.
  case cancelled
  /// A dependency of this name failed, so the operation never began.
  case dependencyFailed(String)
  /// This number of members of a group failed.
  case membersFailed(Int)
  /// The input is missing, because the work that should produce it has not succeeded.
  case noInput
}
