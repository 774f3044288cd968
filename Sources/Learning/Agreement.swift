public import FrameBudget

/// A recording held against the replay of what was learned from it.
public struct Agreement: Sendable {
  /// Vsyncs by what the recording and the replay have there.
  public struct Counts: Hashable, Sendable {
    public var bothShown = 0
    public var bothDropped = 0
    /// Shown in the recording, dropped in the replay.
    public var onlyReplayDropped = 0
    /// Dropped in the recording, shown in the replay.
    public var onlyRecordingDropped = 0
    /// Where the replay wants nothing.
    public var notInReplay = 0

    public var all: Int {
      bothShown + bothDropped + onlyReplayDropped + onlyRecordingDropped + notInReplay
    }
    /// Where the two agree.
    public var agreeing: Int { bothShown + bothDropped }
  }

  /// The recording's and the replay's, beside one another.
  public struct Pair: Sendable {
    public let recorded: Double?
    public let replayed: Double?
  }

  /// What the replay comes to.
  let replayed: RunMetrics
  public let counts: Counts
  /// How many vsyncs the recipe *always shown* would get right.
  public let alwaysShown: Int
  /// Whether the recording says what was shown, not only what follows from it by the rule of the screen.
  public let isObserved: Bool
  public let episodes: LateEpisodes
  /// Vsyncs at which the replay shows something or drops it, and of which the recording says nothing.
  public let onlyInReplay: (shown: Int, dropped: Int)
  public let expected: Pair
  public let dropped: Pair
  public let droppedPercent: Pair
  public let missed: Pair
  /// Frames that began more than a period behind their vsyncs.
  public let lateBegins: Pair
  /// In milliseconds.
  public let frameTimes: [(quantile: Double, pair: Pair)]
  /// What keeps the replay from being good, a sentence each, whatever the recording's length.
  public let faults: [String]
  /// Why nobody can say how good the replay is; nil where the recording is long enough.
  public let shortness: String?
  public let replay: Learned.Replay

  /// `log` is of `as-recorded`, with all that each frame knows.
  public init(_ learner: Learner, _ log: RunLog) {
    let screen = learner.screen
    let metrics = RunMetrics(log)
    replayed = metrics
    let seen = Self.vsyncs(of: log)
    var counts = Counts()
    for (vsync, isShown) in screen.shown {
      switch (isShown, seen[vsync + screen.deadline]) {
      case (true, true): counts.bothShown += 1
      case (false, false): counts.bothDropped += 1
      case (true, false): counts.onlyReplayDropped += 1
      case (false, true): counts.onlyRecordingDropped += 1
      case (_, nil): counts.notInReplay += 1
      }
    }
    self.counts = counts
    alwaysShown = screen.shown.values.count { $0 }
    isObserved = screen.evidence != .rule
    episodes = LateEpisodes(
      recorded: screen.shown.lazy.filter { !$0.value }.map { $0.key + screen.deadline },
      replayed: seen.lazy.filter { !$0.value }.map(\.key))
    let others = seen.filter { screen.shown[$0.key - screen.deadline] == nil }.values
    onlyInReplay = (others.count { $0 }, others.count { !$0 })
    let hasScreen = !screen.shown.isEmpty
    let frames = metrics.frames
    expected = Pair(
      recorded: hasScreen ? Double(screen.expected) : nil, replayed: Double(frames.expected))
    dropped = Pair(
      recorded: hasScreen ? Double(screen.dropped) : nil, replayed: Double(frames.dropped))
    droppedPercent = Pair(
      recorded: hasScreen ? 100 * Double(screen.dropped) / Double(screen.expected) : nil,
      replayed: frames.droppedPercent)
    missed = Pair(
      recorded: hasScreen ? Double(learner.lateFrames) : nil,
      replayed: Double(frames.deadlinesMissed))
    lateBegins = Pair(
      recorded: hasScreen ? Double(screen.lateBegins) : nil, replayed: Double(frames.lateBegins))
    let recordedTimes = Percentiles(
      screen.frames.map { $0.end - screen.grid.instant(of: $0.vsync) })
    frameTimes = [0.5, 0.95, 0.99].map { quantile in
      (
        quantile,
        Pair(
          recorded: recordedTimes.quantile(quantile).map { $0 / 1e6 },
          replayed: frames.frameTimes.quantile(quantile).map { $0 / 1e6 })
      )
    }
    let evidence = ReplayEvidence(
      counts: counts, alwaysShown: alwaysShown, episodes: episodes, dropped: droppedPercent,
      frameTime: frameTimes.first { $0.quantile == 0.95 }?.pair, period: screen.grid.refresh.period,
      coverage: learner.coverage)
    (replay, faults, shortness) = (evidence.verdict, evidence.faults, evidence.shortness)
  }

  /// How much of what *always shown* gets wrong the replay gets right: 1 is all, and 0 or less is no better than that; nil
  /// where that recipe gets everything right.
  public var skill: Double? {
    let wrong = counts.all - alwaysShown
    return wrong == 0 ? nil : Double(counts.agreeing - alwaysShown) / Double(wrong)
  }

  /// By vsync, whether the replay shows something new; only where something was wanted.
  private static func vsyncs(of log: RunLog) -> [Int: Bool] {
    var seen: [Int: Bool] = [:]
    for frame in log.frames.records {
      for vsync in frame.droppedVsyncs { seen[vsync] = false }
      seen[frame.presentVsync] = true
    }
    return seen
  }
}
