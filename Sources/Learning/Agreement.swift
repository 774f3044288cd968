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
  }

  /// The recording's and the replay's, beside one another.
  public struct Pair: Sendable {
    public let recorded: Double?
    public let replayed: Double?
  }

  public let counts: Counts
  /// How many vsyncs the recipe *always shown* would get right.
  public let alwaysShown: Int
  /// Whether the recording says what was shown, not only what follows from it by the rule of the screen.
  public let isObserved: Bool
  /// Of the vsyncs that the recording dropped, how many the replay drops within one vsync; and the other way round.
  public let droppedFound: Int
  public let droppedTrue: Int
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
  /// What is wrong with the replay, a sentence each; empty where it is good.
  public let faults: [String]

  public var replay: Learned.Replay { faults.isEmpty ? .good : .poor }

  /// Points of dropped frames by which they may differ.
  public static let droppedPoints = 2.0
  /// By which part of the recording's value the 95th percentile of frame times may differ.
  public static let frameTimePart = 0.1
  /// How much of the UI thread's time is to be in slices that say what it did.
  public static let leastCoverage = 0.5

  /// `log` is of `as-recorded`, with all that each frame knows.
  public init(_ learner: Learner, _ log: RunLog) {
    let screen = learner.screen
    let metrics = RunMetrics(log)
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
    let recordedDrops = Set(screen.shown.filter { !$0.value }.map { $0.key + screen.deadline })
    let replayedDrops = Set(seen.filter { !$0.value }.map(\.key))
    droppedFound = Self.near(recordedDrops, replayedDrops)
    droppedTrue = Self.near(replayedDrops, recordedDrops)
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
    faults = Self.faults(
      droppedPercent, frameTimes.first { $0.quantile == 0.95 }?.pair, learner.coverage)
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

  private static func near(_ some: Set<Int>, _ others: Set<Int>) -> Int {
    some.count { vsync in (-1...1).contains { others.contains(vsync + $0) } }
  }

  private static func faults(
    _ dropped: Pair, _ frameTime: Pair?, _ coverage: Double
  ) -> [String] {
    var faults: [String] = []
    if let recorded = dropped.recorded, let replayed = dropped.replayed {
      let points = abs(recorded - replayed)
      if points > droppedPoints {
        faults.append(
          "dropped frames differ by \(Decimal.text(points, places: 1)) points; "
            + "up to \(Decimal.text(droppedPoints, places: 0)) are a replay")
      }
    } else {
      faults.append("the recording has no frames of the UI thread, so nothing says what was shown")
    }
    if let recorded = frameTime?.recorded, let replayed = frameTime?.replayed, recorded > 0 {
      let part = abs(recorded - replayed) / recorded
      if part > frameTimePart {
        faults.append(
          "the 95th percentile of frame times differs by \(Decimal.text(100 * part, places: 0)) %; "
            + "up to \(Decimal.text(100 * frameTimePart, places: 0)) % are a replay")
      }
    }
    if coverage < leastCoverage {
      faults.append(
        "only \(Decimal.text(100 * coverage, places: 0)) % of the UI thread's time are in slices that say "
          + "what it did; at least \(Decimal.text(100 * leastCoverage, places: 0)) % are needed")
    }
    return faults
  }
}
