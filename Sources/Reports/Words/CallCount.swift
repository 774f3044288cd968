internal import FrameBudget

/// At how many places a scenario's code calls a service, and at how many of them the service lives on another lane.
///
/// A place counts once, however many items pass it and however many copies there are of a workload. That of the UI,
/// which hands an item to its first service, counts too; a service that goes on with a step of its own calls nobody.
struct CallCount {
  private(set) var all = 0
  private(set) var acrossLanes = 0

  init(_ scenario: Scenario, under arrangement: Arrangement) {
    var seen = Set<String>()
    for (index, workload) in scenario.workloads.indexed
    where seen.insert(workload.fileName).inserted {
      var caller: (service: ServiceIndex?, lane: LaneIndex) = (nil, .main)
      for step in WorkloadPlan(index, in: scenario, under: arrangement).steps {
        if caller.service != step.service { all += 1 }
        if caller.lane == step.lane {
          caller.service = step.service
        } else {
          acrossLanes += 1
          // Whoever leaves a step to another lane goes on with the next one itself.
          if !step.isFork { caller = (step.service, step.lane) }
        }
      }
    }
  }
}
