import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetAdvice

/// Arrangements that are excluded without a run would also have been excluded by a run.
@Suite struct FeasibilityBoundsTests {
  @Test(arguments: 0..<25)
  func `exclude no arrangement that reaches the aims`(_ seed: Int) throws {
    let request = RandomApp(seed: UInt64(seed)).request
    let space = SearchSpace(request)
    let today = ArrangementRunner(scenario: request.scenario, costs: request.costs, aims: [])
      .outcome(request.today.arrangement)
    let aims = Aims(defaultFor: request.scenario, leftToday: today.left)
    let bounds = FeasibilityBounds(space, aims: aims)
    let runner = ArrangementRunner(
      scenario: request.scenario, costs: request.costs, aims: aims.list)
    for layout in space.layouts(limit: 60) {
      guard let arrangement = space.arrangement(layout), bounds.excludes(arrangement) else {
        continue
      }
      #expect(!runner.outcome(arrangement).meets, "\(layout)")
    }
  }

  @Test func `exclude most arrangements of an overloaded main thread`() throws {
    let request = try Shipped.request("camera-upload", "duration=2 s")
    let space = SearchSpace(request)
    let bounds = FeasibilityBounds(space, aims: Aims(defaultFor: request.scenario, leftToday: 0))
    // 2500 first steps of 0.3 ms do not fit into a frame.
    #expect(bounds.excludes(space.today))
    let excluded = space.layouts(limit: 200).compactMap(space.arrangement).filter(bounds.excludes)
    #expect(excluded.count > 40)
  }
}
