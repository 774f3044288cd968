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
    let percent = 100 / Double(vsyncs)
    return ReplayEvidence(
      counts: counts, alwaysShown: vsyncs - late,
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
    #expect(evidence(found: 40, frameTime: times).verdict == verdict)
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

  @Test func `a replay with names for less than half of the time is poor`() {
    #expect(evidence(found: 40, coverage: 0.49).verdict == .poor)
    #expect(evidence(found: 40, coverage: 0.5).verdict == .good)
  }
}
