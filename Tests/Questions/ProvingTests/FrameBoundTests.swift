import FrameBudget
import FrameBudgetScenarios
import Testing

@testable import FrameBudgetAdvice

/// Bounds that can be calculated by hand.
@Suite struct FrameBoundTests {
  private func shipped(_ name: String) throws -> Scenario {
    let file = try #require(ShippedScenarios.scenario(name))
    return try ScenarioFile.parse(file.bytes, file: file.file)
  }

  private func proof(_ scenario: Scenario, _ strategy: String) throws -> Proof {
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy(strategy, for: scenario))
    return Prover(plan).proof { count, make in (0..<count).map(make) }
  }

  @Test func `the scenario steady is proven, with costs up to two thirds higher`() throws {
    let proof = try proof(try shipped("steady"), "main-thread")
    #expect(proof.verdict == .proven)
    #expect(proof.bound.frame == .milliseconds(10))
    // 10 ms of 16.666666 ms.
    #expect(proof.growth == 1666)
  }

  @Test func `two files besides drawing are proven, three are refuted`() throws {
    var scenario = try shipped("three-files")
    let refuted = try proof(scenario, "main-thread")
    #expect(refuted.verdict == .refuted)
    scenario.workloads.removeAll { $0.name == "three" }
    let proven = try proof(scenario, "main-thread")
    #expect(proven.verdict == .proven)
    #expect(proven.bound.frame == .microseconds(15_200))
    #expect(proven.growth == 1096)
  }

  @Test func `two workloads that never coincide as stated may coincide at other phases`() throws {
    var scenario = try shipped("three-files")
    for workload in scenario.workloads.indices {
      scenario.workloads[workload].arrival = .batch(
        2, every: .seconds(1), start: .milliseconds(250 + 500 * Int64(workload.position)))
    }
    let proof = try proof(scenario, "main-thread")
    #expect(proof.worst?.phases.starts.count == 2)
    #expect(proof.verdict == .refuted)
    #expect(proof.bound.frame == .microseconds(20_400))
  }

  @Test func `an unbounded cost and an unbounded rate are named, with a remedy`() {
    let scenario = Scenario(
      name: "open",
      display: Display(
        refresh: RefreshRate(60),
        render: .normal(mean: .milliseconds(7), deviation: .milliseconds(1))),
      duration: .seconds(1), services: [Service(name: "one")],
      workloads: [
        Workload(
          name: "taps", arrival: .rate(perSecond: 3, start: .zero),
          steps: [Step(name: "add", service: 0, load: .cpu(.constant(.milliseconds(1))))])
      ])
    let bound = FrameBound(scenario, under: .onMain(scenario))
    #expect(!bound.isKept && bound.frame == nil && bound.tightest == nil)
    #expect(
      bound.gaps.map(\.reason) == [
        "drawing has no largest value",
        "any number of items of workload 'taps' may arrive in a frame",
      ])
    #expect(FrameBound.growth(of: scenario, under: .onMain(scenario)) == nil)
  }

  @Test func `tasks that wait for a frame behind an input have no bound`() {
    var scenario = Scenario(
      name: "inputs",
      display: Display(
        refresh: RefreshRate(60), render: .constant(.milliseconds(4)),
        mainLoop: .events(MainLoop.Events(order: .fifo, deferral: .milliseconds(50)))),
      duration: .seconds(1), machine: Machine(cores: 2), services: [Service(name: "one")],
      workloads: [
        Workload(
          name: "taps", arrival: .once(1, start: .zero),
          steps: [Step(name: "add", service: 0, load: .cpu(.constant(.milliseconds(1))))])
      ])
    #expect(FrameBound(scenario, under: .onMain(scenario)).isKept)
    scenario.workloads[0].isInput = true
    let bound = FrameBound(scenario, under: .onMain(scenario))
    #expect(!bound.isKept)
    #expect(bound.gaps.map(\.reason) == ["tasks wait for a frame behind an input"])
  }

  @Test(arguments: [
    (Arrival.batch(2, every: .milliseconds(4), start: .zero), 2, 4, 6),
    (.once(7, start: .zero), 7, 7, 7),
    (.at([1, 2, 5, 6, 9].map { TimeSpan.milliseconds($0) }), 2, 3, 5),
  ])
  func `a window has the most arrivals if it begins just before one of them`(
    _ arrival: Arrival, _ two: Int, _ five: Int, _ nine: Int
  ) {
    #expect(arrival.most(within: .milliseconds(2)) == two)
    #expect(arrival.most(within: .milliseconds(4) + .nanoseconds(1)) == five)
    #expect(arrival.most(within: .milliseconds(8) + .nanoseconds(1)) == nine)
  }

  @Test(arguments: [
    ([50, 90], 1, 140), ([50, 90], 2, 50), ([90], 2, 0), ([10, 40, 90], 2, 50),
    ([30, 30, 30], 2, 45),
  ])
  func `threads fill cores for as long as each is on one of them`(
    _ demands: [Int64], _ cores: Int, _ longest: Int64
  ) {
    let demands = demands.map { TimeSpan.milliseconds($0) }
    #expect(FrameBoundCalculator.longestTogether(demands, on: cores) == .milliseconds(longest))
  }

  @Test func `a long series of posts rarely wakes a thread`() throws {
    var scenario = try shipped("three-files")
    scenario.workloads[0].arrival = .once(1000, start: .milliseconds(250))
    let strategy = try StrategyCatalog.strategy("schedulable", for: scenario)
    let bound = FrameBound(scenario, under: strategy.arrangement)
    let parts = try #require(bound.budgets.first?.parts)
    #expect(parts.filter { $0.kind == .posting }.map(\.count) == [1000, 3])
    #expect(parts.filter { $0.kind == .waking }.map(\.count) == [1])
  }
}
