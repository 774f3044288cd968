internal import FrameBudget

/// The requirements for a verdict on a replay.
private struct Requirements {
  let verdict: Learned.Replay
  /// The smallest share, in percent, of the recording's late episodes that the replay must have, and of the replay's that
  /// the recording must have.
  let episodes: Double
  /// The allowed difference in dropped frames: in percentage points, or in percent of the recorded value.
  let droppedPoints: Double
  let droppedPart: Double
  /// The allowed difference in the 95th percentile of frame times: in percent of the recorded value, or in percent of a
  /// period.
  let frameTimePart: Double
  let periodPart: Double
  let isBetterThanConstants: Bool
  /// The smallest share of the UI thread's time in slices that say what it did, in percent.
  let coverage: Double

  static let good = Requirements(
    verdict: .good, episodes: 90, droppedPoints: 0.5, droppedPart: 20, frameTimePart: 10,
    periodPart: 5, isBetterThanConstants: true, coverage: 50)
  static let fair = Requirements(
    verdict: .fair, episodes: 75, droppedPoints: 2, droppedPart: 50, frameTimePart: 25,
    periodPart: 10, isBetterThanConstants: false, coverage: 0)
}

/// The data for a verdict on a replay.
struct ReplayEvidence: Sendable {
  let counts: ReplayComparison.Counts
  let episodes: LateEpisodes
  /// In percent.
  let dropped: ReplayComparison.Pair
  /// The 95th percentile, in milliseconds.
  let frameTime: ReplayComparison.Pair
  let period: TimeSpan
  let coverage: Double

  /// By how many percentage points the dropped frames of a good replay may differ, however few they are.
  static let goodPoints = Requirements.good.droppedPoints

  private static let minVsyncs = 300
  private static let minEpisodes = 20

  var verdict: Learned.Replay {
    if counts.all == 0 { return .poor }
    if tooShortReason != nil { return .tooShort }
    let verdict = [Requirements.good, .fair].first { faults($0).isEmpty }?.verdict
    return verdict ?? (isPerfect ? .fair : .poor)
  }

  /// Whether the replay shows and drops exactly what the recording does.
  private var isPerfect: Bool {
    counts.agreeing == counts.all && episodes.confirmed == episodes.replayed
      && dropped.recorded == dropped.replayed
  }

  /// The reasons why the replay is not good, a sentence each, regardless of the length of the recording.
  var faults: [String] { faults(.good) }

  /// Why the recording is too short to judge the replay; nil if it is long enough.
  var tooShortReason: String? {
    guard counts.all < Self.minVsyncs, episodes.recorded < Self.minEpisodes else {
      return nil
    }
    return
      "vsyncs that wanted a frame: \(counts.all), late episodes: \(episodes.recorded); a verdict needs "
      + "\(Self.minVsyncs) or \(Self.minEpisodes)"
  }

  private func faults(_ requirements: Requirements) -> [String] {
    guard counts.all > 0 else {
      return ["the recording has no frames of the UI thread, so it does not say what was shown"]
    }
    let needed = Self.text(requirements.episodes, 0)
    return [
      share(
        episodes.found, episodes.recorded, requirements,
        "of the recorded late episodes are in the replay; \(requirements.verdict.rawValue) needs \(needed) %"
      ),
      share(
        episodes.confirmed, episodes.replayed, requirements,
        "of the replay's late episodes were recorded; \(requirements.verdict.rawValue) needs \(needed) %"
      ),
      droppedFault(requirements), skillFault(requirements), frameTimeFault(requirements),
      coverageFault(requirements),
    ].compactMap(\.self)
  }

  private func share(
    _ part: Int, _ all: Int, _ requirements: Requirements, _ words: String
  ) -> String? {
    guard all > 0, 100 * Double(part) < requirements.episodes * Double(all),
      !isFew(all, missing: all - part, requirements)
    else { return nil }
    return "\(part) of \(all) (\(Self.text(100 * Double(part) / Double(all), 0)) %) \(words)"
  }

  /// Whether there are so few episodes that a share says nothing, and those that disagree are within the allowed points: of
  /// 600 frames, one drop that the replay lacks is none of its episodes, and 0.2 points.
  private func isFew(_ all: Int, missing: Int, _ requirements: Requirements) -> Bool {
    all < Self.minEpisodes
      && 100 * Double(missing) <= requirements.droppedPoints * Double(counts.all)
  }

  private func droppedFault(_ requirements: Requirements) -> String? {
    guard let recorded = dropped.recorded, let replayed = dropped.replayed else { return nil }
    let points = abs(recorded - replayed)
    guard points > max(requirements.droppedPoints, recorded * requirements.droppedPart / 100) else {
      return nil
    }
    return
      "dropped frames differ by \(Self.text(points, 1)) points; \(requirements.verdict.rawValue) allows "
      + "\(Self.text(requirements.droppedPoints, 1)), or \(Self.text(requirements.droppedPart, 0)) % of the recorded ones"
  }

  private func skillFault(_ requirements: Requirements) -> String? {
    let constant = max(counts.alwaysShown, counts.alwaysDropped)
    guard requirements.isBetterThanConstants, constant < counts.all, counts.agreeing <= constant
    else { return nil }
    let areFew = isFew(
      max(episodes.recorded, episodes.replayed), missing: counts.all - counts.agreeing, requirements
    )
    if areFew, counts.agreeing == constant { return nil }
    let name = counts.alwaysShown >= counts.alwaysDropped ? "shown" : "dropped"
    return
      "\(counts.agreeing) of \(counts.all) vsyncs agree, and \(constant) by predicting *always \(name)*; "
      + "\(requirements.verdict.rawValue) needs more than that"
  }

  private func frameTimeFault(_ requirements: Requirements) -> String? {
    guard let recorded = frameTime.recorded, let replayed = frameTime.replayed else {
      return nil
    }
    let span = abs(recorded - replayed)
    let floor = period.inMilliseconds * requirements.periodPart / 100
    guard span > max(floor, recorded * requirements.frameTimePart / 100) else { return nil }
    return
      "the 95th percentile of frame times differs by \(Self.text(span, 1)) ms; \(requirements.verdict.rawValue) allows "
      + "\(Self.text(requirements.frameTimePart, 0)) %, or \(Self.text(floor, 1)) ms"
  }

  private func coverageFault(_ requirements: Requirements) -> String? {
    guard 100 * coverage < requirements.coverage else { return nil }
    guard coverage > 0 else {
      return
        "no slice says what the UI thread did, so the scenario cannot answer what-ifs; "
        + "\(requirements.verdict.rawValue) needs \(Self.text(requirements.coverage, 0)) % of its time in named slices"
    }
    return
      "only \(Self.text(100 * coverage, 0)) % of the UI thread's time is in named slices; "
      + "\(requirements.verdict.rawValue) needs \(Self.text(requirements.coverage, 0)) %"
  }

  private static func text(_ value: Double, _ places: Int) -> String {
    Decimal.text(value, places: places)
  }
}
