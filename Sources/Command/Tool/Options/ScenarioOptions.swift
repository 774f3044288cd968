internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetScenarios

/// The strategies, the overrides, and the assumptions of the simulation.
struct ScenarioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run these strategies instead of the scenario's; 'all' means every named one.",
      valueName: "name[:key=value...][,...]"), completion: .strategies)
  var strategy: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Replace a value of the scenario.", valueName: "path=value"))
  var settings: [String] = []

  @Option(
    parsing: .unconditional, help: "Set the measured duration, such as '5 s'."
  )
  var duration: String?

  @Option(
    parsing: .unconditional, help: "Set the seed of all random numbers.")
  var seed: String?

  @Option(
    parsing: .unconditional, help: "Cores of the simulated machine (virtual engine).",
    transform: WholeNumber.cores)
  var cores: Int?

  @Option(
    help: ArgumentHelp("A file of costs from 'bench' (virtual engine).", valueName: "file"),
    completion: .file())
  var costs: String?

  /// Rejects options of the virtual engine if it does not run.
  func check(on engine: EngineChoice) throws {
    for (flag, isGiven) in [("--cores is", cores != nil), ("--costs are", costs != nil)] {
      guard !isGiven || engine != .real else {
        throw ValidationError("\(flag) for the virtual engine; add --engine virtual or both")
      }
    }
  }

  /// The values of the options.
  var choice: ScenarioChoice {
    ScenarioChoice(
      strategy: strategy, settings: settings, duration: duration, seed: seed, cores: cores,
      costs: costs)
  }
}

/// The strategies, the overrides, and the assumptions of the simulation; by default those of the scenario.
struct ScenarioChoice: Sendable {
  /// Strategies instead of the scenario's; `all` means every named one.
  var strategy: [String] = []
  /// Values of the scenario that are replaced: `PATH=VALUE`.
  var settings: [String] = []
  var duration: String?
  var seed: String?
  /// Cores of the simulated machine.
  var cores: Int?
  /// A file of costs.
  var costs: String?

  /// Refuses a machine that lacks the cores on which a strategy keeps lanes.
  func checkCores(of strategy: Strategy) throws(ToolError) {
    guard let cores else { return }
    do {
      try strategy.arrangement.validate(on: Machine(cores: cores))
    } catch {
      throw ToolError(.usage, "--cores \(cores): strategy \(strategy.name) \(error)")
    }
  }

  /// The options that change the scenario, its duration or its machine.
  var changes: [String] {
    [
      ("--set", !settings.isEmpty), ("--duration", duration != nil), ("--cores", cores != nil),
      ("--costs", costs != nil),
    ].filter(\.1).map(\.0)
  }

  /// Whether the scenario runs as written, with its own duration and machine.
  var isAsWritten: Bool { changes.isEmpty }

  var isEmpty: Bool { isAsWritten && strategy.isEmpty && seed == nil }

  /// Its options with a single value, in the words of a command.
  var words: [String] {
    [
      ("--duration", duration), ("--seed", seed), ("--cores", cores.map(String.init)),
      ("--costs", costs),
    ].flatMap { flag, value in value.map { [flag, $0] } ?? [] }
  }

  /// The changes of `--set`.
  func overrides() throws(ToolError) -> [Override] {
    try ToolError.reading { () throws(ScenarioError) in
      try settings.map { text throws(ScenarioError) in try Override(parsing: text) }
    }
  }

  /// Overrides with separate flags and columns.
  var flagOverrides: [Override] {
    [("duration", duration), ("seed", seed)].compactMap { path, value in
      value.map { Override(path: path, value: $0, flag: "--\(path) \($0)") }
    }
  }

  /// The strategies of `--strategy`, where `all` means those that `isWanted` accepts; nil without the option.
  func strategies(
    for scenario: Scenario, _ options: StrategyOverrides? = nil,
    all isWanted: (Strategy) -> Bool = { _ in true }
  ) throws(ToolError) -> [Strategy]? {
    if strategy.isEmpty { return nil }
    let list = strategy.joined(separator: ",")
    let text = try options?.applied(to: list) ?? list
    do {
      return try StrategyList.parse(text, for: scenario, all: isWanted)
    } catch {
      throw ToolError(.usage, "--strategy: \(error)")
    }
  }

  /// The strategies of `all` that `scenario` cannot run, with the reasons.
  func unsupported(by scenario: Scenario) -> [(name: String, lack: String)] {
    guard strategy.contains(where: { StrategyList.hasAll($0) }) else { return [] }
    return StrategyCatalog.all.compactMap { named in
      named.lack(for: scenario).map { (named.name, $0) }
    }
  }

  /// The costs in the file of `--costs`; nil without one.
  func assumedCosts() throws(ToolError) -> Costs? {
    guard let file = costs else { return nil }
    let bytes = try InputBytes.readInput(file)
    return try ToolError.reading { () throws(ScenarioError) in
      try CostsFile.parse(bytes, file: file)
    }
  }
}

extension ArgumentHelp {
  /// The argument of the scenario to run.
  static var scenario: Self {
    "A path, - for standard input, or the name of a shipped scenario (./NAME for a file)."
  }
  static var jobs: Self {
    "Concurrent runs in virtual time; by default the number of this machine's cores."
  }
  static var repetitions: Self { "Repetitions, interleaved." }
}

/// Options of strategies in `--strategy` that `--set` and `--vary` change: `strategies.NAME.OPTION`.
///
/// Without `--strategy` such a path leads into the scenario's own list.
struct StrategyOverrides {
  private let options: [(strategy: Substring, option: Substring, change: Override)]

  init(_ changes: [Override], isChosen: Bool) {
    options = isChosen ? changes.compactMap(Self.option) : []
  }

  /// Whether `change` is about one of these options, and not about the scenario.
  func holds(_ change: Override) -> Bool { options.contains { $0.change == change } }

  /// The list of `--strategy` with these options instead of its own values.
  func applied(to list: String) throws(ToolError) -> String {
    var entries = list.split(separator: ",", omittingEmptySubsequences: false).map(Entry.init)
    for (strategy, option, change) in options {
      let places = entries.indices.filter { entries[$0].name == strategy }
      guard !places.isEmpty else {
        throw ToolError(
          .usage,
          "\(change.path): --strategy does not name \(strategy); allowed: those that it names")
      }
      for place in places { entries[place].set(option, to: change.value) }
    }
    return entries.map(\.text).joined(separator: ",")
  }

  private static func option(
    _ change: Override
  ) -> (strategy: Substring, option: Substring, change: Override)? {
    let parts = change.path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "strategies", StrategyCatalog.named(String(parts[1])) != nil
    else { return nil }
    return (parts[1], parts[2], change)
  }

  /// `NAME:KEY=VALUE…`
  private struct Entry {
    let name: Substring
    private var options: [Substring]

    init(_ text: Substring) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      name = Substring(parts[0].drop { $0 == " " })
      options = Array(parts.dropFirst())
    }

    var text: String { ([name] + options).joined(separator: ":") }

    mutating func set(_ option: Substring, to value: String) {
      options.removeAll { $0.hasPrefix("\(option)=") }
      options.append("\(option)=\(value)")
    }
  }
}
