import FrameBudget
import FrameBudgetSimulation
import Testing

/// The scenario `camera-upload` under each strategy of the catalogue, at the standard costs.
@Suite struct CameraUploadTests {
  private func metrics(_ strategy: String) throws -> RunMetrics {
    let metrics = RunMetrics(try Scenario.cameraUpload().run(strategy))
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    #expect(metrics.frames.expected == 600)
    #expect(metrics.log.warmupFrames == 18)
    return metrics
  }

  @Test func `the main thread hangs for 390 of 600 frames, because of logic`() throws {
    let metrics = try metrics("main-thread")
    #expect(metrics.frames.dropped == 390)
    #expect(metrics["drops_logic"] == 390)
    #expect(metrics.frames.hitches == 1)
    #expect(metrics.items.pending == 0)
    #expect(metrics["responses_late"] == 6)
  }

  @Test func `batches of a thousand drop 312 frames and leave 500 files undone`() throws {
    let metrics = try metrics("throttled")
    #expect(metrics.frames.dropped == 312)
    #expect(metrics.items.pending == 500)
  }

  @Test func `four times cheaper steps drop fewer frames, in one hang`() throws {
    let metrics = try metrics("optimised")
    // 2500 x 0.65 ms, results, a tap and one frame's drawing: 1637.5 ms.
    #expect(metrics.frames.dropped == 98)
    #expect(metrics.frames.hitches == 1)
    #expect(metrics.items.pending == 0)
  }

  @Test func `time slices drop nothing and fall behind`() throws {
    let metrics = try metrics("time-sliced")
    #expect(metrics.frames.dropped <= 3)
    #expect(metrics.items.pending > 1000)
    #expect(metrics["responses_late"] == 0)
  }

  @Test func `threads and locks get everything done`() throws {
    let metrics = try metrics("threads-and-locks")
    #expect(metrics.items.pending == 0)
    #expect(metrics["lock_wait_ms_total"].map { $0 > 0 } == true)
  }

  @Test func `a scheduler drops nothing, does everything, and lets taps wait`() throws {
    let metrics = try metrics("schedulable")
    #expect(metrics.frames.dropped == 0)
    #expect(metrics.items.pending == 0)
    #expect(metrics["responses_late"].map { $0 >= 6 } == true)
    #expect(metrics["publish_ms_total"].map { $0 > 100 } == true)
  }

  @Test func `priorities answer taps in time at the same throughput`() throws {
    let metrics = try metrics("schedulable-priorities")
    #expect(metrics.frames.dropped == 0)
    #expect(metrics.items.pending == 0)
    #expect(metrics["responses_late"] == 0)
    let plain = try self.metrics("schedulable")
    #expect(metrics.items.done == plain.items.done)
  }

  @Test func `every strategy of the catalogue keeps every invariant at every number of cores`()
    throws
  {
    for cores in [1, 2, 6] {
      for named in StrategyCatalog.all {
        var scenario = Scenario.cameraUpload()
        if named.lack(for: scenario) != nil {
          scenario.display.mainLoop = .events(MainLoop.Events())
        }
        if named.lack(for: scenario) != nil { scenario.workloads[0].admission = .all }
        let strategy = try StrategyCatalog.strategy(named.name, for: scenario)
        let log = VirtualEngine(machine: Machine(cores: cores)).run(
          RunPlan(scenario, under: strategy))
        #expect(log.violations.isEmpty, "\(named.name) on \(cores) cores")
      }
    }
  }
}
