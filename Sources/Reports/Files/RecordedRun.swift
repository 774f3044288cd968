public import FrameBudget

/// The frames of one run, read back from a per-frame file.
public struct RecordedRun: Sendable {
  public let scenario: String
  /// Strategy and engine, as they stand in the file.
  public let label: String
  public let refresh: RefreshRate
  public internal(set) var frames: [FrameRecord]
}

/// What is wrong with a per-frame file: `FILE:LINE: what; what is allowed`.
public struct FramesFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ file: String, line: Int, _ problem: String) {
    description = "\(file):\(line): \(problem)"
  }
}
