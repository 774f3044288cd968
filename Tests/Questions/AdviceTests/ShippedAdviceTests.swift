import Foundation
import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetAdvice

/// Advice for the shipped scenarios. `FRAMEBUDGET_EXHAUSTIVE=1` tests all scenarios with at most five services at full length;
/// names as its value select scenarios; by default the tests use scenarios with few placements.
@Suite struct `The advice on shipped scenarios` {
  private static let tried = Shipped.isWhole ? Shipped.chosen : Self.quick
  /// Runs of tens of milliseconds, some dozens of them each.
  private static let quick = [
    "steady", "three-files", "at-120-hertz", "like-android",
    "tap-behind-files", "results-at-once", "shared-lock", "lock-order", "priority-inversion",
  ]

  /// Slow: tries every possible arrangement.
  @Test(arguments: tried)
  func `is the best of all arrangements, as an exhaustive search finds it`(_ name: String) throws {
    let request = try Shipped.request(name)
    let advice = Adviser(request).advice()
    try expectBest(advice)
  }

  /// Camera-upload with fewer photos in less time, so that hundreds of candidates take seconds.
  @Test func `is the best of all for four services, a burst and taps`() throws {
    let request = try Shipped.request(
      "camera-upload", "duration=900 ms", "workloads.add-file.arrival.once=90",
      "workloads.add-file.arrival.start=200 ms", "workloads.tap.arrival.every=200 ms",
      "workloads.tap.arrival.start=250 ms", "warmup=0 s")
    let advice = Adviser(request).advice()
    #expect(advice.verdict == .change)
    #expect(advice.count.placements == 136)
    try expectBest(advice)
  }

  /// Aims that a named strategy reaches with a lane for each account are not reported as unreachable.
  @Test(.enabled(if: Shipped.isWhole))
  func `tries a lane for each service before it gives up`() throws {
    let advice = Adviser(try Shipped.request("accounts", "duration=1200 ms")).advice()
    #expect(advice.today.outcome.late.map { $0 > 0 } == true)
    #expect(advice.request.maxLanes == 4 || advice.verdict == .change)
  }

  /// That takes seconds in a release build (`make bench`): here, that it is found within the runs that are allowed.
  @Test(.enabled(if: Shipped.isWhole))
  func `needs no more moves for twelve services and four workloads than a greedy search`()
    throws
  {
    let file = Project.folder.appending(path: "benchmarks/twelve-services.yaml")
    let scenario = try ScenarioFile.parse(
      [UInt8](Data(contentsOf: file)), file: "twelve-services.yaml")
    let request = AdviceRequest(scenario, today: try #require(scenario.strategies.first))
    let advice = Adviser(request).advice()
    #expect(advice.verdict == .change && advice.today.outcome.dropped > 0)
    #expect(!advice.count.isExhaustive)
    let first = try #require(advice.proposals.first)
    #expect(first.trial.outcome.dropped == 0 && first.trial.outcome.late == 0)
    #expect(try SmallerChange.services(advice) == [])
  }

  private func expectBest(_ advice: Advice) throws {
    // The final search space, with more lanes if they were needed.
    let request = advice.request
    let space = SearchSpace(request)
    guard advice.verdict != .nothingToChange else {
      #expect(BruteForce.rank(space.today, space, advice.aims) != nil)
      return
    }
    let brute = BruteForce(request, aims: advice.aims)
    #expect(advice.count.isExhaustive)
    guard let best = brute.best else {
      // Two rules at once are tried only if one is not enough.
      #expect(advice.proposals.allSatisfy { ($0.trial.layout?.policies.count ?? 0) > 1 })
      return
    }
    let first = try #require(advice.proposals.first?.trial)
    #expect(BruteForce.rank(first.arrangement, space, advice.aims) == best.rank)
    #expect(first.arrangement == best.arrangement, "\(first.words)")
  }
}
