/// Bounds on memory and on numbers, for files that lie.
enum RecordingLimits {
  /// Instants beyond this, 36 years from 0, are broken numbers; sums and differences of what is within fit into 64 bits.
  static let latest: Int64 = 1 << 60
  /// A day: a slice that took longer is a broken number.
  static let longest: Int64 = 86_400_000_000_000

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
