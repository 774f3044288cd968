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
      Keys choose a strategy, add a batch of items, change the refresh rate and the engine; ? shows them all. \
      Where there is no terminal, a line per second goes to standard output.

      EXAMPLES:
        framebudget live
        framebudget live my.yaml --strategy schedulable
        framebudget live --engine virtual --strategy main-thread,schedulable    (side by side)
        framebudget live frames.csv    (what 'framebudget run --frames frames.csv' recorded)
      """)

  @Argument(
    help: "A path, the name of a shipped scenario, or a per-frame CSV file to play.")
  var scenario = "camera-upload"

  @Option(help: "This machine or the simulation; a key switches.")
  var engine = LiveEngine.real

  @Option(
    help: ArgumentHelp(
      "What to begin with; two to four run side by side on the virtual engine.",
      valueName: "name[:key=value...][,...]"))
  var strategy: String?

  @Option(help: ArgumentHelp("Replace a value of the scenario.", valueName: "path=value"))
  var set: [String] = []

  @Option(
    parsing: .unconditional, help: "How long a run lasts; at least ten minutes in a terminal.")
  var duration: String?

  @Option(
    parsing: .unconditional, help: "The seed of all random numbers instead of the scenario's.")
  var seed: String?

  @Option(
    parsing: .unconditional, help: "Cores of the simulated machine (virtual engine).",
    transform: WholeNumber.cores)
  var cores: Int?

  @Flag(help: "Run the frame loop at a real-time priority (real engine).")
  var realtime = false

  @Flag(
    help: "Keep the frame loop on one processor, all other threads on the others (real engine).")
  var pin = false

  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  enum LiveEngine: String, CaseIterable, ExpressibleByArgument { case real, virtual }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let stage = MainStage()
    let session = LiveSession(
      feed: try feed(on: console), stage: stage, console: console, asciiOnly: ascii)
    Interruption.install()
    // Gives way to the app under test, which it must not disturb.
    guard let view = try? ThreadScheduler(name: "view", nice: 10) else {
      throw ToolError(.unavailable, "no thread for the view")
    }
    defer { view.shutdownAndWait(.drain) }
    view.schedule { session.show() }
    try stage.perform(options)
    return Interruption.signal.map { .interrupted(by: $0) } ?? .success
  }

  private func feed(on console: Console) throws(ToolError) -> LiveFeed {
    scenario.hasSuffix(".csv")
      ? .recorded(try recorded(on: console)) : .engines(try plan(on: console))
  }

  private var options: RealEngine.Options {
    var options = RealEngine.Options()
    options.isRealtime = realtime
    options.pinsThreads = pin
    return options
  }
}
