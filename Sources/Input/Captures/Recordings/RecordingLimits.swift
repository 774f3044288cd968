/// Limits on memory, for invalid files; `InputTime` has those of times.
enum RecordingLimits {
  private static let threads = 1 << 16
  private static let kept = 1 << 23
  private static let names = 1 << 26

  /// The limit that a file exceeds with `count` threads and `size` bytes of names; nil if it exceeds none.
  static func excess(threads count: Int, names size: Int = 0) -> String? {
    count > threads ? "more than \(threads) threads" : excess(names: size)
  }

  /// The limit that a process exceeds with `count` slices, posts and frames; nil if it exceeds none.
  static func excess(kept count: Int, names size: Int) -> String? {
    if count > kept { return "more than \(kept) slices of one process; record a shorter time" }
    return excess(names: size)
  }

  private static func excess(names size: Int) -> String? {
    size > names ? "more than \(names >> 20) MB of names" : nil
  }
}
