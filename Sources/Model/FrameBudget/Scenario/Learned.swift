/// The position of recorded arrivals relative to the vsyncs. The phase of work that timers post differs each time an app is
/// started.
public enum ArrivalPhase: String, CaseIterable, Sendable {
  /// The recorded position.
  case recorded
  /// All delayed by the same part of a period, which is drawn from the seed.
  case random

  /// The delay of recorded arrivals under `seed`.
  func shift(seed: UInt64, of refresh: RefreshRate) -> TimeSpan {
    guard self == .random else { return .zero }
    var stream = RandomStream(seed: seed, name: "arrivals/phase")
    return TimeSpan(nanoseconds: Int64(stream.unit() * Double(refresh.period.nanoseconds)))
  }
}

/// The recording that a scenario was learned from, and the quality of its replay.
public struct Learned: Hashable, Sendable {
  /// The name of the recording.
  public var source: String
  /// The share of the main thread's time in slices with a name, from 0 to 1.
  public var coverage: Double
  /// The quality of the replay.
  public var replay: Replay

  /// - Parameters:
  ///   - source: the name of the recording.
  ///   - coverage: the share of the main thread's time in slices with a name, from 0 to 1.
  ///   - replay: the quality of the replay.
  public init(source: String, coverage: Double, replay: Replay) {
    self.source = source
    self.coverage = coverage
    self.replay = replay
  }

  /// How closely a replay matches the recording.
  public enum Replay: String, CaseIterable, Sendable {
    /// Close enough for figures of predictions.
    case good
    /// Close enough to rank remedies, not for their figures.
    case fair
    /// Not close enough, or the recording does not show which frames appeared.
    case poor
    /// The recording has too few frames to judge.
    case tooShort = "too-short"
  }
}
