public import FrameBudget

/// A run under way, in virtual time.
///
///     var run = VirtualEngine().start(plan)
///     while !run.isOver {
///       run.advance(to: run.now + .milliseconds(100))
///       show(run.itemsDone)
///     }
///     let log = run.finish()
public struct SimulationRun: ~Copyable {
  let plan: RunPlan
  private let warmupFrames: Int
  var machine: VirtualMachine<SimulatedApp>
  /// The number of frames that earlier observations have reported.
  var reported = 0
  var responses: OpenResponses

  init(_ plan: RunPlan, on engine: VirtualEngine) {
    let simulated = engine.machine ?? plan.scenario.machine
    responses = OpenResponses(plan)
    var app = SimulatedApp(plan, on: simulated, costs: engine.costs, detail: engine.detail)
    warmupFrames = app.main.warmUp(speed: simulated.speeds.max() ?? 1000)
    let threads = engine.threads(of: plan, app.workers, on: simulated)
    let queues = engine.queues(of: plan, app.workers.pools, start: Self.start)
    machine = VirtualMachine(
      app, threads: threads, speeds: simulated.speeds,
      locks: plan.arrangement.locks.map { VirtualLock($0.kind, costs: engine.costs.lock) },
      queues: queues,
      sharing: engine.scheduling.share(simulated, measured: engine.costs.calibration.slice),
      contextSwitch: engine.costs.contextSwitch, start: Self.start,
      scheduler: simulated.scheduler, others: simulated.busy)
    self.plan = plan
    // Threads start before time 0; the time that this takes is not part of the run.
    machine.advance(to: Instant(nanoseconds: -1))
    machine.resetAccounts()
  }

  private static let start = Instant.zero - .seconds(1)

  /// Advances to `instant`, or to the end of the run if that comes first.
  public mutating func advance(to instant: Instant) { machine.advance(to: min(instant, end)) }

  public var now: Instant { max(machine.now, .zero) }
  public var isOver: Bool { machine.now >= end }
  /// The number of operations that virtual threads have started so far: the measure of the engine's speed.
  public var operations: Int { machine.operations + machine.program.completed }
  public var itemsDelivered: Int { machine.program.workers.items.delivered }
  public var itemsDone: Int { machine.program.workers.items.done }

  /// Ends the run now. It counts as interrupted if this is before the scenario's end.
  public consuming func finish() -> RunLog {
    machine.updateAccounts()
    let (end, usage) = (now, machine.usage)
    return machine.end().finish(plan, at: end, warmupFrames: warmupFrames, usage: usage)
  }

  private var end: Instant { .zero + plan.scenario.duration }
}

extension VirtualMachine where Threads: ~Copyable {
  var usage: MachineUsage {
    MachineUsage(
      threads: (ThreadIndex(0)..<firstOthers).map { threads[$0].cpu },
      mainReady: threads[.main].readyTime,
      contextSwitches: contextSwitches, lockWaits: lockWaits)
  }
}

// For watching a run. The engine must keep the detail of frames.

extension SimulationRun {
  /// The current state of the run, with the frames and responses since the last observation.
  public mutating func observe() -> RunObservation {
    machine.updateAccounts()
    var observation = RunObservation()
    observation.frames = machine.program.main.frames.ledger.records(from: reported)
    reported = machine.program.main.frames.ledger.endedCount
    observation.framesUnready = machine.program.main.frames.ledger.unreadyCount
    machine.program.workers.items.takeResponses(into: &observation.responses)
    observation.now = now
    observation.openFrame = machine.program.main.frames.openFrame(
      at: now, ready: machine.threads[.main].readyTime)
    for response in observation.responses { responses.answered(response) }
    observation.responsesOverdue = responses.overdue(at: now)
    observation.deadlocks = machine.program.deadlocks(among: machine.lockWaits, of: plan)
    observation.itemsDelivered = itemsDelivered
    observation.itemsDone = itemsDone
    observation.publishing = machine.program.workers.services.copying
    observation.suspended = machine.program.workers.waiting
    observation.lanes = lanes
    observation.mainCPU = machine.threads[.main].cpu
    observation.backgroundCPU = machine.usage.threads.dropFirst().reduce(.zero, +)
    observation.isOver = isOver
    return observation
  }

  /// Adds `count` items of `workload` that arrive now.
  public mutating func add(_ count: Int, of workload: WorkloadIndex) {
    machine.program.workers.items.add(count, of: workload, at: now)
    responses.add(count, of: workload, at: now)
    machine.endInterruptibleSleep()
  }

  /// The number of frames that have ended.
  public var framesEnded: Int { machine.program.main.frames.ledger.endedCount }

  private var lanes: PerLane<LaneUse> {
    var lanes = plan.arrangement.lanes.mapValues { _ in LaneUse() }
    for thread in machine.program.workers.runners.indices {
      let runner = machine.program.workers.runners[thread]
      let (state, use) = (machine.threads[thread], machine.program.workers.pools.uses[thread])
      lanes[runner.lane].busy += state.cpu + use.busy
      lanes[runner.lane].waiting += state.lockWait + use.waiting
      if state.lock != nil { lanes[runner.lane].waiting += machine.now - state.lockSince }
    }
    return lanes
  }
}
