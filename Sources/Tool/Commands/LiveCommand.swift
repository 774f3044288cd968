internal import ArgumentParser
internal import FrameBudget
internal import RealTime
internal import Reports
internal import Scenarios
internal import SchedulableObjects

/// Shows the frames of a running scenario in the terminal, and changes what runs by keys.
struct LiveCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Watch frames drop in the terminal, and change what runs where while they do.",
    discussion: """
      Keys choose a strategy, add a batch of items, change the refresh rate and the engine; ? shows them all. c puts \
      the strategy that runs beside the one before it, on one time axis. A click chooses a strategy or inspects a \
      frame, the wheel looks back in time; with --no-mouse, or after m, the terminal selects text as usual (most do \
      so while shift is held, too). Where there is no terminal, a line per second goes to standard output. The first \
      of --strategy is what runs at first; two to four run side by side on the virtual engine. In a terminal a run \
      lasts at least ten minutes.

      EXAMPLES:
        framebudget live
        framebudget live my.yaml --strategy schedulable
        framebudget live --engine virtual --strategy main-thread,schedulable    # side by side
        framebudget live frames.csv    # what 'framebudget run --frames frames.csv' recorded
      """)

  @Argument(
    help: "A path, the name of a shipped scenario, or a per-frame CSV file to play.")
  var scenario = "camera-upload"

  @Option(help: "This machine or the simulation; a key switches.")
  var engine = LiveEngine.real

  @OptionGroup var subject: ScenarioOptions

  @OptionGroup var realEngine: EngineOptions

  @OptionGroup var numbers: MetricsOptions

  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  @Flag(inversion: .prefixedNo, help: "Take clicks and the wheel, where the terminal has a mouse.")
  var mouse = true

  enum LiveEngine: String, CaseIterable, ExpressibleByArgument { case real, virtual }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let stage = MainStage()
    let session = LiveSession(
      feed: try feed(on: console), stage: stage, console: console, asciiOnly: ascii,
      takesMouse: mouse)
    Interruption.install()
    // Gives way to the app under test, which it must not disturb.
    guard let view = try? ThreadScheduler(name: "view", nice: 10) else {
      throw ToolError(.unavailable, "no thread for the view")
    }
    defer { view.shutdownAndWait(.drain) }
    view.schedule { session.show() }
    try stage.perform(realEngine.real(.frames))
    return Interruption.signal.map { .interrupted(by: $0) } ?? .success
  }

  private func feed(on console: Console) throws(ToolError) -> LiveFeed {
    scenario.hasSuffix(".csv")
      ? .recorded(try recorded(on: console), metrics: numbers.sets(for: nil))
      : .engines(try plan(on: console))
  }
}
