internal import ArgumentParser
internal import FrameBudget
internal import Scenarios

/// Under which strategies a scenario is run, what of it is changed, and what the simulation assumes.
struct ScenarioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Strategies instead of the scenario's; all for every named one.",
      valueName: "name[:key=value...][,...]"))
  var strategy: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Replace a value of the scenario.", valueName: "path=value"))
  var settings: [String] = []

  @Option(
    parsing: .unconditional, help: "The measured part instead of the scenario's, such as '5 s'.")
  var duration: String?

  @Option(
    parsing: .unconditional, help: "The seed of all random numbers instead of the scenario's.")
  var seed: String?

  @Option(
    parsing: .unconditional, help: "Cores of the simulated machine (virtual engine).",
    transform: WholeNumber.cores)
  var cores: Int?

  @Option(
    help: ArgumentHelp("What 'bench' measured, for the virtual engine.", valueName: "file"))
  var costs: String?

  /// Refuses what is for the virtual engine where that does not run.
  func check(on engine: EngineChoice) throws {
    for (flag, isGiven) in [("--cores is", cores != nil), ("--costs are", costs != nil)] {
      guard !isGiven || engine != .real else {
        throw ValidationError("\(flag) for the virtual engine; add --engine virtual or both")
      }
    }
  }

  /// Refuses a machine without the cores that a strategy keeps lanes on.
  func checkCores(of strategy: Strategy) throws(ToolError) {
    guard let cores else { return }
    do {
      try strategy.arrangement.validate(on: Machine(cores: cores))
    } catch {
      throw ToolError(.usage, "--cores \(cores): strategy \(strategy.name) \(error)")
    }
  }

  /// Whether the scenario is run as it is written, for as long and on the machine that it names.
  var isAsWritten: Bool {
    settings.isEmpty && duration == nil && cores == nil && costs == nil
  }

  var isEmpty: Bool { isAsWritten && strategy.isEmpty && seed == nil }

  /// What `--set` says.
  func overrides() throws(ToolError) -> [Override] {
    do throws(ScenarioError) {
      return try settings.map { text throws(ScenarioError) in try Override(parsing: text) }
    } catch {
      throw ToolError(error)
    }
  }

  /// What has a flag of its own, and columns of its own in results.
  var flagged: [Override] {
    [("duration", duration), ("seed", seed)].compactMap { path, value in
      value.map { Override(path: path, value: $0, flag: "--\(path) \($0)") }
    }
  }

  /// What `--strategy` says, `all` standing for those that are wanted; nil if it says nothing.
  func strategies(
    for scenario: Scenario, _ options: ChosenOptions? = nil,
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

  /// Of those that `all` stands for, which `scenario` lacks something for, and what.
  func lacks(of scenario: Scenario) -> [(name: String, lack: String)] {
    guard strategy.contains(where: { StrategyList.hasAll($0) }) else { return [] }
    return StrategyCatalog.all.compactMap { named in
      named.lack(for: scenario).map { (named.name, $0) }
    }
  }

  /// What the file of `--costs` says; nil without one.
  func assumedCosts() throws(ToolError) -> Costs? {
    guard let file = costs else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try InputBytes.read(file)
    } catch {
      throw ToolError(.noInput, "cannot open \(file): \(error)")
    }
    do {
      return try CostsFile.parse(bytes, file: file)
    } catch {
      throw ToolError(error)
    }
  }
}

extension ArgumentHelp {
  /// Of the scenario that is run.
  static var scenario: Self {
    "A path, - for standard input, or the name of a shipped scenario (./NAME for a file)."
  }
  static var jobs: Self { "Runs in virtual time made at once; this machine's cores if not said." }
  static var repetitions: Self { "Repetitions, interleaved." }
}
