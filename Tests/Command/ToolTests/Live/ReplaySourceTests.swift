import FrameBudget
import FrameBudgetParsing
import FrameBudgetReports
import FrameBudgetSimulation
import FrameBudgetTerminal
import Testing

@testable import FrameBudgetCLI

@Suite struct `A recorded run that is shown again` {
  private func log(_ milliseconds: Int64, hangAt start: Int64) throws -> RunLog {
    let hang = Step(name: "hang", service: 0, load: .cpu(.constant(.milliseconds(700))))
    let scenario = Scenario(
      name: "hang", display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(4))),
      duration: .milliseconds(milliseconds), services: [Service(name: "service")],
      workloads: [
        Workload(name: "hang", arrival: .once(1, start: .milliseconds(start)), steps: [hang])
      ])
    let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
    return VirtualEngine(detail: .frames).run(RunPlan(scenario, under: strategy))
  }

  @Test func `ends when it ended, also beside a longer one`() throws {
    let logs = [try log(2500, hangAt: 2000), try log(900, hangAt: 500)]
    let rows = logs.enumerated().map { ReportRow($1, cores: 2, repetition: $0 + 1) }
    let bytes = ByteSource(Array(FramesCSV.text(rows).utf8), name: "frames.csv")
    let runs = try FramesFile(bytes).runs
    var source = ReplaySource(runs)
    var model = LiveModel(
      LiveModel.Session(
        scenario: "recorded", strategies: [], engines: [], refresh: RefreshRate(60), batch: 1))
    source.perform(.start([], RefreshRate(60), .virtual), on: &model)
    // One for each frame, and one into the hang.
    for _ in 0...runs[0].frames.count { source.perform(.step, on: &model) }
    let lines = PlainView(model).lines
    #expect(lines.count == 2)
    for (line, (log, time)) in zip(lines, zip(logs, ["2.5 s  ", "0.9 s  "])) {
      let metrics = RunMetrics(log)
      #expect(metrics.frames.dropped > 20)
      #expect(line.hasPrefix(time), "\(line)")
      #expect(line.contains("  dropped \(metrics.frames.dropped) ("), "\(line)")
      #expect(line.contains("  hitch \(Int(metrics.frames.hitchRatio ?? 0))"), "\(line)")
    }
  }
  /// The hang begins at 500 ms; a step would pass over 700 ms of it.
  @Test func `steps into a hang, and from there to its end`() throws {
    let rows = [ReportRow(try log(1500, hangAt: 500), cores: 2, repetition: 1)]
    let runs = try FramesFile(ByteSource(Array(FramesCSV.text(rows).utf8), name: "frames.csv")).runs
    var source = ReplaySource(runs)
    var model = LiveModel(
      LiveModel.Session(
        scenario: "recorded", strategies: [], engines: [], refresh: RefreshRate(60), batch: 1))
    source.perform(.start([], RefreshRate(60), .virtual), on: &model)
    var stops: [Bool] = []
    for _ in 0..<40 {
      source.perform(.step, on: &model)
      stops.append(model.isHanging)
    }
    #expect(stops.count(where: \.self) == 1)
    let hang = try #require(stops.firstIndex(of: true))
    #expect(hang > 20 && !stops[hang + 1])
  }

  @Test func `a live run steps into a hang, too`() throws {
    let hang = Step(name: "hang", service: 0, load: .cpu(.constant(.milliseconds(700))))
    let scenario = Scenario(
      name: "hang", display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(4))),
      duration: .milliseconds(1500), services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "hang", arrival: .once(1, start: .milliseconds(500)), steps: [hang])
      ])
    let plan = RunPlan(
      scenario, under: try StrategyCatalog.strategy("main-thread", for: scenario))
    let runs = VirtualRuns([plan], on: scenario.machine, .standard)
    var model = LiveModel(
      LiveModel.Session(
        scenario: "hang", strategies: ["main-thread"], engines: [.virtual],
        refresh: RefreshRate(60), batch: 1))
    model.begin([RunModel(plan, on: .virtual)], chosen: [0])
    var stops: [Bool] = []
    for _ in 0..<40 {
      runs.step(&model)
      stops.append(model.isHanging)
    }
    #expect(stops.count(where: \.self) == 1, "\(stops)")
  }
}
