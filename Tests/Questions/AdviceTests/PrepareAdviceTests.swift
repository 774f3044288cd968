import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetAdvice

@Suite struct `Advice to prepare parts of drawing on a lane` {
  /// 5 ms run beside 12 ms, and 4 ms behind them; the other way round, main would wait 7 ms.
  @Test func `lets the smaller part run beside the larger one, without any foresight`() throws {
    let advice = Adviser(DrawingApp.list(ahead: nil, cores: 2).request).advice()
    let first = try #require(advice.proposals.first)
    #expect(first.trial.words == ["prepare inflate on another lane as a frame begins"])
    #expect(first.trial.change == Change(lanes: 1, policies: 1))
    #expect(first.trial.arrangement.lanes.map(\.name) == ["main", "drawing"])
    #expect(first.trial.arrangement.frameParts == [.inFrame, .prepared(lane: 1, frames: 0)])
    let outcome = first.trial.outcome
    #expect(outcome.dropped == 0 && outcome.incomplete == nil)
    #expect(outcome.price.handOff > 0 && outcome.price.lockWait == 0)
    #expect(advice.foresight == nil && advice.keeping == nil)
  }

  /// 20 ms fit into no period: from one frame before, the frame waits for the rest, from two it does not.
  @Test func `finds how early a part has to begin that never fits`() throws {
    let decode = FramePart(
      name: "decode", cpu: DrawingApp.heavy(.milliseconds(20), each: 9), ahead: 3)
    let advice = Adviser(DrawingApp(.constant(.milliseconds(4)), [decode]).request).advice()
    let first = try #require(advice.proposals.first)
    #expect(first.trial.words == ["prepare decode on another lane up to 2 frames early"])
    #expect(first.trial.outcome.dropped == 0 && first.trial.outcome.price.lockWait == 0)
  }

  @Test func `comes behind what needs no thread`() throws {
    let advice = Adviser(DrawingApp.list(ahead: 3, cores: 2).request).advice()
    #expect(advice.proposals.first?.trial.words == ["prefetch bind-rows a frame early"])
  }

  @Test func `keeps the lane of a part that is prepared, and its place`() throws {
    var request = DrawingApp.list(ahead: 3, cores: 2).request
    var today = request.today.arrangement
    today.lanes.append(Lane(name: "idle", carrier: .scheduler))
    today.lanes.append(Lane(name: "layout", carrier: .scheduler))
    today.placement[0] = .home(1)
    today.frameParts = [.inFrame, .prepared(lane: 2, frames: 1)]
    request.today = Strategy(name: "today", arrangement: today)
    let space = SearchSpace(request)
    let moved = try #require(space.arrangement(PlacementCandidate(homes: [.main])))
    #expect(moved.lanes.map(\.name) == ["main", "layout"])
    #expect(moved.frameParts == [.inFrame, .prepared(lane: 1, frames: 1)])
    let policy = Policy.prepare(parts: ["bind-rows"], frames: 5)
    let both = try #require(policy.applied(to: moved, of: request.scenario))
    #expect(both.lanes.count == 2)
    #expect(
      both.frameParts == [.prepared(lane: 1, frames: 3), .prepared(lane: 1, frames: 1)])
  }

  /// Slow: tries every number of frames for every part.
  @Test(arguments: Tries.prefetchedParts.parts)
  func `is never missing where it helps`(seeds: Range<UInt64>) {
    var helped = 0
    for seed in seeds {
      let app = DrawingApp(seed: seed)
      let advice = Adviser(app.request).advice()
      if advice.proposals.contains(where: {
        !$0.trial.arrangement.frameParts.compactMap(\.lane).isEmpty
      }) {
        helped += 1
      }
      guard advice.verdict == .nothingHelps else { continue }
      let runner = ArrangementRunner(
        scenario: app.scenario, costs: .standard, aims: advice.aims.list)
      let all = app.scenario.frameParts.reduce([[]]) { (sets: [[FramePartRule]], part) in
        let rules =
          [.inFrame] + (0...(part.ahead ?? 0)).map { FramePartRule.prepared(lane: 1, frames: $0) }
        return sets.flatMap { set in rules.map { set + [$0] } }
      }
      let helps = all.first { rules in
        var arrangement = Arrangement.onMain(app.scenario)
        arrangement.lanes.append(Lane(name: "drawing", carrier: .scheduler))
        arrangement.setRules(ofFrameParts: rules)
        return runner.outcome(arrangement).meets
      }
      #expect(helps == nil, "seed \(seed)")
    }
    #expect(helped > 0)
  }
}
