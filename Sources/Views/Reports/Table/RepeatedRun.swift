internal import FrameBudget

/// All repetitions of one strategy under one set of changes on one engine.
struct RepeatedRun {
  let repetitions: Repetitions<RunRecord>
  /// Strategy with its options; with the engine if the comparison has both.
  let label: String
  /// The label in two parts.
  let name: String
  let options: String

  /// Nil for no runs.
  init?(_ runs: [RunRecord], namesEngine: Bool) {
    guard let repetitions = Repetitions(runs) else { return nil }
    self.repetitions = repetitions
    let run = repetitions.representative
    let engine = namesEngine ? " (\(run.engine))" : ""
    label = run.label + engine
    name = run.strategy + engine
    options = run.options
  }

  /// The run that represents them.
  var typical: RunRecord { repetitions.representative }

  var changes: String { typical.changes }

  /// Groups `runs` by subject, in the order of their first ones.
  static func grouped(_ runs: [RunRecord]) -> [RepeatedRun] {
    let namesEngine = Set(runs.map(\.engine)).count > 1
    return runs.grouped { [$0.changes, $0.label, $0.engine] }.compactMap { _, runs in
      RepeatedRun(runs, namesEngine: namesEngine)
    }
  }

  /// Whether the screen was smooth while work or answers were left undone: a backlog grows, or the user waited longer than
  /// allowed. False if the screen was not smooth. An interrupted run had no chance to do its work.
  var boughtSmoothness: Bool {
    if typical.ending == .interrupted { return false }
    let isSmooth = Bands.hitches.band(of: typical[.hitchRatio] ?? 0) != .poor
    return isSmooth && typical.undone + typical.count(.responsesLate) > 0
  }
}

extension Band {
  var style: TextStyle {
    switch self {
    case .good: .green
    case .fair: .yellow
    case .poor: .red
    }
  }
}
