import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// The rule for the work that fits into a frame, on a real clock. Even on a slow machine, nothing here can take less time than
/// stated, so no frame can hold more than expected: except work behind some that took too much, as on a machine that stood still.
@Suite struct `The real engine, time-sliced` {
  private func run(
    refresh: Int64, render: Int64, step: Int64, result: Int64, lookAhead: String
  ) async throws -> RunLog {
    let load = Step.Load.cpu(.constant(.milliseconds(step)))
    let scenario = Scenario(
      name: "slices",
      display: Display(
        refresh: RefreshRate(refresh), render: .constant(.milliseconds(render))),
      duration: .seconds(1), warmup: .milliseconds(50), services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "item", arrival: .once(50, start: .zero),
          steps: [Step(name: "step", service: 0, load: load)],
          result: .constant(.milliseconds(result)))
      ])
    let strategy = try StrategyCatalog.strategy(
      "time-sliced", options: [(key: "look-ahead", value: lookAhead)], for: scenario)
    let log = try await realRuns(of: RunPlan(scenario, under: strategy)) {
      $0.items[0].doneCount > 0
    }
    #expect(log.violations == [])
    #expect(log.items[0].doneCount > 0)
    return log
  }

  /// 50 ms a frame, 5 of them for drawing: after one item 20 ms are left, enough for a step and not for its result. Items that took
  /// 20 ms at most leave enough for one more.
  @Test func `counts what results took`() async throws {
    let log = try await run(refresh: 20, render: 5, step: 10, result: 15, lookAhead: "on")
    #expect(
      log.frames.records.allSatisfy {
        $0.items <= 1 || $0.spans[.logic] + $0.spans[.drain] <= .milliseconds(45)
      })
  }

  @Test func `starts one item a frame where drawing leaves no time and nothing looks ahead`()
    async throws
  {
    let log = try await run(refresh: 60, render: 20, step: 1, result: 0, lookAhead: "off")
    #expect(log.frames.records.allSatisfy { $0.items <= 1 })
  }
}
