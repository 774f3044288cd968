import FrameBudget
import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

@Suite struct `The verdict on a prediction, by dropped frames in percent` {
  /// Dropped frames before the change, as predicted, and after it; with the replay before the change if that differs.
  struct Case: Sendable, CustomTestStringConvertible {
    let before, predicted, after: Double
    var replayed: Double?
    let verdict: Learned.Replay

    var testDescription: String { "\(before) -> \(predicted), \(after)" }
  }

  @Test(arguments: [
    Case(before: 10, predicted: 2, after: 2.5, verdict: .good),
    Case(before: 10, predicted: 2, after: 6, verdict: .fair),
    Case(before: 60, predicted: 40, after: 45, verdict: .good),
    // Nothing changes, and little does.
    Case(before: 10, predicted: 10, after: 10.9, verdict: .good),
    Case(before: 10, predicted: 8.8, after: 9.3, verdict: .good),
    // Within 2 points, or 20 %, but in another direction.
    Case(before: 3, predicted: 1.5, after: 3.4, verdict: .poor),
    Case(before: 3, predicted: 1.9, after: 3.8, verdict: .poor),
    Case(before: 60, predicted: 50, after: 61, verdict: .poor),
    Case(before: 10, predicted: 2, after: 18, verdict: .poor),
    // The direction of the prediction is that from its own replay.
    Case(before: 14.3, predicted: 12.5, after: 14.3, replayed: 12.5, verdict: .good),
    Case(before: 12.5, predicted: 12.5, after: 14.3, replayed: 14.3, verdict: .poor),
  ])
  func `judges the direction first`(_ one: Case) {
    #expect(
      ChangeEvidence.verdict(
        recorded: (one.before, one.after), replayed: (one.replayed ?? one.before, one.predicted))
        == one.verdict)
  }

  @Test func `is good only where the directions are the same or the results are`() {
    let steps = Array(stride(from: 0.0, through: 12, by: 0.5))
    func direction(_ from: Double, _ to: Double) -> Int {
      abs(from - to) <= 1 ? 0 : from < to ? 1 : -1
    }
    for before in [0.0, 3, 10] {
      for predicted in steps {
        for after in steps {
          let verdict = ChangeEvidence.verdict(
            recorded: (before, after), replayed: (before, predicted))
          let isSame = direction(before, predicted) == direction(before, after)
          #expect(
            (verdict == .poor) == (!isSame && abs(predicted - after) > 1),
            "\(before) -> \(predicted), \(after): \(verdict)")
        }
      }
    }
  }

  @Test func `is poor where the replay contradicts the recording before the change`() throws {
    let learned = try #require(
      LearnedScenario(Recording.hashing, name: "app", source: "app.json"))
    let replay = try LearnedReplay(learned)
    let (recorded, smooth) = (replay.runAsRecorded(), try #require(replay.run("move-hash")))
    let change = try #require(AppChange(named: "as-recorded", of: learned))
    func evidence(before log: RunLog) -> ChangeEvidence {
      ChangeEvidence(
        change, basis: .user, before: learned, predicted: recorded, after: learned,
        comparisons: (ReplayComparison(learned, log), ReplayComparison(learned, recorded)))
    }
    #expect(evidence(before: recorded).verdict == .good)
    let unfounded = evidence(before: smooth)
    #expect(unfounded.verdict == .poor)
    #expect(
      unfounded.text.contains(
        "The prediction is poor: its replay contradicts the recording before the change"))
  }
}
