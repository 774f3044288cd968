internal import FrameBudget
internal import Simulation
internal import Terminal

/// Runs in virtual time, side by side, in step with the wall clock.
final class VirtualRuns {
  private final class Run {
    var run: SimulationRun
    init(_ plan: RunPlan, _ machine: Machine, _ costs: Costs) {
      run = VirtualEngine(machine: machine, costs: costs, detail: .frames).start(plan)
    }
  }

  private let runs: [Run]
  private let refresh: RefreshRate
  private var pace = WallPace()

  init(_ plans: [RunPlan], on machine: Machine, _ costs: Costs) {
    runs = plans.map { Run($0, machine, costs) }
    refresh = plans[0].scenario.display.refresh
  }

  /// Lets as much time pass as the wall clock and the speed say.
  func advance(_ model: inout LiveModel) {
    let span = pace.passed(atSpeed: model.isPaused ? 0 : model.speed)
    if span > .zero { advance(to: runs[0].run.now + span, &model) }
    if model.isPaused { look(&model) }
  }

  /// Goes on to the end of the next frame of the first run.
  func step(_ model: inout LiveModel) {
    let ended = runs[0].run.framesEnded
    while runs[0].run.framesEnded == ended && !runs[0].run.isOver {
      let next = refresh.vsyncs(through: runs[0].run.now) + 1
      advance(to: refresh.vsync(next), &model)
    }
  }

  func add(_ count: Int) { for run in runs { run.run.add(count, of: 0) } }

  /// Goes on vsync by vsync, so that each lane is seen in each of them.
  private func advance(to end: Instant, _ model: inout LiveModel) {
    while runs[0].run.now < end && !runs[0].run.isOver {
      let next = refresh.vsync(refresh.vsyncs(through: runs[0].run.now) + 1)
      for run in runs { run.run.advance(to: min(next, end)) }
      look(&model)
    }
  }

  private func look(_ model: inout LiveModel) {
    for (pane, run) in runs.enumerated() { model.take(run.run.glance(), pane: pane) }
  }
}

/// How much simulated time has passed since it was last asked for.
struct WallPace {
  private let clock = ContinuousClock()
  private var before = ContinuousClock().now

  mutating func passed(atSpeed speed: Double) -> TimeSpan {
    let now = clock.now
    defer { before = now }
    // A process that was stopped for a while has missed nothing.
    let span = min(now - before, .milliseconds(200))
    return TimeSpan(nanoseconds: Int64(span / .nanoseconds(1) * speed))
  }
}
