import FrameBudget

extension RunPlan {
  /// Two items that take two locks in opposite orders, one of them on the main thread: both wait for ever.
  static var deadlock: RunPlan {
    func item(_ name: String, _ services: [ServiceIndex]) -> Workload {
      Workload(
        name: name, arrival: .once(1, start: .milliseconds(20)),
        steps: services.map {
          Step(name: "step", service: $0, load: .cpu(.constant(.milliseconds(5))))
        })
    }
    let scenario = Scenario(
      name: "deadlock", display: Display(refresh: RefreshRate(60)), duration: .seconds(60),
      services: [Service(name: "a"), Service(name: "b")],
      workloads: [item("one", [0, 1]), item("other", [1, 0])])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "lane", carrier: .thread))
    arrangement.locks = PerLock(
      ["a", "b"].map { Lock(name: $0, kind: .fair, hold: .nested) })
    arrangement.placement = [.guarded(0), .guarded(1)]
    arrangement.entry = [.main, 1]
    return RunPlan(scenario, under: Strategy(name: "nested", arrangement: arrangement))
  }
}
