internal import FrameBudgetAdvice
internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Searches for the smallest change after which no frame is dropped.
struct AdviseCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "advise",
      success: "there is advice, or nothing to change",
      failed: "nothing meets the aims")
  ]

  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Find the smallest change after which no frame is dropped.",
    discussion: """
      Searches in virtual time. It moves services, one by one and together with those that handle the same items, from main \
      to a lane or behind a lock, and changes rules such as overtaking and yielding. The first strategy of the scenario is \
      the current arrangement. The aims are those of --aim, or of 'expect: {any: ...}' in the scenario; by default no \
      dropped frame, no late response, and no more undone items than today.

      Arrangements that meet the aims are sorted by the size of the change (1 for each moved service, new lane, changed \
      rule, and call that now goes to another thread, 2 for each new lock), then by price. For each one it prints the gain \
      of every move, how much costs may grow before an aim is missed, and how often the aims are met with other random \
      numbers and arrival times. With --prove, arrangements that 'prove' proves for all arrival times come first.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget advise camera-upload
        framebudget advise my.yaml --aim "dropped_frames<=0,responses_late<=0" \\
          --keep catalogue=main
        framebudget advise my.yaml --most-moved 2 -o advice.yaml && \\
          framebudget run advice.yaml --engine real
        framebudget advise my.yaml -o advised/ && \\
          framebudget report advised -o advice.html
        framebudget advise my.yaml --prove
        framebudget advise my.yaml --within dispatch,schedulable --set costs.all=1.5
      """)

  @Argument(help: .scenario, completion: .scenario)
  var scenario: String

  @OptionGroup var subject: ScenarioOptions

  @OptionGroup var question: AdviceOptions

  @Option(parsing: .unconditional, help: .jobs, transform: WholeNumber.jobs)
  var jobs: Int?

  @Option(
    name: .output,
    help: ArgumentHelp(
      "Write a scenario with the current and the advised arrangements; with DIR/, also the data that 'report' draws.",
      valueName: "file"), completion: .file())
  var file: String?

  @OptionGroup var output: OutputOptions<OutputFormat>

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let subject = try AdvisedSubject(scenario, subject.choice, on: console)
    var request = AdviceRequest(subject.scenario, today: subject.today)
    request.costs = subject.costs
    request = try question.applied(to: request)
    let files = try file.map { path throws(ToolError) in try AdviceFiles(path, on: console) }
    if !output.quiet { console.warn(of: [subject.scenario]) }
    Interruption.install()
    let bar = output.quiet ? nil : RunCountBar(on: console)
    let advised = AdvisedArrangements(of: request, ConcurrentRuns(jobs: jobs, showing: bar))
    bar?.wipe()
    let written = Result { () throws(ToolError) in
      _ = try files?.write(advised, subject, quiet: output.quiet, on: console)
    }
    try console.print(
      output.format.text(
        advised.record.table,
        advised.text(width: console.width, isColored: console.isColored(output.color))))
    try written.get()
    if advised.isInterrupted, let signal = Interruption.signal {
      console.note("interrupted; this is the best result so far")
      return .interrupted(by: signal)
    }
    return advised.status
  }
}

