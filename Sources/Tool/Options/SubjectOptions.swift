internal import ArgumentParser

/// What is run: a scenario, perhaps changed, under strategies, and what the simulation of them assumes.
struct SubjectOptions: ParsableArguments {
  @Argument(
    help: "A path, - for standard input, or the name of a shipped scenario (./NAME for a file).")
  var scenario: String

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

  /// Whether the scenario is run as it is written, on the machine that it names.
  var isAsWritten: Bool { settings.isEmpty && cores == nil && costs == nil }
}
