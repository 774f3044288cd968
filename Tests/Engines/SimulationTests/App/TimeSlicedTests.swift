import FrameBudget
import FrameBudgetSimulation
import Testing

/// The promises of time-sliced: with look-ahead no frame is dropped, and all work is eventually done.
@Suite struct TimeSlicedTests {
  private static let estimates = ["exact", "learned"]
  private static let units = ["item", "step"]

  /// 60 Hz, ten milliseconds of drawing, items that arrive at once.
  private func scenario(
    _ items: Int, steps: [TimeSpan], result: TimeSpan = .zero, render: TimeSpan = .milliseconds(10)
  ) -> Scenario {
    var scenario = Scenario.files(
      .once(items, start: .zero), render: render, duration: .seconds(2))
    scenario.workloads[0].steps = steps.map {
      Step(name: "step", service: 0, load: .cpu(.constant($0)))
    }
    scenario.workloads[0].result = .constant(result)
    return scenario
  }

  private func run(
    _ scenario: Scenario, estimate: String, unit: String, lookAhead: Bool = true
  ) throws -> RunLog {
    try scenario.run(
      "time-sliced",
      [("estimate", estimate), ("unit", unit), ("look-ahead", lookAhead ? "on" : "off")],
      costs: .none)
  }

  /// Beside 10 ms of drawing 6.667 ms are left, two items of 3.25 ms without their results, and one with it.
  @Test(arguments: estimates, units)
  func `a result that an item leads to is part of what has to fit`(
    estimate: String, unit: String
  ) throws {
    let scenario = scenario(
      80, steps: [.microseconds(3250)], result: .microseconds(100))
    let log = try run(scenario, estimate: estimate, unit: unit)
    let metrics = RunMetrics(log)
    #expect(metrics["dropped_frames"] == 0)
    #expect(log.items[0].doneCount == 80)
    #expect(metrics["makespan_ms"].map { $0 > 79 * 16.6 } == true, "one in each frame")
  }

  @Test func `a result belongs to the last step of an item`() throws {
    // 3 + 3 ms fit beside 10 ms, and their result of 1 ms does not: the second step waits for a frame of its own.
    let steps = Array(repeating: TimeSpan.milliseconds(3), count: 2)
    let log = try run(
      scenario(5, steps: steps, result: .milliseconds(1)), estimate: "exact", unit: "step")
    #expect(RunMetrics(log)["dropped_frames"] == 0)
    #expect(log.items[0].doneCount == 5)
  }

  /// Publishing at the end of a step costs time too, and this time is learned as well.
  @Test func `steps that publish are learned and sliced like others`() throws {
    var scenario = scenario(40, steps: Array(repeating: .microseconds(1400), count: 4))
    scenario.services[0].records = 20_000
    scenario.reads = [UIRead(service: 0, cpu: .none)]
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .fitting(.init(estimate: .learned, unit: .step))
    arrangement.reading = .snapshot(.perStep)
    var costs = Costs.none
    costs.releasePerRecord = .nanoseconds(10)
    let metrics = RunMetrics(scenario.run(arrangement, costs: costs))
    #expect(metrics["dropped_frames"].map { $0 <= 1 } == true, "one, before anything is learned")
    #expect(metrics.items.done == 40)
  }

  @Test(arguments: estimates, units)
  func `without look-ahead one unit a frame starts although drawing leaves no time`(
    estimate: String, unit: String
  ) throws {
    for render in [TimeSpan.milliseconds(17), .nanoseconds(16_666_666), .nanoseconds(16_666_667)] {
      let scenario = scenario(
        6, steps: [.milliseconds(1), .milliseconds(1)], result: .microseconds(100), render: render)
      let log = try run(scenario, estimate: estimate, unit: unit, lookAhead: false)
      #expect(log.items[0].doneCount == 6, "\(render)")
    }
  }

  /// The user's items come first; deferred work must not starve behind them.
  @Test(arguments: [true, false])
  func `frames that others fill let a held-back item start now and then`(lookAhead: Bool) throws {
    var scenario = scenario(3, steps: [.milliseconds(1)])
    scenario.workloads.append(
      Workload(
        name: "tap", arrival: .batch(1, every: .microseconds(16_667), start: .zero),
        steps: [Step(name: "tap", service: 0, load: .cpu(.constant(.milliseconds(7))))],
        priority: .user))
    let log = try run(scenario, estimate: "exact", unit: "item", lookAhead: lookAhead)
    #expect(log.items[0].doneCount == 3)
  }
}
