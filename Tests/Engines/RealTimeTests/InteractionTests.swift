import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Inputs on this machine, with checks that hold under any load.
@Suite struct InteractionTests {
  private static let loops: [MainLoop] = [.frame, .events(MainLoop.Events())]

  private static func run(
    _ name: String, _ loop: MainLoop, until shows: (RunMetrics) -> Bool = { _ in true }
  ) async throws -> RunMetrics {
    var scenario = TestScenario.make(files: 10)
    scenario.display.mainLoop = loop
    scenario.workloads[1].isInput = true
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy(name, for: scenario))
    let log = try await realRuns(of: plan, by: RealEngine(carriers: .ofThisBuild)) {
      shows(RunMetrics($0))
    }
    #expect(log.status == .complete, "\(log.violations)")
    return RunMetrics(log)
  }

  /// Whether a picture has followed the interaction that determines INP: none does if the machine stands still to the end.
  private static func isShown(_ run: RunMetrics) -> Bool { run["inp_ms_is_bound"] == 0 }

  private static func parts(_ run: RunMetrics) throws -> [Double] {
    try ["inp_input_delay_ms", "inp_processing_ms", "inp_presentation_ms"].map {
      try #require(run[$0], "\($0)")
    }
  }

  @Test(arguments: loops)
  func `on the main thread, the frame after the handlers shows the response`(_ loop: MainLoop)
    async throws
  {
    // Handlers burn 100 us, less what the burn before used beyond its own time.
    func hasBurned(_ run: RunMetrics) -> Bool { run["inp_processing_ms"] ?? 1 >= 0.05 }
    let run = try await Self.run(
      "main-thread", loop, until: { Self.isShown($0) && hasBurned($0) })
    #expect(run["interactions"] == Double(run.log.items[1].arrivals.count))
    let (inp, parts) = (try #require(run["inp_ms"]), try Self.parts(run))
    // In whole nanoseconds they are exact; sums of milliseconds are rounded.
    #expect(parts.allSatisfy { $0 >= 0 } && parts.reduce(0, +) >= inp - 1e-6)
    // A missing answer is not the longest until the wait has reached its limit.
    if run["inp_ms_is_bound"] == 0, let longest = run.observed("response_ms_max"), !longest.isBound
    {
      #expect(inp == ((longest.value + 4) / 8).rounded(.down) * 8)
      #expect(hasBurned(run))
    }
  }

  @Test(arguments: loops)
  func `handlers that post work end before it`(_ loop: MainLoop) async throws {
    let run = try await Self.run("schedulable", loop, until: Self.isShown)
    let (inp, parts) = (try #require(run["inp_ms"]), try Self.parts(run))
    #expect(parts.allSatisfy { $0 >= 0 } && parts.reduce(0, +) >= inp - 1e-6)
    // The first picture of the result is the one that follows the handlers.
    if run["inp_ms_is_bound"] == 0, let longest = run.observed("content_ms_max"), !longest.isBound {
      #expect(inp <= longest.value + 4)
    }
  }
}
