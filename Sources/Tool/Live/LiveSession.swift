internal import FrameBudget
internal import Glibc
internal import Parsing
internal import RealTime
internal import Terminal

/// What happens on the view's thread, from the first picture to the last.
struct LiveSession: Sendable {
  let feed: LiveFeed
  let stage: MainStage
  let console: Console
  let asciiOnly: Bool
  /// Whether clicks are the view's at first, where the terminal tells of them.
  let takesMouse: Bool
  /// How long a run lasts at least where somebody can end it.
  private static let longest = TimeSpan.seconds(600)

  /// Shows the session until somebody quits; without a terminal, until the scenario's end.
  func show() {
    do throws(ToolError) {
      try showOrPrint()
      stage.close()
    } catch {
      stage.close(after: error)
    }
  }

  private func showOrPrint() throws(ToolError) {
    do throws(TerminalProblem) {
      var terminal = try CursesTerminal(
        asciiOnly: asciiOnly, isColored: console.isColored(.auto))
      watch(on: &terminal)
    } catch {
      console.note("\(error): a line per second instead")
      try print()
    }
  }

  private func watch(on terminal: inout CursesTerminal) {
    var model = LiveModel(feed.session)
    model.pointer = !terminal.hasMouse ? .absent : takesMouse ? .taken : .left
    switch feed {
    case .engines(let plan):
      var source = EngineSource(plan, stage: stage, least: Self.longest)
      source.perform(.start(plan.chosen, model.refresh, plan.engine), on: &model)
      terminal.watch(&model, fedBy: &source, while: goesOn)
      source.stop()
    case .recorded(let runs, let metrics):
      var source = ReplaySource(runs, metrics: metrics)
      source.perform(.start([], model.refresh, .virtual), on: &model)
      terminal.watch(&model, fedBy: &source, while: goesOn)
    }
  }

  private func print() throws(ToolError) {
    var model = LiveModel(feed.session)
    switch feed {
    case .engines(let plan):
      var source = EngineSource(plan, stage: stage)
      source.perform(.start(plan.chosen, model.refresh, plan.engine), on: &model)
      defer { source.stop() }
      try print(&model, fedBy: &source)
    case .recorded(let runs, let metrics):
      var source = ReplaySource(runs, metrics: metrics)
      source.perform(.start([], model.refresh, .virtual), on: &model)
      try print(&model, fedBy: &source)
    }
  }

  private func print(
    _ model: inout LiveModel, fedBy source: inout some LiveSource
  ) throws(ToolError) {
    let clock = ContinuousClock()
    var due = clock.now + .seconds(1)
    while goesOn() && !model.isOver {
      usleep(50_000)
      if let failure = stage.failure { throw failure }
      source.update(&model)
      guard clock.now >= due || model.isOver else { continue }
      due += .seconds(1)
      for line in PlainView(model).lines { try console.print(line.printable + "\n") }
    }
    for line in PlainView(model).verdicts { try console.print(line.printable + "\n") }
  }

  private func goesOn() -> Bool { Interruption.signal == nil }
}
