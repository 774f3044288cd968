public import FrameBudget

/// The current state of a run, from which a verdict is made.
public struct RunStatus: Sendable {
  /// The engine; nil for a recorded run.
  public let engine: EngineKind?
  public let label: String
  /// Vsyncs that have passed.
  public let expected: Int
  /// Vsyncs without a new frame, by cause.
  public let drops: [Int]
  /// The most vsyncs in a row without a new frame, and how long that is in milliseconds.
  public let longestGap: Int
  public let longestGapMilliseconds: Double
  /// Frames that kept the main thread for more than 250 ms, including the current one.
  public let hangs: Int
  /// The name of the items or workload that the user waits for; nil if there is none.
  public let awaited: String?
  /// Responses that have ended or are overdue, and the late ones among them.
  public let responses: Int
  public let responsesLate: Int
  /// The slowest response in milliseconds.
  public let slowest: Observation?
  /// Items that were delivered and are not done; nil for a recorded run.
  public let waiting: Int?
  /// How long the main thread was blocked on locks, and how long it handed items over and took their results.
  public let lockWait: TimeSpan
  public let handOff: TimeSpan
  /// Copying state for snapshots, on any thread; nil for a recorded run, whose frames do not have it.
  public let copying: TimeSpan?
  /// What has kept the main thread for more than 250 ms, and for how long.
  public let hang: (cause: Cause?, span: TimeSpan)?
  public let isOver: Bool

  init(_ run: RunModel, at now: Instant) {
    let shown = run.figures.frames
    (engine, label, expected, drops) = (run.engine, run.label, shown.expected, shown.drops)
    (longestGap, hangs) = (shown.longestGap, shown.hangs)
    longestGapMilliseconds = run.refresh.milliseconds(ofPeriods: longestGap)
    let open = run.openFrame.map { (cause: $0.cause, span: now - $0.begin) }
    hang = run.missed > 0 ? open.flatMap { $0.span > FrameThresholds.hang ? $0 : nil } : nil
    awaited = run.awaitsResponses ? run.awaited : nil
    let waits = run.responses
    responses = waits.endedCount + waits.openCount
    responsesLate = run.responsesLate
    slowest = waits.quantile(1).map { Observation($0.value / 1e6, isBound: $0.isBound) }
    waiting = run.knowsItems ? run.pending : nil
    (lockWait, handOff, copying) = (run.lockWait, run.handOff, run.copying)
    isOver = run.isOver
  }
}

/// The current state of a run, in words.
public struct StatusWords: Hashable, Sendable {
  /// The most important first; the view shows as many as fit.
  public let pieces: [String]
  /// Whether the app dropped frames or answered late.
  public let isHarm: Bool

  public init(pieces: [String], isHarm: Bool) {
    self.pieces = pieces
    self.isHarm = isHarm
  }
}
