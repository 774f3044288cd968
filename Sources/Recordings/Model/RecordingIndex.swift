/// What is in a recording, before anything of it is chosen: for `learn --list`, and for the choice itself.
public struct RecordingIndex: Sendable {
  public struct Thread: Sendable {
    public var process: RecordedProcess
    public var number: Int
    public var name: String
    /// How many slices it has, and how many of those are in no other; none where only the frames of its process were recorded.
    public var slices: Int
    public var tasks: Int
    /// How many frames it drew, or its process where the recording does not say which thread did.
    public var frames: Int

    public init(
      process: RecordedProcess, number: Int, name: String, slices: Int, tasks: Int, frames: Int = 0
    ) {
      self.process = process
      self.number = number
      self.name = name
      self.slices = slices
      self.tasks = tasks
      self.frames = frames
    }
  }

  /// Which of the threads is taken for the UI thread, and why, as `learn` prints it.
  public enum Choice: Sendable {
    case thread(Int, because: String)
    /// The recording does not tell these apart, so that one of them has to be named.
    case tie([Int], because: String)
  }

  public var format: RecordingFormat
  public var threads: [Thread]
  /// Nil where none of `threads` has slices or frames.
  public var choice: Choice?

  public init(format: RecordingFormat, threads: [Thread], choice: Choice? = nil) {
    self.format = format
    self.threads = threads
    self.choice = choice
  }
}
