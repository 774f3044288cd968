internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import SchedulableObjects
internal import FrameBudgetTerminal
internal import Glibc

/// Shows the frames of a running scenario in the terminal, and changes what runs by keys.
struct LiveCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Watch frames in the terminal, and switch strategies while they run.",
    usage: """
      framebudget live [<scenario>] [<options>]
      framebudget live [<page>] --attach <browser> [<options>]
      framebudget live --attach <pid> [<options>]
      framebudget live [<options>] -- <command> ...
      """,
    discussion: """
      Keys choose a strategy, add a batch of items, and change the refresh rate and the engine; ? shows all keys. c shows \
      the current strategy beside the previous one, on one time axis. A click chooses a strategy or inspects a frame; the \
      wheel scrolls back in time. With --no-mouse, or after m, the terminal selects text as usual (most do so while shift is \
      held, too). Without a terminal, it prints a line per second. The first strategy of --strategy runs first; two to four \
      run side by side on the virtual engine. In a terminal a run lasts at least ten minutes.

      --attach shows the frames of a page in a browser that runs already, also of an Electron app: start it with \
      --remote-debugging-port. The argument chooses a page by a part of its address or title; by default it is the one that \
      was used last. a records ten seconds, and shows advice. When the view ends, the browser goes on.

      With the PID of a Wayland client that runs, --attach shows its frames, and who made them late: own code, what it waited \
      for, or who had the core. It needs root, and puts probes on libwayland-client, which it removes at its end.

      After --, a command starts a Wayland client (GTK, Qt, SDL, Electron): the view reads the log that libwayland writes with \
      WAYLAND_DEBUG. It needs no rights, only a compositor. The client ends with the view.

      EXAMPLES:
        framebudget live
        framebudget live my.yaml --strategy schedulable
        framebudget live --engine virtual --strategy main-thread,schedulable
        framebudget live frames.csv    # recorded by 'run --frames frames.csv'
        framebudget live --attach chrome:9222
        sudo framebudget live --attach 4711
        sudo framebudget live --attach 4711 --function load_items
        framebudget live -- gtk4-demo --run frames
      """)

  @Argument(
    help: """
      A path, the name of a shipped scenario, or a per-frame CSV file to play; by default camera-upload. With --attach, a page.
      """,
    completion: .scenario)
  var scenario: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("A Wayland client, after --, and its arguments.", valueName: "command"))
  var command: [String] = []

  @OptionGroup var attachment: AttachOptions

  @Option(help: "This machine or the simulation; e switches.")
  var engine = LiveEngine.real

  @OptionGroup var subject: ScenarioOptions

  @OptionGroup var realEngine: EngineOptions

  @OptionGroup var numbers: MetricsOptions

  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  @Flag(inversion: .prefixedNo, help: "Use the mouse, if the terminal has one.")
  var mouse = true

  enum LiveEngine: String, CaseIterable, ExpressibleByArgument { case real, virtual }

  func validate() throws {
    if case .process = attachment.attach, let scenario {
      throw ValidationError("a process has no pages; leave out '\(scenario)'")
    }
    try attachment.requireNoFunctions(unless: attachment.process != nil)
    guard !command.isEmpty, scenario != nil || attachment.attach != nil else { return }
    throw ValidationError(
      "a command after -- is all that is shown; leave out \(scenario.map { "'\($0)'" } ?? "--attach")"
    )
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let stage = MainThreadRunner()
    let session = LiveSession(
      subject: try shown(on: console), stage: stage, console: console, asciiOnly: ascii,
      takesMouse: mouse)
    Interruption.install()
    // At low priority, so that the view does not disturb the app under test.
    guard let view = try? ThreadScheduler(name: "view", nice: 10) else {
      throw ToolError(.unavailable, "no thread for the view")
    }
    defer { view.shutdownBlocking(.drain) }
    view.schedule { session.show() }
    try stage.perform(realEngine.real(.frames))
    return Interruption.signal.map { .interrupted(by: $0) } ?? .success
  }

  private func shown(on console: Console) throws(ToolError) -> LiveSubject {
    if !command.isEmpty {
      try requireNoOptions(of: "a command's app")
      return .started(command, metrics: numbers.sets(for: nil))
    }
    switch attachment.attach {
    case .browser(let place):
      try requireNoOptions(of: "an attached page")
      return .attached(place, page: scenario, metrics: numbers.sets(for: nil))
    case .process(let number):
      try requireNoOptions(of: "an attached window")
      return .running(number, work: attachment.functions, metrics: numbers.sets(for: nil))
    case nil: break
    }
    return .content(try content(of: scenario ?? "camera-upload", on: console))
  }

  /// What this command does not run takes no options of a run.
  private func requireNoOptions(of shown: String) throws(ToolError) {
    guard subject.choice.isEmpty, realEngine.isEmpty, engine == .real else {
      throw ToolError(.usage, "\(shown) cannot be changed; leave the options out")
    }
  }

  private func content(
    of scenario: String, on console: Console
  ) throws(ToolError) -> LiveContent {
    guard !OutputFiles.isFolder(scenario) || ShippedScenarios.scenario(scenario) != nil else {
      let folder = FilePath.trimmed(scenario).printable
      throw ToolError(
        .noInput,
        "cannot open \(folder): it is a folder; 'framebudget report \(folder) -o PAGE.html' shows results, "
          + "live takes a scenario or a per-frame CSV file")
    }
    return scenario.hasSuffix(".csv")
      ? .recorded(try recorded(scenario, on: console), metrics: numbers.sets(for: nil))
      : .engines(try plan(scenario, on: console))
  }
}

