import FrameBudget
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetTerminal

@Suite struct `A watched run` {
  @Test(arguments: ["main-thread", "time-sliced", "threads-and-locks", "schedulable"])
  func `shows at its end what the glossary says of its log`(_ name: String) throws {
    let (model, metrics) = try watch(name, milliseconds: 2500, every: .milliseconds(33))
    let figures = Figures(model, at: .zero + .milliseconds(2500))
    #expect(figures.frames.dropped == metrics.frames.dropped)
    #expect(figures.frames.droppedPercent == metrics["dropped_frames_pct"])
    #expect(figures.frames.hitchRatio == metrics["hitch_ratio_ms_per_s"])
    #expect(figures.frames.averageFPS == metrics["average_fps"])
    #expect(figures.frameTime(.p50) == metrics["frame_ms_p50"])
    #expect(figures.frameTime(.p95) == metrics["frame_ms_p95"])
    #expect(figures.frameTime(.p99) == metrics["frame_ms_p99"])
    #expect(figures.frameTime(.max) == metrics["frame_ms_max"])
    #expect(figures.done == metrics["items_done"].map { Int($0) })
    #expect(figures.response(.p50) == metrics.observed("response_ms_p50"))
    #expect(figures.response(.max) == metrics.observed("response_ms_max"))
    #expect(figures.lockWait.inMilliseconds == metrics["lock_wait_ms_total"])
    #expect(figures.frames.drops == metrics.frames.drops)
    #expect(figures.responsesLate == metrics["responses_late"].map { Int($0) })
    #expect(figures.longestLockWait.inMilliseconds >= metrics["lock_wait_ms_max"] ?? 0)
  }

  /// At every moment of a hang, as the log of a run that ends there.
  @Test(arguments: ["main-thread", "throttled", "threads-and-locks", "schedulable"])
  func `shows within a frame what the glossary says of a run that ends there`(
    _ name: String
  ) throws {
    for milliseconds in stride(from: Int64(1003), to: 2300, by: 61) {
      let (model, metrics) = try watch(name, milliseconds: milliseconds, every: .milliseconds(33))
      let figures = Figures(model, at: .zero + .milliseconds(milliseconds))
      #expect(figures.frames.dropped == metrics.frames.dropped)
      #expect(figures.frames.drops == metrics.frames.drops, "at \(milliseconds) ms")
      #expect(figures.responsesLate == metrics["responses_late"].map { Int($0) })
      expectSame(figures.response(.p50), metrics.observed("response_ms_p50"))
      expectSame(figures.response(.p99), metrics.observed("response_ms_p99"))
      expectSame(figures.response(.max), metrics.observed("response_ms_max"))
      // A frame that began within the last period leaves nothing in the log.
      if model.missed > 0 {
        #expect(figures.lockWait.inMilliseconds == metrics["lock_wait_ms_total"])
      }
    }
  }

