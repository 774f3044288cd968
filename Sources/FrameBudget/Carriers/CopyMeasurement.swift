/// What `bench` found about snapshots of a state of so many records, in one repetition.
public struct CopyMeasurement: Hashable, Sendable {
  /// The size of the state.
  public var records: Int
  /// Which repetition it was, from 1.
  public var repetition: Int
  /// What the first change after a publication took, which copies the state, in nanoseconds.
  public var copy: HandOffMeasurement.Spread
  /// What dropping the last reference to a snapshot took, in nanoseconds.
  public var release: HandOffMeasurement.Spread

  /// What one repetition found; times in nanoseconds.
  public init(
    records: Int, repetition: Int, copy: HandOffMeasurement.Spread,
    release: HandOffMeasurement.Spread
  ) {
    self.records = records
    self.repetition = repetition
    self.copy = copy
    self.release = release
  }

  /// The median copy, in nanoseconds for each record.
  public var copyPerRecord: Double { copy.p50 / Double(records) }
  /// The median release, in nanoseconds for each record.
  public var releasePerRecord: Double { release.p50 / Double(records) }
}
