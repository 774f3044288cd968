import FrameBudget
import FrameBudgetReports
import FrameBudgetScenarios
import FrameBudgetSimulation
import FrameBudgetTerminal
import Testing

@testable import FrameBudgetCLI

@Suite struct `The verdict on a run that is watched` {
  private func plan(_ strategy: String) throws -> RunPlan {
    let shipped = try #require(ShippedScenarios.scenario("camera-upload"))
    let scenario = try ScenarioFile.parse(
      shipped.bytes, file: shipped.file,
      overrides: [Override(path: "duration", value: "3 s", flag: "--duration")])
    return RunPlan(scenario, under: try StrategyCatalog.strategy(strategy, for: scenario))
  }

  /// The verdict at the end of a run that is observed ten times a second.
  private func verdict(_ plan: RunPlan) throws -> String {
    var model = LiveModel(
      LiveModel.Session(
        scenario: plan.scenario.name, strategies: [plan.strategy.label],
        refresh: plan.scenario.display.refresh, batch: 1))
    model.begin([RunModel(plan, on: .virtual)])
    var run = VirtualEngine(detail: .frames).start(plan)
    while !run.isOver {
      run.advance(to: run.now + .milliseconds(100))
      model.take(run.observe(), pane: 0)
    }
    model.updateVerdicts(LiveVerdict.words)
    return try #require(PlainView(model).verdicts.first)
  }

  @Test(arguments: ["threads-and-locks", "schedulable", "schedulable-priorities", "time-sliced"])
  func `names the price that the finished run has`(_ name: String) throws {
    let plan = try plan(name)
    let log = VirtualEngine().run(plan)
    let outcome = try #require(Verdict.all([ReportRow(log, cores: 2)]).first?.today)
    let verdict = try verdict(plan)
    if outcome.price.total > 0 {
      #expect(verdict.hasSuffix("; price: \(outcome.price.words)"), "\(verdict)")
    } else {
      #expect(!verdict.contains("price"), "\(verdict)")
    }
  }

  /// 11 ms for each frame, on a lane.
  @Test func `says that the main thread waits for parts of drawing`() throws {
    var scenario = Scenario(
      name: "list", display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(4))),
      duration: .seconds(1), services: [Service(name: "app")])
    scenario.frameParts = [FramePart(name: "rows", cpu: .constant(.milliseconds(11)))]
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "layout", carrier: .scheduler))
    arrangement.frameParts = [.prepared(lane: 1, frames: 0)]
    let plan = RunPlan(scenario, under: Strategy(name: "preparing", arrangement: arrangement))
    #expect(try verdict(plan).hasSuffix(" ms for parts of drawing"))
  }

  /// 15 ms in every sixth frame, in 6 ms each.
  @Test func `says how many frames were incomplete`() throws {
    var scenario = Scenario(
      name: "list", display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(4))),
      duration: .seconds(1), services: [Service(name: "app")])
    let costs = [TimeSpan](repeating: .zero, count: 5) + [.milliseconds(15)]
    let cpu = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    scenario.frameParts = [FramePart(name: "rows", cpu: cpu)]
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = [.spread(budget: .milliseconds(6))]
    let plan = RunPlan(scenario, under: Strategy(name: "spreading", arrangement: arrangement))
    #expect(try verdict(plan).contains("smooth: none of 60 frames dropped; 19 frames incomplete"))
  }
}
