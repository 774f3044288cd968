/// Why an operation of this library failed by itself.
public enum WorkError: Error, Equatable {
  /// It was cancelled before it ended by itself.
  case cancelled
  /// What it depends on failed, so it never began.
  case dependencyFailed(String)
  /// As many members of a group failed.
  case membersFailed(Int)
  /// Its input is missing: what it was to come from has not succeeded.
  case noInput
}
