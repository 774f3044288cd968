public import FrameBudget

/// The content of a recording about one app, whichever tool made it: its threads, what ran on them, what was posted to
/// them, and the results of its frames. Every instant counts from the start of the recording.
public struct Recording: Sendable {
  public var format: RecordingFormat
  /// The chosen process, from the processes of the file's `RecordingIndex`.
  public var process: RecordedProcess
  public var length = TimeSpan.zero
  /// The names of slices, without duplicates. Slices refer to them by index, because there are millions of slices.
  public var names: [String] = []
  /// Those of `names` that the app gave, as by `performance.measure`, whatever they look like.
  public var ownNames: Set<String> = []
  /// The threads of the chosen process, the UI thread first.
  public var threads: [RecordedThread] = []
  /// The address of a page when the recording began, without its query; nil if the recording does not have it.
  public var page: String?
  /// In the order of their vsyncs; empty if the recording has none.
  public var frames: [RecordedFrame] = []
  /// The distance between vsyncs; nil if the recording does not have it.
  public var period: TimeSpan?
  /// The last vsync whose picture was recorded; nil if the recording does not say.
  public var lastVsync: TimeSpan?
  /// When the app's handlers of key presses, clicks and touches began, in order; empty if the recording does not say.
  public var inputs: [TimeSpan] = []
  /// The number of cores on which anything ran; nil if the recording does not have it.
  public var cores: Int?
  /// The figures that the platform's own tools print; empty if the recording does not have them.
  public var figures: [RecordedFigure] = []
  /// Warnings about odd or missing data, a sentence each, for the reader of the result.
  public var doubts: [String] = []
  /// What of the app is not part of it, for whoever sees only its figures; each continues "not part of the recording: ".
  public var omissions: [String] = []
  /// Whether the display's vsyncs begin anew when a frame is late, as those of a compositor without a screen do.
  package var restartsVsyncs = false
  /// Whether the UI thread is in a task at the end that keeps it from a frame that was wanted.
  package var isFrameWanted = false
}
