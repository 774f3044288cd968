import FrameBudget
import FrameBudgetSimulation

@testable import FrameBudgetAdvice

/// The best of all placements, each unchanged and with each change of rules: everything is run, nothing is excluded, and
/// lanes are tried under every number.
struct BruteForce {
  /// The criteria of a comparison, in order; smaller is better.
  struct Rank: Comparable, Hashable, CustomStringConvertible {
    let weight: Int
    let price: Double
    let response: Double
    let content: Double
    let moved: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.weight, left.price, left.response, left.content, left.moved)
        < (right.weight, right.price, right.response, right.content, right.moved)
    }

    var description: String { "\(weight) \(price) ms \(response) ms \(content) ms \(moved) moved" }
  }

  let best: (rank: Rank, arrangement: Arrangement)?
  let runs: Int

  init(_ request: AdviceRequest, aims: Aims) {
    let space = SearchSpace(request)
    let placements = Self.placements(space)
    let withRules = placements.flatMap { layout in
      space.policies.map { policy in
        var layout = layout
        layout.policies = [policy]
        return layout
      }
    }
    var best: (rank: Rank, arrangement: Arrangement)?
    var runs = 0
    var seen: Set<Arrangement> = [space.today]
    for layout in placements + withRules {
      guard let arrangement = space.arrangement(layout), seen.insert(arrangement).inserted else {
        continue
      }
      runs += 1
      guard let rank = Self.rank(arrangement, space, aims) else { continue }
      if best.map({ rank < $0.rank }) ?? true { best = (rank, arrangement) }
    }
    self.best = best
    self.runs = runs
  }

  /// Every unit at every place, the last one turning fastest.
  private static func placements(_ space: SearchSpace) -> [PlacementCandidate] {
    let choices = space.choices.map { homes in
      homes.flatMap { home in
        if case .newLane = home { return (0..<space.maxNewLanes).map(Home.newLane) }
        return [home]
      }
    }
    let all = choices.reduce([[]]) { (layouts: [[Home]], homes) in
      layouts.flatMap { layout in homes.map { layout + [$0] } }
    }
    return all.map { PlacementCandidate(homes: $0) }
  }

  /// Nil if it does not reach the aims.
  static func rank(_ arrangement: Arrangement, _ space: SearchSpace, _ aims: Aims) -> Rank? {
    let strategy = Strategy(name: "brute-force", arrangement: arrangement)
    let engine = VirtualEngine(costs: space.request.costs)
    let metrics = RunMetrics(engine.run(RunPlan(space.scenario, under: strategy)))
    guard metrics.log.violations.isEmpty,
      aims.list.allSatisfy({ aim in metrics.observed(aim.metric).map(aim.holds) ?? false })
    else { return nil }
    let change = space.change(to: arrangement)
    let price =
      (metrics["handoff_ms_total"] ?? 0) + (metrics["publish_ms_total"] ?? 0)
      + (metrics["lock_wait_ms_total"] ?? 0)
    return Rank(
      weight: change.weight(space.request.weights), price: price,
      response: metrics["response_ms_p99"] ?? 0, content: metrics["content_ms_p95"] ?? 0,
      moved: change.moved.count)
  }
}
