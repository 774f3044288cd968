internal import FrameBudget
internal import Simulation

/// Runs arrangements in virtual time and says what came of them.
struct Judge: Sendable {
  let scenario: Scenario
  let costs: Costs
  let aims: [Aim]

  func metrics(_ arrangement: Arrangement) -> RunMetrics {
    let strategy = Strategy(name: "candidate", arrangement: arrangement)
    return RunMetrics(VirtualEngine(costs: costs).run(RunPlan(scenario, under: strategy)))
  }

  func outcome(_ arrangement: Arrangement) -> Outcome { Outcome(metrics(arrangement), for: aims) }
}
