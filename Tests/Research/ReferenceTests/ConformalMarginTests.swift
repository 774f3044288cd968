import FrameBudget
import Testing

@testable import FrameBudgetReference

struct `A margin from measured groups` {
  @Test func `needs nine groups for nine of ten values`() {
    let groups = (1...9).map { [Double($0)] }
    #expect(ConformalMargin.margin(groups, containing: 0.9) == 9)
    #expect(ConformalMargin.margin(Array(groups.dropLast()), containing: 0.9) == nil)
    #expect(ConformalMargin.margin([], containing: 0.9) == nil)
    #expect(ConformalMargin.margin(groups + [[]], containing: 0.9) == 9)
  }

  @Test func `gives each group the same weight, however many values it has`() {
    // Of 19 groups, 18 must be inside for nine of ten of twenty.
    let calm = (1...17).map { _ in [0.0, 0] }
    #expect(ConformalMargin.margin(calm + [[1], [2]], containing: 0.9) == 1)
    let many = Array(repeating: 2.0, count: 1000)
    #expect(ConformalMargin.margin(calm + [[1], many], containing: 0.9) == 1)
    // Half of each of the last two is one of them.
    #expect(ConformalMargin.margin(calm + [[0, 3], [0, 5]], containing: 0.9) == 0)
    #expect(ConformalMargin.margin(calm + [[2, 3], [4, 5]], containing: 0.9) == 3)
  }

  /// Groups whose values are alike: with values taken for independent of each other, too few of a new group would be inside.
  @Test func `contains that share of the values of a new group`() {
    var stream = RandomStream(seed: 1, name: "margins")
    func group() -> [Double] {
      let (center, count) = (stream.unit() * stream.unit(), 1 + Int(stream.unit() * 20))
      return (0..<count).map { _ in center + 0.05 * stream.unit() }
    }
    var inside = 0.0
    let tries = 2000
    for _ in 0..<tries {
      guard let margin = ConformalMargin.margin((0..<15).map { _ in group() }, containing: 0.9)
      else {
        Issue.record("15 groups are enough")
        return
      }
      let new = group()
      inside += Double(new.count { $0 <= margin }) / Double(new.count)
    }
    let share = inside / Double(tries)
    #expect(share > 0.89 && share < 0.9 + 2.0 / 16, "\(share)")
  }
}
