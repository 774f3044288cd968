internal import FrameBudget
internal import Reports
internal import Terminal

/// What a session shows.
enum LiveFeed: Sendable {
  case engines(Plan)
  /// With the platforms whose numbers are shown.
  case recorded([RecordedRun], metrics: [MetricSet])

  /// A scenario, the strategies to choose from, and what to begin with.
  struct Plan: Sendable {
    var scenario: Scenario
    var strategies: [Strategy]
    var chosen: [Int]
    var engine: EngineKind
    var machine: Machine
    /// What the simulation assumes.
    var costs: Costs
    /// Whose numbers are shown; nil for those of the scenario's screen.
    var metrics: [MetricSet]?
  }

  /// The session as the view takes it.
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
  /// How many items arrive at once.
  fileprivate var batch: Int {
    switch self {
    case .once(let count, _), .batch(let count, _, _): count
    case .rate, .at, .recorded: 1
    }
  }
}
