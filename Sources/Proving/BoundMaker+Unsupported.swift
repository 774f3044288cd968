internal import FrameBudget

// What an arrangement or a scenario has that no bound covers yet.
extension BoundMaker {
  mutating func findUnsupported() {
    findLocks()
    for lane in arrangement.lanes.dropFirst() { findCosts(of: lane) }
    if case .fitting = arrangement.admission, arrangement.reading.publishRule != nil {
      miss("time slicing publishes snapshots", "read services on main directly")
    }
    for workload in scenario.workloads.indices { findWay(of: workload) }
    guard gaps.isEmpty else { return }
    findUnbounded()
  }

  /// As sentences name them: `2 cores`.
  var coresInWords: String { "\(machine.cores) core\(machine.cores == 1 ? "" : "s")" }

  /// The queue of some carriers costs more the longer it is.
  private mutating func findCosts(of lane: Lane) {
    let handOff = costs.handOff(to: lane)
    let keepsJobs = handOff.perKept > .zero && lane.keptJobs > 0
    guard handOff.perWaiting > .zero || keepsJobs else { return }
    miss(
      "what posting to lane '\(lane.name)' costs depends on what waits there",
      "choose another carrier, such as scheduler")
  }

  private mutating func findWay(of workload: WorkloadIndex) {
    guard plans[workload].hasForks else { return }
    miss(
      "workload '\(scenario.workloads[workload].fileName)' has steps that nobody awaits",
      "leave out 'await: false'")
  }

  /// The lane to which the main thread hands items that arrive; nil where they stay.
  func handOffLane(of workload: WorkloadIndex) -> LaneIndex? {
    plans[workload].steps.first.flatMap { $0.lane == .main ? nil : $0.lane }
  }
}