/// Options for the aims, and for the permitted changes.
struct AdviceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Set the aims, instead of those of the scenario.",
      valueName: "metric<=value[,...]"), completion: .metrics)
  var aim: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keep a service in its place, or in the given one: main, lane, lock, or the name of a current lane.",
      valueName: "service[=home][,...]"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "The carriers of new lanes, and strategies to try as a whole.",
      valueName: "name[,...]"), completion: .carriers)
  var within: [String] = []

  @Option(
    parsing: .unconditional, help: "Move at most this many services.", transform: WholeNumber.moves)
  var mostMoved: Int?

  @Option(
    parsing: .unconditional, help: "Use at most this many lanes for services, in addition to main.",
    transform: WholeNumber.lanes)
  var lanes: Int?

  @Option(
    help: ArgumentHelp(
      "Weights of changes: moved, lane, lock, policy, split.", valueName: "kind=n[,...]"))
  var weights: [String] = []

  @Flag(help: "Prefer arrangements that are proven to drop no frame for any arrival times.")
  var prove = false

  /// `request` with these options.
  func applied(to request: AdviceRequest) throws(ToolError) -> AdviceRequest {
    var request = request
    if !aim.isEmpty { request.aims = try aims() }
    request.weights = try changedWeights()
    request.maxMoved = mostMoved
    request.maxLanes = lanes
    if prove {
      request.isProven = { [scenario = request.scenario, costs = request.costs] arrangement in
        FrameBound(scenario, under: arrangement, costs: costs).isKept
      }
    }
    for text in Self.parts(keep) {
      let (name, home) = try kept(text, in: request)
      request.kept[name] = home
    }
    try limit(&request)
    return request
  }

  private static func parts(_ lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",").map { String($0.trimmed) } }
  }

  // MARK: Aims

  private func aims() throws(ToolError) -> [Aim] {
    try Self.parts(aim).map { text throws(ToolError) in
      let aim = try Aim(text, of: "--aim")
      let isSigned = MetricCatalog.metric(aim.metric)?.isSigned ?? false
      guard isSigned || aim.maximum ?? 0 >= 0 else {
        throw ToolError(.usage, "--aim '\(text)' cannot be reached: \(aim.metric) is never below 0")
      }
      return aim
    }
  }

  // MARK: Permitted changes

  private func changedWeights() throws(ToolError) -> ChangeWeights {
    var weights = ChangeWeights()
    for text in Self.parts(self.weights) {
      let parts = text.split(separator: "=").map { String($0.trimmed) }
      guard parts.count == 2, let kind = ChangeWeights.Kind(rawValue: parts[0]),
        let value = Int(parts[1]),
        ChangeWeights.allowed.contains(value)
      else {
        let names = ChangeWeights.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ToolError(
          .usage,
          "--weights '\(text)' is not a weight; allowed: \(names), each =N from "
            + "\(ChangeWeights.allowed.lowerBound) to \(ChangeWeights.allowed.upperBound)")
      }
      weights[keyPath: kind.path] = value
    }
    return weights
  }

  private func kept(
    _ text: String, in request: AdviceRequest
  ) throws(ToolError) -> (name: String, home: HomeConstraint) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0.trimmed) }
    let names = request.scenario.services.map { $0.fileName }
    guard let name = parts.first, names.contains(name) else {
      let remedy = Spelling.suggestion(for: parts.first ?? "", among: names)
      throw ToolError(.usage, "--keep '\(text)': '\(parts.first ?? "")' is not a service\(remedy)")
    }
    guard parts.count == 2 else { return (name, .today) }
    switch parts[1] {
    case "main": return (name, .main)
    case "lane": return (name, .anyLane)
    case "lock": return (name, .lock)
    default:
      let lanes = request.today.arrangement.lanes
      if let lane = lanes.firstIndex(where: { $0.name == parts[1] }) { return (name, .lane(lane)) }
      let remedy = Spelling.suggestion(
        for: parts[1], among: ["main", "lane", "lock"] + lanes.dropFirst().map(\.name))
      throw ToolError(.usage, "--keep '\(text)': '\(parts[1])' is not a place\(remedy)")
    }
  }

  /// Carriers apply to new lanes; strategies are tried as a whole. Without a carrier only those strategies are tried.
  private func limit(_ request: inout AdviceRequest) throws(ToolError) {
    let names = Self.parts(within)
    guard !names.isEmpty else { return }
    var carriers: [CarrierKind] = []
    for name in names {
      if let carrier = CarrierKind(rawValue: name), carrier != .main {
        carriers.append(carrier)
        continue
      }
      let lists = CarrierKind.allCases.map(\.rawValue) + StrategyCatalog.all.map(\.name)
      guard StrategyCatalog.named(name) != nil else {
        let remedy = Spelling.suggestion(for: name, among: lists.filter { $0 != "main" })
        throw ToolError(.usage, "--within: '\(name)' is neither a carrier nor a strategy\(remedy)")
      }
      do {
        request.strategies.append(try StrategyCatalog.strategy(name, for: request.scenario))
      } catch {
        throw ToolError(.usage, "--within: \(error)")
      }
    }
    if carriers.isEmpty { request.placesServices = false } else { request.carriers = carriers }
  }
}

