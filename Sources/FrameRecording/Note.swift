internal import Concurrency
internal import MainJobs

/// One thing that happened, as the thread that it happened on hands it to the writer. Times are nanoseconds on a clock that
/// only goes forward.
struct Note: Sendable {
  enum Kind: Sendable {
    /// Work that the app has a name for.
    case interval(String)
    case frame(TimedFrame)
    /// What a queue or a scheduler ran, which was posted under that number.
    case task(post: UInt32)
    case post(UInt32)
  }

  let kind: Kind
  let track: NotedTrack
  let began: Int64
  let ended: Int64
}

/// What an app says of a frame.
struct TimedFrame: Sendable {
  /// The vsync that it belongs to; nil where nobody said.
  var vsync: Int64?
  /// Since when something new was to be shown; nil since the frame before.
  var wanted: Int64?
}

/// A thread in the trace.
struct NotedTrack: Sendable {
  let number: Int
  /// Empty where whoever noted did not know it.
  let name: String

  static let main = NotedTrack(number: 1, name: "main")

  /// The caller's; one that is not the main thread is called what `name` says.
  static func current(name: String = "") -> NotedTrack {
    guard !MainJobs.isOnMain else { return .main }
    return NotedTrack(number: Int(Platform.threadID()), name: name)
  }
}
