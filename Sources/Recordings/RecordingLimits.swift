/// Bounds on memory, for files that lie; `OutsideTime` has those of times.
enum RecordingLimits {
  private static let threads = 1 << 16
  private static let kept = 1 << 25
  private static let names = 1 << 26

  /// What there is too much of in a file with so many threads, and so many bytes of names; nil where it is none.
  static func excess(threads count: Int, names size: Int = 0) -> String? {
    count > threads ? "more than \(threads) threads" : excess(names: size)
  }

  /// What there is too much of where so many slices, posts and frames of a process are kept; nil where it is none.
  static func excess(kept count: Int, names size: Int) -> String? {
    if count > kept { return "more than \(kept) slices of one process; record a shorter time" }
    return excess(names: size)
  }

  private static func excess(names size: Int) -> String? {
    size > names ? "more than \(names >> 20) MB of names" : nil
  }
}