/// The output of `advise -o`: a scenario that compares the arrangements. If the path ends with a slash or is a folder, also the
/// data from which `report` draws the advice.
struct AdviceFiles {
  private let scenario: String
  /// Nil if only the scenario is wanted.
  private let folder: String?

  private static let names = ["advice.yaml", "advice.csv", "moves.csv"]

  /// Checks, before any long work, that nothing would be overwritten.
  init(_ path: String, on console: Console) throws(ToolError) {
    guard path.hasSuffix("/") || OutputFiles.isFolder(path) else {
      try NewFile.requireAbsent(path)
      (scenario, folder) = (path, nil)
      return
    }
    let parent = FilePath.trimmed(path)
    try OutputFiles.prepare(parent, for: Self.names, on: console)
    (scenario, folder) = ("\(parent)/\(Self.names[0])", parent)
  }

  /// The first line of a scenario from a search that was not completed.
  private static let interrupted = "# The search was interrupted: a smaller change may exist.\n"

  /// Returns the scenario that it writes.
  func write(
    _ advised: AdvisedArrangements, _ subject: AdvisedSubject, quiet: Bool, on console: Console
  ) throws(ToolError) -> ScenarioSource {
    let strategies = advised.strategies
    for strategy in strategies where !ScenarioFile.canDescribe(strategy, of: subject.scenario) {
      console.note(
        "\(strategy.label) is not in \(scenario): "
          + "a file cannot place copies of a service separately")
    }
    let describable = strategies.filter { ScenarioFile.canDescribe($0, of: subject.scenario) }
    let source = try subject.source.comparing(describable, subject.overrides, at: scenario)
    let record = advised.record
    let text = (advised.isInterrupted ? Self.interrupted : "") + source.text
    if let folder {
      let texts = [text, record.table.csv, record.movesTable.csv]
      try OutputFiles.write(zip(Self.names, texts).map { ($0, $1) }, in: folder)
    } else {
      try NewFile.write(text, to: scenario, on: console)
    }
    guard !quiet else { return source }
    console.note("run 'framebudget run \(scenario)' to compare the arrangements")
    if let folder { console.note("'framebudget report \(folder)/' draws the advice") }
    return source
  }
}

/// A scenario with its overrides, and the app's current arrangement.
struct AdvisedSubject {
  let source: ScenarioSource
  let overrides: [Override]
  let scenario: Scenario
  let today: Strategy
  /// Whether other strategies follow the current one.
  let isOneOfSeveral: Bool
  let costs: Costs

  /// The first strategy is the current one.
  init(
    _ argument: String, _ options: ScenarioChoice, on console: Console
  ) throws(ToolError) {
    try self.init(ScenarioSource(argument, on: console), options)
  }

  init(
    _ source: ScenarioSource, _ options: ScenarioChoice = ScenarioChoice()
  ) throws(ToolError) {
    self.source = source
    let chosen = try options.overrides()
    let list = StrategyOverrides(chosen, isChosen: !options.strategy.isEmpty)
    let cores = options.cores.map {
      Override(path: "machine.cores", value: "\($0)", flag: "--cores \($0)")
    }
    overrides =
      chosen.filter { !list.holds($0) } + options.flagOverrides + [cores].compactMap(\.self)
    scenario = try source.scenario(overrides)
    costs = try options.assumedCosts() ?? .standard
    let strategies = try options.strategies(for: scenario, list) ?? scenario.strategies
    guard let first = strategies.first else {
      throw ToolError(
        .usage, "the scenario names no strategies; name the current one with --strategy NAME")
    }
    today = first
    isOneOfSeveral = strategies.count > 1
  }

  /// The subject as answers state it.
  var stated: QuestionSubject { QuestionSubject(scenario, cores: scenario.machine.cores) }
}
