public import FrameBudget

/// How a run stands by now, for whoever puts it into words.
public struct Standing: Sendable {
  /// Who runs it; nil for a recorded one.
  public let engine: EngineKind?
  public let label: String
  /// Vsyncs that have passed.
  public let expected: Int
  /// Vsyncs without a new frame, by cause.
  public let drops: [Int]
  /// The most vsyncs in a row without a new frame, and how long that is in milliseconds.
  public let longestGap: Int
  public let longestGapMilliseconds: Double
  /// Frames that kept the main thread for more than 250 ms, the one under way included.
  public let hangs: Int
  /// What somebody waits for, as its items or its workload are called, if it is one; nil where nobody waits.
  public let awaited: String?
  /// Responses that came or are overdue, and those of them that are late.
  public let responses: Int
  public let responsesLate: Int
  /// The slowest response in milliseconds.
  public let slowest: Observation?
  /// Items that were delivered and are not done; nil of a recorded run.
  public let waiting: Int?
  /// How long the main thread was blocked on locks, and how long it handed items over and took their results.
  public let lockWait: TimeSpan
  public let handOff: TimeSpan
  /// Copying state for snapshots, on whichever thread; nil of a recorded run, whose frames do not tell it.
  public let copying: TimeSpan?
  /// What keeps the main thread, and for how long, where that is more than 250 ms.
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

/// How a run stands, in words.
public struct StandingWords: Hashable, Sendable {
  /// What matters most first; as many are shown as fit.
  public let pieces: [String]
  /// Whether the user of the app has been harmed.
  public let isHarm: Bool

  public init(pieces: [String], isHarm: Bool) {
    self.pieces = pieces
    self.isHarm = isHarm
  }
}