extension LiveCommand {
  /// The first runs of a per-frame file, as many as fit side by side.
  func recorded(_ scenario: String, on console: Console) throws(ToolError) -> [RecordedRun] {
    try requireNoOptions(of: "a recorded run")
    let bar = ReadingBar(on: console)
    defer { bar?.wipe() }
    do throws(InputError) {
      let progress = bar?.progress(of: scenario)
      let runs = try FramesFile(try ByteSource(path: scenario, progress: progress)).runs
      bar?.wipe()
      if runs.isEmpty { throw InputError("no frame was wanted in its runs", file: scenario) }
      let gaps = runs.reduce(into: LongGaps()) { $0 += $1.gaps }
      if let note = gaps.note { console.note("\(scenario): \(note)") }
      guard runs.count > Self.most else { return runs }
      console.note("\(scenario) has \(runs.count) runs; the first \(Self.most) are shown")
      return Array(runs.prefix(Self.most))
    } catch {
      throw ToolError(error)
    }
  }

  /// The scenario, and every strategy that can run it.
  func plan(_ scenario: String, on console: Console) throws(ToolError) -> LiveContent.Plan {
    let source = try ScenarioSource(scenario, on: console)
    let scenario = try source.scenario(subject.choice.overrides() + subject.choice.flagOverrides)
    console.warn(of: [scenario])
    let asked = try askedStrategies(for: scenario)
    var strategies = scenario.strategies
    strategies += asked.filter { !strategies.contains($0) }
    strategies += Self.named(for: scenario).filter { named in
      !strategies.contains { $0.name == named.name }
    }
    for strategy in strategies { try subject.choice.checkCores(of: strategy) }
    let chosen = asked.compactMap { strategies.firstIndex(of: $0) }
    guard !strategies.isEmpty else {
      throw ToolError(.badInput, "no strategy can run this scenario")
    }
    return LiveContent.Plan(
      scenario: scenario, strategies: strategies, chosen: chosen.isEmpty ? [0] : chosen,
      engine: engine == .real ? .real : .virtual,
      machine: subject.cores.map(scenario.machine.having) ?? scenario.machine,
      costs: try subject.choice.assumedCosts() ?? .standard, metrics: numbers.metrics?.sets)
  }

  private func askedStrategies(for scenario: Scenario) throws(ToolError) -> [Strategy] {
    guard let asked = try subject.choice.strategies(for: scenario) else { return [] }
    guard asked.count <= Self.most else {
      throw ToolError(.usage, "--strategy: at most \(Self.most) run side by side")
    }
    guard asked.count == 1 || engine == .virtual else {
      throw ToolError(
        .usage, "strategies side by side are for the virtual engine; add --engine virtual")
    }
    return asked
  }

  /// Named arrangements that can run `scenario`, with their default options.
  private static func named(for scenario: Scenario) -> [Strategy] {
    StrategyCatalog.all.compactMap { try? StrategyCatalog.strategy($0.name, for: scenario) }
  }

  private static let most = 4
}

/// What a session shows.
enum LiveSubject: Sendable {
  case content(LiveContent)
  /// A page of a browser that runs already, and the platforms whose numbers are shown.
  case attached(AttachPlace, page: String?, metrics: [MetricSet])
  /// A Wayland client that runs already, by its process, and the functions that are its work.
  case running(pid_t, work: [String], metrics: [MetricSet])
  /// A Wayland client with its arguments, and the platforms whose numbers are shown.
  case started([String], metrics: [MetricSet])
}

/// Runs of a session.
enum LiveContent: Sendable {
  case engines(Plan)
  /// Recorded runs, and the platforms whose numbers are shown.
  case recorded([RecordedRun], metrics: [MetricSet])

  /// A scenario, the strategies to choose from, and the first choice.
  struct Plan: Sendable {
    var scenario: Scenario
    var strategies: [Strategy]
    var chosen: [Int]
    var engine: EngineKind
    var machine: Machine
    /// The assumptions of the simulation.
    var costs: Costs
    /// The platforms whose metrics are shown; nil for the scenario's own.
    var metrics: [MetricSet]?
  }

  /// The session in the form that the view takes.
  var session: LiveModel.Session {
    switch self {
    case .engines(let plan):
      LiveModel.Session(
        scenario: plan.scenario.name, strategies: plan.strategies.map(\.label),
        engines: EngineKind.allCases, refresh: plan.scenario.display.refresh,
        batch: plan.scenario.workloads.first?.arrival.batch ?? 1)
    case .recorded(let runs, _):
      LiveModel.Session(
        scenario: runs[0].scenario, strategies: [], engines: [], refresh: runs[0].refresh, batch: 1)
    }
  }
}

extension Arrival {
  /// The number of items per arrival.
  fileprivate var batch: Int {
    switch self {
    case .once(let count, _), .batch(let count, _, _): count
    case .rate, .at, .recorded: 1
    }
  }
}
