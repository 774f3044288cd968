public import FrameBudget

/// What a recording says of one app, whichever tool made it: its threads, what ran on them, what was posted to them,
/// and what became of its frames. Every instant counts from the recording's begin.
public struct Recording: Sendable {
  public var format: RecordingFormat
  /// The process that was chosen, of those in `processes` of the file's `RecordingIndex`.
  public var process: RecordedProcess
  public var length: TimeSpan
  /// Names of slices, each once; slices point here, as there are millions of them.
  public var names: [String]
  /// Of the chosen process, the UI thread first.
  public var threads: [RecordedThread]
  /// In the order of their vsyncs; empty where the recording knows none.
  public var frames: [RecordedFrame]
  /// Between vsyncs; nil where the recording does not tell.
  public var period: TimeSpan?
  /// How many cores anything ran on; nil where the recording does not tell.
  public var cores: Int?
  /// What the platform's own tools print for it; empty where the recording does not have that.
  public var figures: [RecordedFigure]
  /// What was odd or missing, a sentence each, for whoever reads the result.
  public var doubts: [String]

  public init(
    format: RecordingFormat, process: RecordedProcess, length: TimeSpan = .zero,
    names: [String] = [], threads: [RecordedThread] = [], frames: [RecordedFrame] = [],
    period: TimeSpan? = nil, cores: Int? = nil, figures: [RecordedFigure] = [],
    doubts: [String] = []
  ) {
    self.format = format
    self.process = process
    self.length = length
    self.names = names
    self.threads = threads
    self.frames = frames
    self.period = period
    self.cores = cores
    self.figures = figures
    self.doubts = doubts
  }
}
