internal import SchedulableThreads

/// One note, from the thread that made it to the writer. Times are nanoseconds on a monotonic clock.
struct Note: Sendable {
  enum Kind: Sendable {
    /// Work that the app has named.
    case interval(String)
    case frame(TimedFrame)
    /// A job or event that ran, with the number of its post.
    case task(post: UInt32)
    case post(UInt32)
  }

  let kind: Kind
  let track: NotedTrack
  let began: Int64
  let ended: Int64
}

/// Work that has begun and not ended, by a number of its own.
struct OpenWork: Sendable {
  let number: UInt32
  let kind: Note.Kind
  let track: NotedTrack
  let began: Int64

  var isFrame: Bool { if case .frame = kind { true } else { false } }

  /// Its note, if it ends then.
  func ending(at ended: Int64) -> Note {
    Note(kind: kind, track: track, began: began, ended: ended)
  }
}

/// The times of a frame, from the app.
struct TimedFrame: Sendable {
  /// The frame's vsync; nil if the app did not give it.
  var vsync: Int64?
  /// The time from which a new frame was needed; nil means since the previous frame.
  var wanted: Int64?
}

/// A thread in the trace.
struct NotedTrack: Sendable {
  let number: Int
  /// Empty if the thread that made the note did not know it.
  let name: String

  static let main = NotedTrack(number: 1, name: "main")

  /// The calling thread's track; threads other than the main thread get this name.
  static func current(name: String = "") -> NotedTrack {
    guard !MainJobs.isOnMain else { return .main }
    return NotedTrack(number: Int(Platform.threadID()), name: name)
  }
}
