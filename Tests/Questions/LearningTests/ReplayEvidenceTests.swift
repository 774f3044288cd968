import FrameBudget
import Testing

@testable import FrameBudgetLearning

struct ReplayEvidenceTests {
  /// Of a recording at 60 Hz: `late` episodes of a vsync each of `vsyncs`, of which the replay has `found` at the same vsyncs
  /// and `beside` one vsync off, with `false` ones of its own.
  private func evidence(
    vsyncs: Int = 600, late: Int = 40, found: Int, beside: Int = 0, false own: Int = 0,
    frameTime: (Double, Double) = (10, 10), coverage: Double = 0.9
  ) -> ReplayEvidence {
    let recorded = (0..<late).map { 10 * $0 }
    let replayed =
      recorded.prefix(found) + recorded.dropFirst(found).prefix(beside).map { $0 + 1 }
      + (0..<own).map { 10 * $0 + 5 }
    var counts = ReplayComparison.Counts()
    counts.bothDropped = found
    counts.onlyRecordingDropped = late - found
    counts.onlyReplayDropped = beside + own
    counts.bothShown = vsyncs - late - beside - own
    counts.alwaysShown = vsyncs - late
    let percent = 100 / Double(vsyncs)
    return ReplayEvidence(
      counts: counts,
      episodes: LateEpisodes(recorded: recorded, replayed: replayed),
      dropped: ReplayComparison.Pair(
        recorded: Double(late) * percent, replayed: Double(replayed.count) * percent),
      frameTime: ReplayComparison.Pair(recorded: frameTime.0, replayed: frameTime.1),
      period: RefreshRate(60).period, coverage: coverage)
  }

  @Test func `a replay that matches 90 % of the late episodes is good`() {
    #expect(evidence(found: 40).verdict == .good)
    #expect(evidence(found: 36, false: 4).verdict == .good)
    #expect(evidence(late: 0, found: 0).verdict == .good)
  }

  @Test(arguments: [
    // Found, but with no more of its vsyncs than the recipe predicts correctly.
    ((found: 0, beside: 40, own: 0), Learned.Replay.fair, "always shown"),
    ((found: 32, beside: 0, own: 0), .fair, "of the recorded late episodes"),
    ((found: 40, beside: 0, own: 6), .fair, "of the replay's late episodes"),
    ((found: 28, beside: 0, own: 0), .poor, "of the recorded late episodes"),
    ((found: 40, beside: 0, own: 30), .poor, "of the replay's late episodes"),
  ])
  func `a replay with missing or extra episodes is fair, then poor, with the reason`(
    _ replay: (found: Int, beside: Int, own: Int), _ verdict: Learned.Replay, _ reason: String
  ) {
    let evidence = evidence(found: replay.found, beside: replay.beside, false: replay.own)
    #expect(evidence.verdict == verdict)
    #expect(evidence.faults.contains { $0.contains(reason) }, "\(evidence.faults)")
  }

  @Test func `few episodes are judged by points`() {
    #expect(evidence(late: 1, found: 0).verdict == .good)
    #expect(evidence(late: 0, found: 0, false: 1).verdict == .good)
    #expect(evidence(late: 5, found: 0, false: 5).verdict == .fair)
    #expect(evidence(late: 15, found: 2).verdict == .poor)
  }

  @Test(arguments: [(0, 3, false), (0, 4, true), (20, 23, false), (20, 25, true)])
  func `dropped frames may differ by half a point, or by a fifth of the recorded ones`(
    _ late: Int, _ replayed: Int, _ isTooMany: Bool
  ) {
    // Of 600 vsyncs.
    let evidence = evidence(late: late, found: late, false: replayed - late)
    #expect(evidence.faults.contains { $0.contains("points") } == isTooMany, "\(evidence.faults)")
  }

  @Test(arguments: [
    ((1.7, 2.5), Learned.Replay.good), ((1.7, 2.6), .fair), ((100, 110), .good),
    ((100, 111), .fair),
    ((100, 130), .poor),
  ])
  func `frame times may differ by a tenth, and always by a twentieth of a period`(
    _ times: (Double, Double), _ verdict: Learned.Replay
  ) {
    #expect(evidence(found: 39, frameTime: times).verdict == verdict)
  }

  @Test(arguments: [
    (299, 19, Learned.Replay.tooShort), (300, 0, .good), (60, 20, .good), (8, 0, .tooShort),
    (0, 0, .poor),
  ])
  func `a verdict needs 300 vsyncs or 20 episodes`(
    _ vsyncs: Int, _ late: Int, _ verdict: Learned.Replay
  ) {
    let evidence = evidence(vsyncs: vsyncs, late: late, found: late)
    #expect(evidence.verdict == verdict)
    #expect((evidence.tooShortReason == nil) == (vsyncs >= 300 || late >= 20))
  }

