import FrameBudget
import Testing

@Suite struct ResultDrainTests {
  /// The results, by workload, that a frame shows of `there`, each with whether it is an update of its own; an update
  /// takes 2 ms.
  private func shown(_ drain: inout ResultDrain, _ there: [WorkloadIndex]) -> [String] {
    var now = Instant.ms(100)
    var left = there[...]
    var shown: [String] = []
    drain.open(there.count, at: now)
    while drain.takeNext(at: now), let workload = left.popFirst() {
      let isUpdate = drain.beginUpdate(workload)
      shown.append("\(workload)\(isUpdate ? " updates" : "")")
      if isUpdate { now = now + .ms(2) }
    }
    return shown
  }

  private func drain(_ returning: Returning) -> ResultDrain {
    let scenario = Scenario.with([.files(name: "a"), .files(name: "b")])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.returning = returning
    return ResultDrain(
      RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement)))
  }

  @Test func `in place, a frame takes all waiting results`() {
    var drain = drain(.inPlace)
    #expect(shown(&drain, [0, 0, 1]) == ["0 updates", "0 updates", "1 updates"])
    #expect(shown(&drain, []) == [])
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 1), (2.1, 2), (4, 2), (100, 5)])
  func `with a budget, results start until it is used up, at least one`(
    budget: Double, count: Int
  ) {
    var drain = drain(.drained(budget: .ms(budget)))
    #expect(shown(&drain, [0, 0, 0, 1, 1]).count == count)
    // A new frame has a new budget.
    #expect(shown(&drain, [0, 0, 0, 1, 1]).count == count)
  }

  @Test func `coalesced, the first result of each workload updates the UI in each frame`() {
    var drain = drain(.coalesced)
    #expect(shown(&drain, [1, 0, 1, 1, 0]) == ["1 updates", "0 updates", "1", "1", "0"])
    #expect(shown(&drain, [1, 1]) == ["1 updates", "1"])
  }

  @Test func `results that return while a frame drains wait for the next one`() {
    var drain = drain(.inPlace)
    drain.open(1, at: .zero)
    let taken = (0..<3).map { _ in drain.takeNext(at: .zero) }
    #expect(taken == [true, false, false])
  }
}
