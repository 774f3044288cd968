/// The content of a recording before a part of it is chosen: for `learn --list`, and for the choice itself.
public struct RecordingIndex: Sendable {
  public struct Thread: Sendable {
    public var process: RecordedProcess
    public var number: Int
    public var name: String
    /// The number of slices, and of those that are in no other; 0 if only the frames of its process were recorded.
    public var slices: Int
    public var tasks: Int
    /// The number of frames that it drew, or that its process drew if the recording does not say which thread did.
    public var frames = 0
    /// How often it requested one, as clients of Wayland do; 0 in other recordings.
    var requests = 0
  }

  /// The thread that is assumed to be the UI thread, and why, as `learn` prints it.
  public enum Choice: Sendable {
    case thread(Int, because: String)
    /// Several candidates that the recording does not distinguish, so the user must name one.
    case tie([Int], because: String)

    /// The thread, or the first of several candidates.
    var first: Int? {
      switch self {
      case .thread(let thread, _): thread
      case .tie(let threads, _): threads.first
      }
    }
  }

  public var format: RecordingFormat
  public var threads: [Thread]
  /// Nil if no thread has slices or frames.
  public var choice: Choice?
}
