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

  @Option(help: "Cores of the simulated machine (virtual engine).")
  var cores: Int?

  @Option(
    help: ArgumentHelp("What 'bench' measured, for the virtual engine.", valueName: "file"))
  var costs: String?

  private static let mostCores = 256

  /// Refuses what is for the virtual engine where that does not run, and machines of no or too many cores.
  func check(on engine: EngineChoice) throws {
    for (flag, isGiven) in [("--cores is", cores != nil), ("--costs are", costs != nil)] {
      guard !isGiven || engine != .real else {
        throw ValidationError("\(flag) for the virtual engine; add --engine virtual or both")
      }
    }
    if let cores, !(1...Self.mostCores).contains(cores) {
      throw ValidationError("--cores takes a whole number from 1 to \(Self.mostCores)")
    }
  }

  /// Whether the scenario is run as it is written, on the machine that it names.
  var isAsWritten: Bool { settings.isEmpty && cores == nil && costs == nil }
}
