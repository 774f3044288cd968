public import FrameBudget

/// The frames of one run, read back from a per-frame file.
public struct RecordedRun: Sendable {
  /// What tells the run from others, as it stands in the file.
  let keys: [String]
  public let scenario: String
  /// Strategy and engine, as they stand in the file.
  public let label: String
  public let refresh: RefreshRate
  public internal(set) var frames: [FrameRecord] = []
}
