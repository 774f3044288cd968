import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// A run on threads includes arrivals from its start to before its end, like a simulated one.
@Suite struct RunBorderTests {
  static let loops: [MainLoop] = [.frame, .events(MainLoop.Events())]

  private static func run(
    _ arrivals: [Arrival], step: TimeSpan, _ strategy: String, _ loop: MainLoop
  ) async throws -> RunLog {
    let load = Step.Load.cpu(.constant(step))
    let scenario = Scenario(
      name: "border",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .milliseconds(200), warmup: .milliseconds(20), services: [Service(name: "app")],
      workloads: arrivals.enumerated().map { place, arrival in
        Workload(
          name: "items-\(place)", arrival: arrival,
          steps: [Step(name: "step", service: 0, load: load)])
      })
    let strategy = try StrategyCatalog.strategy(strategy, for: scenario)
    return try await realRun { try RealEngine().run(RunPlan(scenario, under: strategy)) }
  }

  @Test(arguments: loops, ["main-thread", "schedulable"])
  func `an item that arrives at the end is not part of the run`(loop: MainLoop, strategy: String)
    async throws
  {
    let end = TimeSpan.milliseconds(200)
    let log = try await Self.run(
      [
        .batch(1, every: .milliseconds(10), start: .zero), .once(3, start: end),
        .at([.zero, end - .nanoseconds(1), end, end + .nanoseconds(1)]),
      ], step: .microseconds(10), strategy, loop)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items.map(\.arrivals.count) == [20, 0, 2])
    for items in log.items {
      #expect(items.doneCount + items.pendingCount == items.arrivals.count)
    }
  }

  @Test(arguments: loops)
  func `an item cut off by the end is not done`(loop: MainLoop) async throws {
    let log = try await Self.run(
      [.at([.milliseconds(100)])], step: .milliseconds(150), "main-thread", loop)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 0 && log.items[0].pendingCount == 1)
  }
}
