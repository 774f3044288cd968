/// What is in a recording, before anything of it is chosen: for `learn --list`, and for the choice itself.
public struct RecordingIndex: Sendable {
  public struct Thread: Sendable {
    public var process: RecordedProcess
    public var number: Int
    public var name: String
    /// How many slices it has, and how many of those are in no other.
    public var slices: Int
    public var tasks: Int

    public init(process: RecordedProcess, number: Int, name: String, slices: Int, tasks: Int) {
      self.process = process
      self.number = number
      self.name = name
      self.slices = slices
      self.tasks = tasks
    }
  }

  public var format: RecordingFormat
  public var threads: [Thread]
  /// Which of `threads` is taken for the UI thread, and why, as `learn` prints it; nil where there is none.
  public var choice: (thread: Int, because: String)?

  public init(
    format: RecordingFormat, threads: [Thread], choice: (thread: Int, because: String)? = nil
  ) {
    self.format = format
    self.threads = threads
    self.choice = choice
  }
}
