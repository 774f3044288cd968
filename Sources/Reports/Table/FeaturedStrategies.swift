internal import FrameBudget

/// The strategies that have a paragraph without asking: where the app is, the best and the worst.
struct FeaturedStrategies {
  /// Each once, with what it is: `Where you are: `.
  let all: [(title: String, run: RepeatedRun)]

  init(_ summary: VerdictSummary, _ runs: [RepeatedRun]) {
    guard let verdict = summary.verdicts.first, !summary.isVaried else {
      all = []
      return
    }
    let places: [(name: String, outcome: StrategyOutcome?)] = [
      ("where you are", verdict.today), ("the best", verdict.recommended),
      ("the nearest", verdict.nearest), ("the worst", verdict.worst),
    ]
    var told: [(label: String, names: [String])] = []
    for (name, outcome) in places {
      guard let label = outcome?.label else { continue }
      if let place = told.firstIndex(where: { $0.label == label }) {
        told[place].names.append(name)
      } else {
        told.append((label, [name]))
      }
    }
    all = told.compactMap { label, names in
      let run = runs.first {
        $0.typical.log.strategy.label == label && $0.typical.log.engine.rawValue == verdict.engine
      }
      let title = verdict.strategies.count == 1 ? "" : English.list(names) + ": "
      return run.map { (title.prefix(1).uppercased() + title.dropFirst(), $0) }
    }
  }
}
