/// A process in a recording.
public struct RecordedProcess: Hashable, Sendable {
  public var number: Int
  /// Empty if the recording has none.
  public var name: String
}
