public import FrameBudget
internal import FrameBudgetCaptures

/// A comparison of a recording with the replay of the scenario learned from it.
public struct ReplayComparison: Sendable {
  /// The number of vsyncs for each combination of results in the recording and in the replay.
  public struct Counts: Hashable, Sendable {
    public var bothShown = 0
    public var bothDropped = 0
    /// Shown in the recording, dropped in the replay.
    public var onlyReplayDropped = 0
    /// Dropped in the recording, shown in the replay.
    public var onlyRecordingDropped = 0
    /// Wanted in the recording, but not in the replay.
    public var notInReplay = 0

    public var all: Int {
      bothShown + bothDropped + onlyReplayDropped + onlyRecordingDropped + notInReplay
    }
    /// The vsyncs at which recording and replay agree.
    public var agreeing: Int { bothShown + bothDropped }
    /// Of `all`, those that the recording shows or drops: what the predictions *always shown* and *always dropped* get right.
    public internal(set) var alwaysShown = 0
    public var alwaysDropped: Int { all - alwaysShown }

    /// Cohen's kappa of the two: 1 if they always agree, 0 or less if they agree no more often than two that drop as many frames
    /// each, at vsyncs that have nothing to do with each other. A constant has 0, whatever is dropped how often. Nil if
    /// both are the same constant.
    ///
    /// J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20, 1960. It is
    /// preferred to Matthews' coefficient because it has a value for constants, counts vsyncs that only one of the two
    /// wants, and falls if the replay drops more or fewer frames than were recorded.
    public var kappa: Double? {
      guard all > 0 else { return nil }
      func share(_ count: Int) -> Double { Double(count) / Double(all) }
      let byChance =
        share(alwaysShown) * share(bothShown + onlyRecordingDropped)
        + share(alwaysDropped) * share(bothDropped + onlyReplayDropped)
      return byChance < 1 ? (share(agreeing) - byChance) / (1 - byChance) : nil
    }
  }

  /// A figure of the recording and of the replay; nil if unknown.
  public struct Pair: Sendable {
    public let recorded: Double?
    public let replayed: Double?
  }

  /// The metrics of the replay.
  public let metrics: RunMetrics
  public let recorded: FrameFigures
  public let replayed: FrameFigures
  public let counts: Counts
  /// Whether the recording states what was shown, so that it need not be derived from frame ends by the rule of the screen.
  public let isObserved: Bool
  public let episodes: LateEpisodes
  /// Vsyncs at which only the replay wants a frame: how many it shows and how many it drops.
  public let onlyInReplay: (shown: Int, dropped: Int)
  /// The reasons why the replay is not good, a sentence each, regardless of the length of the recording.
  public let faults: [String]
  /// Why the recording is too short to judge the replay; nil if it is long enough.
  public let tooShortReason: String?
  public let replay: Learned.Replay

  /// `log` is the run of `as-recorded`, with the detail of all frames.
  public init(_ learned: LearnedScenario, _ log: RunLog) {
    let screen = learned.screen
    metrics = RunMetrics(log)
    (recorded, replayed) = (FrameFigures(recordedOn: screen), FrameFigures(metrics))
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
    counts.alwaysShown = screen.shown.values.count { $0 }
    self.counts = counts
    isObserved = screen.evidence != .rule
    episodes = LateEpisodes(
      recorded: screen.shown.lazy.filter { !$0.value }.map { $0.key + screen.deadline },
      replayed: seen.lazy.filter { !$0.value }.map(\.key))
    let others = seen.filter { screen.shown[$0.key - screen.deadline] == nil }.values
    onlyInReplay = (others.count { $0 }, others.count { !$0 })
    let evidence = ReplayEvidence(
      counts: counts, episodes: episodes,
      dropped: Pair(recorded: recorded.droppedPercent, replayed: replayed.droppedPercent),
      frameTime: Pair(recorded: recorded.p95, replayed: replayed.p95),
      period: screen.grid.refresh.period, coverage: learned.coverage)
    (replay, faults, tooShortReason) = (evidence.verdict, evidence.faults, evidence.tooShortReason)
  }

  /// Whether the dropped frames need a change.
  public var need: NeedForChange {
    NeedForChange(
      limit: Int(Double(counts.all) * ReplayEvidence.goodPoints / 100),
      recorded: recorded.dropped.map { Int($0) }, replayed: replayed.dropped.map { Int($0) })
  }

  /// The recorded dropped frames, and those of the replay beside them.
  public var droppedInShort: String {
    func text(_ figures: FrameFigures) -> String {
      guard let drops = figures.drops else { return "unknown" }
      let share = figures.droppedPercent.map { " (\(Decimal.text($0, places: 1)) %)" } ?? ""
      return drops + share
    }
    // What is computed is not called observed.
    let source = isObserved ? "" : ", by the ends of frames"
    return "recorded: \(text(recorded)) dropped\(source); the replay: \(text(replayed))"
  }

  /// For each vsync at which the replay wants something: whether it shows a new frame.
  private static func vsyncs(of log: RunLog) -> [Int: Bool] {
    var seen: [Int: Bool] = [:]
    for frame in log.frames.records {
      for vsync in frame.droppedVsyncs { seen[vsync] = false }
      seen[frame.presentVsync] = true
    }
    return seen
  }
}
