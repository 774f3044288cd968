public import FrameBudget

// For whoever watches a run: its engine must keep the detail of frames.

extension SimulationRun {
  /// What there is to see now.
  public mutating func glance() -> RunGlance {
    machine.settle()
    var glance = RunGlance()
    glance.frames = machine.program.main.frames.ledger.records(from: told)
    told = machine.program.main.frames.ledger.endedCount
    glance.framesUnready = machine.program.main.frames.ledger.unreadyCount
    machine.program.workers.items.takeResponses(into: &glance.responses)
    glance.now = now
    glance.openFrame = machine.program.main.frames.openFrame(
      at: now, ready: machine.threads[.main].readyTime)
    for response in glance.responses { responses.answered(response) }
    glance.responsesOverdue = responses.overdue(at: now)
    glance.deadlocks = machine.program.deadlocks(among: machine.lockWaits, of: plan)
    glance.itemsDelivered = itemsDelivered
    glance.itemsDone = itemsDone
    glance.publishing = machine.program.workers.services.copying
    glance.lanes = lanes
    glance.mainCPU = machine.threads[.main].cpu
    glance.backgroundCPU = machine.usage.threads.dropFirst().reduce(.zero, +)
    glance.isOver = isOver
    return glance
  }

  /// Lets `count` more items of `workload` arrive now.
  public mutating func add(_ count: Int, of workload: WorkloadIndex) {
    machine.program.workers.items.add(count, of: workload, at: now)
    responses.add(count, of: workload, at: now)
    machine.wakeDozing()
  }

  /// How many frames have ended.
  public var framesEnded: Int { machine.program.main.frames.ledger.endedCount }

  private var lanes: PerLane<LaneUse> {
    var lanes = plan.arrangement.lanes.mapValues { _ in LaneUse() }
    for (thread, runner) in machine.program.workers.runners.indexed {
      let (state, use) = (machine.threads[thread], machine.program.workers.pools.uses[thread])
      lanes[runner.lane].busy += state.cpu + use.busy
      lanes[runner.lane].waiting += state.lockWait + use.waiting
      if state.lock != nil { lanes[runner.lane].waiting += machine.now - state.lockSince }
    }
    return lanes
  }
}
