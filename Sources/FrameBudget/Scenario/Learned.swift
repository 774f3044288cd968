/// Where recorded arrivals are against the vsyncs: work that timers post is at another place each time an app is started.
public enum ArrivalPhase: String, CaseIterable, Sendable {
  /// As they were recorded.
  case recorded
  /// All of them later by the same part of a period, which is drawn from the seed.
  case random

  /// By how much recorded arrivals are later under `seed`.
  func shift(seed: UInt64, of refresh: RefreshRate) -> TimeSpan {
    guard self == .random else { return .zero }
    var stream = RandomStream(seed: seed, name: "arrivals/phase")
    return TimeSpan(nanoseconds: Int64(stream.unit() * Double(refresh.period.nanoseconds)))
  }
}

/// Where a scenario was learned from, and how far it can be trusted.
public struct Learned: Hashable, Sendable {
  /// What the recording is called.
  public var source: String
  /// How much of the main thread's time is in slices that have a name, from 0 to 1.
  public var coverage: Double
  /// How far its replay is what was recorded.
  public var replay: Replay

  /// - Parameters:
  ///   - source: what the recording is called.
  ///   - coverage: how much of the main thread's time is in slices that have a name, from 0 to 1.
  ///   - replay: how far its replay is what was recorded.
  public init(source: String, coverage: Double, replay: Replay) {
    self.source = source
    self.coverage = coverage
    self.replay = replay
  }

  /// How far a replay is what was recorded.
  public enum Replay: String, CaseIterable, Sendable {
    /// As close as what follows from it needs.
    case good
    /// Close enough to rank remedies, not for their figures.
    case fair
    /// Not close enough, or the recording does not say what was shown.
    case poor
    /// The recording has too few frames to say.
    case tooShort = "too-short"
  }
}
