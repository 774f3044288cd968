import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetAdvice

@Suite struct `Advice to spread parts of drawing` {
  /// Every sixth frame takes 21 ms. Rows of at most 7.2 ms in a frame fit beside 4 ms and 5 ms, and two frames are enough for 12 ms.
  @Test func `names its price, and what foresight would buy instead`() throws {
    let advice = Adviser(DrawingApp.list(ahead: nil).request).advice()
    let first = try #require(advice.proposals.first)
    #expect(first.trial.words == ["spread bind-rows over frames, at most 7.2 ms in each"])
    #expect(first.trial.change == Change(policies: 1))
    let incomplete = try #require(first.trial.outcome.incomplete)
    // The last heavy frame, 35, is the last of the run, and its rest is in flight.
    #expect(first.trial.outcome.dropped == 0 && incomplete.frames == 6)
    #expect((16.6...16.7).contains(incomplete.longest))
    #expect(advice.foresight?.trial.words == ["prefetch bind-rows a frame early"])
    #expect(advice.drawingAlone == nil)
  }

  @Test func `comes behind what shows all frames complete`() throws {
    let advice = Adviser(DrawingApp.list(ahead: 3).request).advice()
    #expect(!advice.proposals.isEmpty)
    #expect(advice.proposals.allSatisfy { $0.trial.outcome.incomplete == nil })
    #expect(advice.foresight == nil && advice.keeping == nil)
  }

  @Test func `is not given to those who want complete frames`() {
    let advice = Adviser(DrawingApp.list(ahead: nil).requestOfComplete).advice()
    #expect(advice.verdict == .nothingHelps)
    #expect(advice.today.outcome.dropped == 6)
  }

  /// 60 ms three frames before the end: with 12.5 ms in each, 22.5 ms are left.
  @Test func `is not given where work is left at the end`() {
    let app = DrawingApp.ending(ahead: nil)
    let advice = Adviser(app.request).advice()
    #expect(advice.verdict == .nothingHelps && advice.nearest == nil)
    var arrangement = Arrangement.onMain(app.scenario)
    arrangement.frameParts = [.spread(budget: .microseconds(12_500))]
    let runner = ArrangementRunner(
      scenario: app.scenario, costs: .standard, aims: advice.aims.list)
    let outcome = runner.outcome(arrangement)
    #expect(outcome.dropped == 0 && !outcome.meets)
    #expect(runner.metrics(arrangement)[.partsLeft] == 22.5)
  }

  /// 15 of each 16.67 ms for 10 frames of 20, and the rest needs 20 ms in each.
  @Test func `leaves alone what frames can never do`() {
    let parts = [FramePart(name: "rows", cpu: .constant(.milliseconds(20)))]
    let app = DrawingApp(.constant(.milliseconds(4)), parts)
    let advice = Adviser(app.request).advice()
    #expect(advice.verdict == .nothingHelps)
    #expect(advice.nearest?.outcome.incomplete == nil)
  }

  /// Each part is in its frame or has one of these budgets.
  private static func budgets(for parts: Int) -> [Int64] {
    parts == 1 ? Array(1...15) : [8, 4, 2]
  }

  /// Slow: tries every budget for every part.
  @Test(arguments: Tries.spreadParts.parts)
  func `is never missing where it helps`(seeds: Range<UInt64>) {
    var helped = 0
    for seed in seeds {
      let app = DrawingApp.withFewRemedies(seed: seed)
      let advice = Adviser(app.request).advice()
      if advice.proposals.contains(where: { $0.trial.outcome.incomplete != nil }) {
        helped += 1
        #expect(
          advice.proposals.allSatisfy { $0.trial.outcome.meets && $0.trial.outcome.isValid },
          "seed \(seed)")
      }
      guard advice.verdict == .nothingHelps else { continue }
      let period = app.scenario.display.refresh.period.nanoseconds
      let budgets = Self.budgets(for: app.scenario.frameParts.count).map { share in
        FramePartRule.spread(
          budget: TimeSpan(nanoseconds: period * share / 16 / 100_000 * 100_000))
      }
      let runner = ArrangementRunner(
        scenario: app.scenario, costs: .standard, aims: advice.aims.list)
      let all = app.scenario.frameParts.reduce([[]]) { (sets: [[FramePartRule]], _) in
        sets.flatMap { set in ([.inFrame] + budgets).map { set + [$0] } }
      }
      let helps = all.first { rules in
        var arrangement = Arrangement.onMain(app.scenario)
        arrangement.setRules(ofFrameParts: rules)
        return runner.outcome(arrangement).meets
      }
      #expect(helps == nil, "seed \(seed)")
    }
    #expect(helped > 0)
  }
}
