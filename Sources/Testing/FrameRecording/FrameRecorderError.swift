/// An error of a recording.
public enum FrameRecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another recording, or a measurement of `FrameBudgetTesting`, is on; a process allows one at a time.
  case isWatched
  /// No recording is on.
  case isOff
  /// The file could not be created or written, or exists already.
  case file(String, problem: String)
  /// The system refused the writing thread, for this reason.
  case noThread(String)

  /// The problem and its remedy.
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
