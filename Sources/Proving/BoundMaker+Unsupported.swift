internal import FrameBudget

// What an arrangement or a scenario has that no bound covers yet.
extension BoundMaker {
  mutating func findUnsupported() {
    findSharedCores()
    findLocks()
    for lane in arrangement.lanes.dropFirst() { findCosts(of: lane) }
    if case .fitting = arrangement.admission, arrangement.reading.publishRule != nil {
      miss("time slicing publishes snapshots", "read services on main directly")
    }
    for workload in scenario.workloads.indices { findWay(of: workload) }
    guard gaps.isEmpty else { return }
    findUnbounded()
  }

  /// Where each thread has a core, the main thread never waits for one.
  private mutating func findSharedCores() {
    let threads = 1 + otherThreads
    if threads > machine.cores {
      miss(
        "\(threads) threads share \(machine.cores) core\(machine.cores == 1 ? "" : "s")",
        "give the machine \(threads) cores")
    }
    if arrangement.lanes.contains(where: { $0.cores != nil }) {
      miss("a lane is kept on some of the cores", "leave out its 'on'")
    }
    for lane in arrangement.lanes where machine.hasPools && lane.isPooled {
      miss(
        "lane '\(lane.name)' is served by the threads of a pool",
        "choose a carrier with a thread of its own, such as scheduler")
    }
  }

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