  @Test func `a replay with names for less than half of the time is fair, not poor`() {
    #expect(evidence(found: 40, coverage: 0.49).verdict == .fair)
    #expect(evidence(found: 28, coverage: 0.49).verdict == .poor)
    #expect(evidence(found: 40, coverage: 0.5).verdict == .good)
  }

  @Test func `a replay that agrees at every vsync is never poor`() {
    let evidence = evidence(found: 40, frameTime: (10, 30), coverage: 0)
    #expect(evidence.verdict == .fair && evidence.faults.count == 2)
    #expect(self.evidence(found: 39, frameTime: (10, 30), coverage: 0).verdict == .poor)
  }

  /// 430 vsyncs of which 313 are dropped: the replay agrees at 285, the constant *always dropped* at 313.
  @Test func `a replay that a constant beats is not good`() {
    let mostlyDropped = evidence(vsyncs: 430, late: 313, found: 313, false: 0)
    #expect(mostlyDropped.verdict == .good)
    let beaten = evidence(vsyncs: 430, late: 313, found: 200, false: 32)
    #expect(beaten.counts.agreeing == 285 && beaten.verdict != .good)
    let reason = "285 of 430 vsyncs agree, and 313 by predicting *always dropped*"
    #expect(beaten.faults.contains { $0.hasPrefix(reason) }, "\(beaten.faults)")
  }

  /// Of 600 vsyncs 60 are dropped, and the replay drops 45 of these and 15 others: 570 agree, 0.95; by chance 0.9 * 0.9 + 0.1 *
  /// 0.1 = 0.82; so kappa is 0.13 / 0.18. If the replay lacks 30 more of those that were shown, 540 agree, 0.9, and by chance
  /// 0.9 * 510 / 600 + 0.1 * 0.1 = 0.775: 0.125 / 0.225.
  @Test func `agreement is corrected for that of chance, which a constant has`() {
    func kappa(
      _ bothShown: Int, _ bothDropped: Int, onlyReplay: Int, onlyRecording: Int, missing: Int = 0
    ) -> Double? {
      var counts = ReplayComparison.Counts()
      (counts.bothShown, counts.bothDropped) = (bothShown, bothDropped)
      (counts.onlyReplayDropped, counts.onlyRecordingDropped) = (onlyReplay, onlyRecording)
      counts.notInReplay = missing
      counts.alwaysShown = bothShown + onlyReplay + missing
      #expect(counts.alwaysDropped == bothDropped + onlyRecording)
      return counts.kappa.map { ($0 * 1000).rounded() / 1000 }
    }
    #expect(kappa(525, 45, onlyReplay: 15, onlyRecording: 15) == 0.722)
    #expect(kappa(495, 45, onlyReplay: 15, onlyRecording: 15, missing: 30) == 0.556)
    #expect(kappa(540, 60, onlyReplay: 0, onlyRecording: 0) == 1)
    #expect(kappa(540, 0, onlyReplay: 0, onlyRecording: 60) == 0)
    #expect(kappa(0, 60, onlyReplay: 540, onlyRecording: 0) == 0)
    #expect(kappa(0, 0, onlyReplay: 300, onlyRecording: 300) == -1)
    #expect(kappa(600, 0, onlyReplay: 0, onlyRecording: 0) == nil)
    #expect(ReplayComparison.Counts().kappa == nil)
  }

  @Test(arguments: [
    // Of 716 frames, at most 3 need no change.
    (recorded: Int?(0), replayed: Int?(2), need: NeedForChange.beyond(3)),
    (0, 5, .none), (3, 14, .none), (53, 50, .beyond(3)), (4, 4, .beyond(3)),
    // The limit is as much smaller as the replay has fewer.
    (4, 3, .beyond(2)), (6, 3, .beyond(1)),
    (7, 3, .unknown), (17, 0, .unknown), (4, 0, .unknown),
    (nil, 5, .beyond(3)), (17, nil, .beyond(3)),
  ])
  func `a change is needed for what was recorded, whatever the replay drops`(
    recorded: Int?, replayed: Int?, need: NeedForChange
  ) {
    #expect(NeedForChange(limit: 3, recorded: recorded, replayed: replayed) == need)
    // Only a search can say what else to do.
    if case .beyond = need { #expect(need.answer == nil) } else { #expect(need.answer != nil) }
  }
}
