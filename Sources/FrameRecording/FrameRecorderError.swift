/// Why a recording could not be made.
public enum FrameRecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One is under way, or a measurement of `FrameBudgetTesting`: a process is watched by one at a time.
  case isWatched
  /// None is under way.
  case isOff
  /// The file could not be made or written, or is there already; why.
  case file(String, problem: String)
  /// There was no thread to be had that writes; why.
  case noThread(String)

  /// What is wrong, and what can be done about it.
  public var description: String {
    switch self {
    case .isWatched:
      "a recording or a measurement of this process is under way; end it before another one"
    case .isOff: "no recording is under way; FrameRecorder.start begins one"
    case .file(let path, let problem): "\(path): \(problem)"
    case .noThread(let problem): problem
    }
  }
}
