import FrameBudget
import FrameBudgetSimulation
import Testing

/// The amount of work, at 2.6 ms per file, for which a screen of 60 Hz leaves time beside drawing of 10 ms.
@Suite struct CapacityTests {
  @Test(arguments: [(2, 0), (3, 1)])
  func `beside ten milliseconds of drawing two files fit into a frame, and three do not`(
    files: Int, dropped: Int
  ) {
    let scenario = Scenario.files(
      .batch(files, every: .seconds(1), start: .zero), render: .milliseconds(10),
      duration: .milliseconds(4999))
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics.frames.dropped == dropped * 5)
    #expect(metrics.frames.frameTimes.maximum == Double(10_000_000 + files * 2_600_000))
  }

  @Test(arguments: [(1000, 2_610_000_000, 157), (2500, 6_510_000_000, 391)])
  func `a burst on the main thread is one frame`(files: Int, nanoseconds: Int64, shown: Int) {
    let scenario = Scenario.files(
      .once(files, start: .seconds(1)), render: .milliseconds(10), duration: .seconds(10))
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics.frames.frameTimes.maximum == Double(nanoseconds))
    let hang = metrics.log.frames.works.firstIndex(of: nanoseconds)
    #expect(hang == 60)
    #expect(hang.map { metrics.log.frames.shown($0) } == 60 + shown)
    #expect(metrics.frames.dropped == shown - 1)
    #expect(metrics.frames.frozen == 1)
    #expect(metrics.frames.hangs == 1)
  }

  @Test func `a thousand files every five seconds drop 156 of 300 frames each time`() {
    let scenario = Scenario.files(
      .batch(1000, every: .seconds(5), start: .zero), render: .milliseconds(10),
      duration: .seconds(20))
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics.frames.expected == 1200)
    #expect(metrics.frames.dropped == 4 * 156)
    #expect(metrics.frames.droppedPercent == 52)
  }

  @Test func `whole files in slices keep every frame and fall behind by 80 files a second`() {
    let (short, long) = (sliced(.item, duration: 10), sliced(.item, duration: 20))
    #expect(short.frames.dropped == 0)
    #expect(long.frames.dropped == 0)
    #expect(short.items.perSecond == 120)
    #expect(long.items.perSecond == 120)
    #expect(long.items.pending - short.items.pending == 80 * 10)
  }

  @Test func `slices as fine as can be still do only 153 files a second`() {
    let metrics = sliced(.step, duration: 20, parts: 26)
    #expect(metrics.frames.dropped == 0)
    // 6.6666 ms of each frame, in parts of 0.1 ms: 66 of them, 2.5384 files.
    #expect(metrics.items.done == 20 * 60 * 66 / 26)
    #expect(Double(metrics.items.done) / 20 < 153.8)
  }

  private func sliced(
    _ unit: Admission.Fitting.Unit, duration: Int64, parts: Int = 1
  ) -> RunMetrics {
    var scenario = Scenario.files(
      .batch(200, every: .seconds(1), start: .zero), render: .milliseconds(10),
      duration: .seconds(duration))
    let part = Step(
      name: "part", service: 0,
      load: .cpu(.constant(TimeSpan(nanoseconds: 2_600_000 / Int64(parts)))))
    scenario.workloads[0].steps = Array(repeating: part, count: parts)
    var arrangement = Arrangement.onMain(scenario)
    arrangement.admission = .fitting(.init(estimate: .exact, unit: unit))
    return RunMetrics(scenario.run(arrangement))
  }

  @Test func `a second core does 384 files a second and no frame is dropped`() {
    let scenario = Scenario.files(
      .once(1000, start: .seconds(1)), render: .milliseconds(10), duration: .seconds(5), cores: 2)
    let metrics = RunMetrics(scenario.run(scenario.inBackground()))
    #expect(metrics.frames.dropped == 0)
    #expect(metrics.items.done == 1000)
    #expect(metrics.items.makespan == .milliseconds(2600))
    #expect(metrics["main_cpu_ms"] == 3000)
    #expect(metrics["background_cpu_ms"] == 2600)
  }

  @Test func `on one core, priorities decide which work is late`() {
    let scenario = Scenario.files(
      .batch(200, every: .seconds(1), start: .zero), render: .milliseconds(10),
      duration: .seconds(10))
    let screenFirst = RunMetrics(scenario.run(scenario.inBackground(), scheduling: .mainFirst))
    #expect(screenFirst.frames.dropped == 0)
    // The time left by drawing, 400 ms of each second, is enough for 153 files.
    #expect((1530...1539).contains(screenFirst.items.done))
    let filesFirst = RunMetrics(
      scenario.run(scenario.inBackground(nice: -5), scheduling: .fixedByNice))
    #expect(filesFirst.frames.dropped > 0)
    #expect(filesFirst.items.pending == 0)
    let shared = RunMetrics(scenario.run(scenario.inBackground()))
    #expect(shared.frames.dropped > 0)
    #expect(shared.frames.dropped < filesFirst.frames.dropped)
    let polite = RunMetrics(scenario.run(scenario.inBackground(nice: 19)))
    #expect(polite.frames.dropped <= shared.frames.dropped)
    #expect(polite.items.done < shared.items.done)
  }
}