  /// Also during a frame that has not missed a vsync yet, and just after a frame that was not observed yet.
  @Test(arguments: ["main-thread", "time-sliced", "throttled", "schedulable"])
  func `knows at every moment each metric of frames of a run that ends there`(
    _ name: String
  ) throws {
    for milliseconds in stride(from: Int64(1), to: 2300, by: 97) {
      let (model, metrics) = try watch(name, milliseconds: milliseconds, every: .milliseconds(33))
      for metric in MetricCatalog.frames
      where !metric.name.hasPrefix("vsync_age") && metric.needs != .tasks {
        #expect(
          metric.value(model.metricsSoFar)?.description
            == metric.value(metrics.frames)?.description,
          "\(metric.name) at \(milliseconds) ms")
      }
    }
  }

  @Test func `counts only reported drops`() {
    var model = RunModel(label: "told in part", refresh: RefreshRate(60), engine: .real)
    var observation = RunObservation()
    // The frames of vsyncs 0 and 1 are missing.
    observation.frames = [frame(2, shown: 3), frame(7, shown: 9)]
    observation.now = RefreshRate(60).vsync(9)
    model.take(observation)
    #expect(model.metricsSoFar.dropped == 1)
    #expect(model.metricsSoFar.presented == 8)
  }

  private func frame(_ begin: Int, shown: Int) -> FrameRecord {
    let refresh = RefreshRate(60)
    return FrameRecord(
      beginVsync: begin, presentVsync: shown, begin: refresh.vsync(begin),
      workEnd: refresh.vsync(shown - 1) + .milliseconds(5),
      cause: shown > begin + 1 ? .render : nil,
      items: 0, queueDepth: 0, spans: PhaseSpans())
  }

  private func expectSame(
    _ figure: Observation?, _ metric: Observation?, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(figure?.isBound == metric?.isBound, sourceLocation: location)
    #expect(
      abs((figure?.value ?? 0) - (metric?.value ?? 0)) < 1e-9, sourceLocation: location)
  }

  @Test func `marks response times that are lower bounds`() throws {
    var session = try Watched("main-thread")
    session.go(to: 1900)
    let lines = session.screen(120, 40).lines
    // In the hang from 1000 ms on, two taps wait, from 1250 and 1750 ms on.
    #expect(lines.contains { $0.contains("max") && $0.contains(">650.0") })
  }

  @Test func `knows in a hang what it is about`() throws {
    var session = try Watched("main-thread")
    session.go(to: 1900)
    let pane = session.model.panes[0]
    #expect(pane.run.metricsSoFar.drops[Int(Cause.logic.rawValue)] == 54)
    let columns = pane.timeline.underWay(in: pane.run)
    #expect(columns.count == 55)
    #expect(columns.allSatisfy { $0.cause == .logic && $0.phase == .logic && $0.isUnderWay })
    // Taps come at 1250 and 1750 ms and may take 100.
    #expect(pane.run.responsesLate == 2)
    #expect(!session.screen(120, 40).lines.contains { $0.contains("???") })
  }

  @Test func `names a deadlock while it lasts`() throws {
    let plan = RunPlan.deadlock
    var run = VirtualEngine(detail: .frames).start(plan)
    var model = LiveModel(
      LiveModel.Session(
        scenario: "deadlock", strategies: ["nested"], refresh: RefreshRate(60), batch: 1))
    model.begin([RunModel(plan, on: .virtual)], chosen: [0])
    for _ in 0..<30 {
      run.advance(to: run.now + .milliseconds(33))
      model.take(run.observe())
    }
    #expect(model.panes[0].run.deadlocks.count == 1)
    #expect(model.panes[0].run.longestLockWait > .milliseconds(500))
    for (columns, rows) in [(40, 12), (80, 24), (120, 40)] {
      let lines = LiveView(model).screen(columns: columns, rows: rows).lines
      #expect(lines.contains { $0.contains("DEADLOCK since 0.0 s: main waits") }, "\(columns)")
    }
    let lines = LiveView(model).screen(columns: 120, rows: 40).lines
    #expect(lines.contains { $0.contains("dropped: deadlock, still running") })
    #expect(lines.contains { $0.contains("main waits for b, lane for a") })
    #expect(PlainView(model).lines[0].contains("DEADLOCK since"))
    #expect(run.finish().totals.deadlocks == model.panes[0].run.deadlocks)
  }

  @Test(arguments: ["main-thread", "schedulable"])
  func `shows the same whether it is watched often or rarely`(_ name: String) throws {
    let often = try watch(name, milliseconds: 2500, every: .milliseconds(1))
    let rarely = try watch(name, milliseconds: 2500, every: .milliseconds(2500))
    #expect(often.model.frames == rarely.model.frames)
    #expect(often.model.metricsSoFar.drops == rarely.model.metricsSoFar.drops)
    #expect(often.metrics.frames.dropped == rarely.metrics.frames.dropped)
    #expect(often.metrics.items.done == rarely.metrics.items.done)
  }

  @Test func `counts the vsyncs that a frame under way has missed`() throws {
    var session = try Watched("main-thread")
    session.go(to: 1900)
    let run = session.model.panes[0].run
    // The hang began with the vsync at 1 s; 54 have passed since.
    #expect(run.missed == 54)
    #expect(run.metricsSoFar.dropped == 54)
    #expect(run.metricsSoFar.droppedLastSecond == 54)
    #expect(run.metricsSoFar.frameTimes.maximum == 900e6)
  }

  @Test func `has a column for each vsync, a hang in its true length`() throws {
    var session = try Watched("main-thread")
    session.go(to: 2500)
    let columns = session.model.panes[0].timeline.columns
    #expect(columns.map(\.vsync) == Array(0..<columns.count))
    let dropped = columns.count { $0.shape.isDropped }
    #expect(dropped == session.model.panes[0].run.metricsSoFar.dropped)
    #expect(dropped == 63)
  }

  @Test func `keeps the columns and the numbers of a run that was switched away from`() throws {
    var session = try Watched("main-thread")
    session.go(to: 1900)
    session.press("6")
    session.go(to: 500)
    let pane = session.model.panes[0]
    #expect(pane.timeline.columns.contains { $0.run == 1 && $0.shape.isDropped })
    #expect(pane.timeline.marks.map(\.text) == ["main-thread 60 Hz", "schedulable 60 Hz"])
    #expect(pane.run.metricsSoFar.dropped == 0)
    #expect(session.model.sessionRuns.map(\.label) == ["main-thread", "schedulable"])
    let row = session.model.sessionRuns[0]
    #expect(row.figures.frames.dropped == 54)
    // Two taps and 400 photos arrived, and unfinished items are cancelled.
    #expect(row.cancelled == 402 - (row.figures.done ?? 0))
    #expect(row.figures.pending == 0)
  }

  @Test func `replaces a run that was tried before under the same circumstances`() throws {
    var session = try Watched("main-thread")
    for key in ["6", "1", "6", "1", "r"] {
      session.go(to: 300)
      session.press(key)
    }
    #expect(session.model.finished.map(\.label) == ["schedulable", "main-thread"])
    session.go(to: 100)
    session.press("f")
    #expect(session.model.finished.map(\.refresh.hertz) == [60, 60])
    session.go(to: 100)
    session.press("1")
    #expect(session.model.finished.map(\.refresh.hertz) == [60, 60, 90])
  }

  @Test(arguments: [
    Pipeline(deadline: 2, buffers: 3, compositor: .constant(.milliseconds(12))),
    Pipeline(deadline: 1, compositor: .constant(.milliseconds(18))), Pipeline(buffers: 2),
  ])
  func `knows how many frames are on their way to the screen`(_ pipeline: Pipeline) throws {
    var scenario = Scenario.upload
    scenario.duration = .seconds(2)
    scenario.display.pipeline = pipeline
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy("main-thread", for: scenario))
    var run = VirtualEngine(detail: .frames).start(plan)
    var model = RunModel(plan, on: .virtual)
    var seen: [(now: Instant, inFlight: Int?)] = []
    while run.now < .zero + .milliseconds(1950) {
      run.advance(to: run.now + .microseconds(7777))
      model.take(run.observe())
      seen.append((run.now, model.inFlight))
    }
    let refresh = scenario.display.refresh
    let records = run.finish().frames.records
    for (now, inFlight) in seen {
      let expected = records.count { $0.begin <= now && now < refresh.vsync($0.presentVsync) }
      #expect(inFlight == expected, "at \(now)")
    }
    #expect(seen.compactMap(\.inFlight).max() == pipeline.deadline)
  }

  @Test func `omits frames in flight if there is only the current one`() throws {
    let (model, _) = try watch("main-thread", milliseconds: 500, every: .milliseconds(33))
    #expect(model.inFlight == nil)
    #expect(!NumberGroups(figures: model.figures).groups.contains { $0.title == "SCREEN" })
  }

  @Test(arguments: MetricSet.allCases)
  func `shows a platform's numbers as the run's metrics have them`(_ set: MetricSet) throws {
    let platform = ScreenPlatform.allCases.first { $0.metrics == set }
    let (model, metrics) = try watch(
      "main-thread", milliseconds: 3000, every: .milliseconds(33)
    ) {
      $0.display.platform = platform
      $0.display.pipeline = Pipeline(
        deadline: 2, buffers: 2, compositor: .constant(.milliseconds(2)))
    }
    let groups = NumberGroups(figures: model.figures).groups
      .filter { $0.title == set.rawValue.uppercased() }
    let known = set.metrics.filter { $0.metric.needs?.isDisjoint(with: .tasks) ?? false }
    guard platform != nil, !known.isEmpty else {
      #expect(groups.isEmpty)
      return
    }
    #expect(groups.flatMap(\.rows).count == known.count)
    for (row, theirs) in zip(groups.flatMap(\.rows), known) {
      #expect(row.value == Number.text(metrics[theirs.metric]), "\(theirs.theirs)")
    }
  }

  private func watch(
    _ name: String, milliseconds: Int64, every step: TimeSpan,
    changing change: (inout Scenario) -> Void = { _ in }
  ) throws -> (model: RunModel, metrics: RunMetrics) {
    var scenario = Scenario.upload
    scenario.duration = .milliseconds(milliseconds)
    change(&scenario)
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    var run = VirtualEngine(detail: .frames).start(plan)
    var model = RunModel(plan, on: .virtual)
    while !run.isOver {
      run.advance(to: run.now + step)
      model.take(run.observe())
    }
    return (model, RunMetrics(run.finish()))
  }
}
