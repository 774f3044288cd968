public import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetParsing
public import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// A learned scenario, read as from its files and run in virtual time.
///
/// The text of a learned scenario is its only form: what is replayed is what people get. Building the scenario from the same
/// values as well would be a second list of all that is learned.
public struct LearnedReplay: Sendable {
  /// The strategy with the arrangement of the recording.
  public static let asRecorded = "as-recorded"

  /// The scenario as read from the learned files.
  public let scenario: Scenario

  /// - Throws: if the recording is too large for a scenario, or if `overrides`, or `strategies`, further strategies in the format
  ///   of a scenario's file, are invalid.
  public init(
    _ learned: LearnedScenario, adding strategies: String = "", overrides: [Override] = []
  ) throws(ScenarioError) {
    let tables = Dictionary(
      learned.tables.map { ($0.name, Array($0.text.utf8)) }, uniquingKeysWith: { $1 })
    scenario = try ScenarioFile.parse(
      Array((learned.scenario(replay: .good) + strategies).utf8), file: "\(learned.name).yaml",
      overrides: overrides
    ) { (file, column) throws(ScenarioFile.RecordingError) in
      do throws(InputError) {
        let table = ByteSource(tables[file] ?? [], name: file)
        return try RecordedColumn.durations(table, column: column)
      } catch {
        throw ScenarioFile.RecordingError(error.description)
      }
    }
  }

  /// A run under one of the learned strategies; nil if none has that name.
  public func run(_ strategy: String, detail: FrameLedger.Detail = .frames) -> RunLog? {
    scenario.strategies.first { $0.name == strategy }.map { strategy in
      VirtualEngine(detail: detail).run(RunPlan(scenario, under: strategy))
    }
  }

  /// The range of the figures of a run, as `run` has it.
  public func range(around log: RunLog) -> PredictionRange? {
    VirtualEngine().range(
      around: RunMetrics(log), of: RunPlan(scenario, under: log.strategy, seed: log.seed))
  }

  /// A run with the arrangement of the recording.
  public func runAsRecorded() -> RunLog {
    guard let log = run(Self.asRecorded) else {
      preconditionFailure("as-recorded is a strategy of whatever was learned")
    }
    return log
  }
}
