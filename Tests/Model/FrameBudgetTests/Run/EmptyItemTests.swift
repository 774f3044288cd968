import FrameBudget
import Testing

@Suite struct EmptyItemTests {
  @Test func `an item without steps is admitted by every kind of gate`() {
    for unit in [Admission.Fitting.Unit.item, .step] {
      let scenario = Scenario(
        name: "empty", display: Display(refresh: RefreshRate(50)), duration: .seconds(1),
        workloads: [Workload(name: "nothing", arrival: .once(1, start: .zero), steps: [])])
      var arrangement = Arrangement.onMain(scenario)
      arrangement.admission = .fitting(.init(estimate: .exact, unit: unit))
      let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
      var gate = AdmissionGate(plan)
      gate.open(vsync: 0, reserve: .zero)
      let starts = gate.starts(0, step: 0, item: 0, of: plan, at: .zero)
      #expect(starts)
    }
  }
}
