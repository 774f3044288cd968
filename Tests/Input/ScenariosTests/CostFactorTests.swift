import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

/// `costs.all=1.2`, `costs.SERVICE=1.2`: a slower phone, a service that takes longer.
@Suite struct CostFactorTests {
  private let text = """
    scenario: factors
    display: {refresh: 60 Hz, render: {normal: {mean: 4 ms, deviation: 1 ms}}, compositor: 2 ms}
    duration: 500 ms
    services: {worker: {}, index: {}}
    workloads:
      - name: add
        copies: 2
        own: [worker]
        arrival: {once: 10, start: 50 ms}
        steps:
          - {service: worker, cpu: {uniform: {from: 1 ms, to: 3 ms}}, wait: 4 ms}
          - {service: index, work: 1 ms, touches: 1 MB}
        result: {cpu: 100 us}
    ui: {reads: [{service: index, cpu: {exponential: {mean: 20 us}}}]}
    strategies: [main-thread]
    """

  private func scenario(_ changes: String..., costs: String = "") throws -> Scenario {
    try ScenarioFile.parse(
      Array((text + costs).utf8), file: "factors.yaml",
      overrides: try changes.map { text throws(ScenarioError) in try Override(parsing: text) })
  }

  private func load(_ scenario: Scenario, _ step: Int) -> [DurationDistribution] {
    scenario.workloads.map { $0.steps[step].load.duration }
  }

  @Test func `a factor on all costs scales processor time, and no waits`() throws {
    let slow = try scenario("costs.all=1.5")
    #expect(
      slow.display.render
        == .normal(mean: .milliseconds(6), deviation: .microseconds(1500)))
    #expect(slow.display.pipeline.compositor == .constant(.milliseconds(3)))
    #expect(slow.reads.map(\.cpu) == [.exponential(mean: .microseconds(30))])
    #expect(
      slow.workloads.map(\.result) == Array(repeating: .constant(.microseconds(150)), count: 2))
    let uniform = DurationDistribution.uniform(
      from: .microseconds(1500), to: .microseconds(4500))
    #expect(load(slow, 0) == [uniform, uniform])
    #expect(
      slow.workloads.map { $0.steps[1].load }
        == Array(
          repeating: .work(.constant(.microseconds(1500)), touches: 1_000_000), count: 2))
    #expect(
      slow.workloads.map { $0.steps[0].wait } == [
        .constant(.milliseconds(4)), .constant(.milliseconds(4)),
      ])
  }

  @Test func `a factor on a service scales its steps, those of all copies, and nothing else`()
    throws
  {
    let slow = try scenario("costs.worker=2")
    let plain = try scenario()
    let uniform = DurationDistribution.uniform(from: .milliseconds(2), to: .milliseconds(6))
    #expect(load(slow, 0) == [uniform, uniform])
    #expect(load(slow, 1) == load(plain, 1))
    #expect(slow.display == plain.display)
    #expect(slow.reads == plain.reads)
    #expect(slow.workloads.map(\.result) == plain.workloads.map(\.result))
  }

  @Test func `both together are multiplied, in a file as on the command line`() throws {
    let both = try scenario("costs.all=2", "costs.index=1.5")
    #expect(load(both, 1) == Array(repeating: .constant(.milliseconds(3)), count: 2))
    let file = try scenario(costs: "\ncosts: {all: 2, index: 1.5}\n")
    #expect(load(file, 1) == load(both, 1) && load(file, 0) == load(both, 0))
    #expect(file.display == both.display)
  }

  @Test func `a run with a factor is the run of a file with those costs`() throws {
    let doubled = text.replacing("mean: 4 ms, deviation: 1 ms", with: "mean: 8 ms, deviation: 2 ms")
      .replacing("compositor: 2 ms", with: "compositor: 4 ms")
      .replacing("from: 1 ms, to: 3 ms", with: "from: 2 ms, to: 6 ms")
      .replacing("work: 1 ms", with: "work: 2 ms").replacing("cpu: 100 us", with: "cpu: 200 us")
      .replacing("mean: 20 us", with: "mean: 40 us")
    let written = try ScenarioFile.parse(Array(doubled.utf8), file: "doubled.yaml")
    let metrics = try [scenario("costs.all=2"), written].map { scenario in
      RunMetrics(
        VirtualEngine().run(RunPlan(scenario, under: try #require(scenario.strategies.first))))
    }
    for metric in MetricCatalog.numbers {
      #expect(metrics[0][metric] == metrics[1][metric], "\(metric.name)")
    }
    #expect(metrics[0].frames.dropped > 0)
  }

  @Test(arguments: [
    ("costs.idnex=2", "did you mean 'index'?"), ("costs.all=0", "from 0.001 to 1000"),
    ("costs.all=fast", "not a number"), ("costs=2", "worker"),
  ])
  func `errors name the fault`(_ change: String, _ words: String) throws {
    #expect {
      try scenario(change)
    } throws: { error in
      "\(error)".contains(words) && "\(error)".contains("--set costs")
    }
  }

  @Test func `aims are under any, and are not an expectation of a strategy`() throws {
    let aims = try scenario(costs: "\nexpect: {any: {dropped_frames: {max: 0}}}\n")
    #expect(aims.aims == [Aim("dropped_frames", maximum: 0)])
    #expect(aims.expectations.isEmpty)
    #expect(throws: ScenarioError.self) {
      try scenario(costs: "\nexpect: {any: {droped_frames: {max: 0}}}\n")
    }
  }
}
