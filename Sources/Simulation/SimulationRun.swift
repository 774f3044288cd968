public import FrameBudget

/// A run under way, in virtual time.
///
///     var run = VirtualEngine().start(plan)
///     while !run.isOver {
///       run.advance(to: run.now + .milliseconds(100))
///       show(run.droppedFrames, run.itemsDone)
///     }
///     let log = run.finish()
public struct SimulationRun: ~Copyable {
  let plan: RunPlan
  private let warmupFrames: Int
  var machine: VirtualMachine<SimulatedApp>
  /// How many frames have been told to whoever watches.
  var told = 0
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
    // Threads are started before time 0, and what that takes is not part of the run.
    machine.advance(to: Instant(nanoseconds: -1))
    machine.resetAccounts()
  }

  private static let start = Instant.zero - .seconds(1)

  /// Goes on until `instant`, or to the run's end if that comes first.
  public mutating func advance(to instant: Instant) { machine.advance(to: min(instant, end)) }

  public var now: Instant { max(machine.now, .zero) }
  public var isOver: Bool { machine.now >= end }
  /// Answers of virtual threads so far: what the engine's speed is measured in.
  public var operations: Int { machine.operations }
  /// Vsyncs so far at which no new frame was shown; those of a frame under way are not known yet.
  public var droppedFrames: Int { machine.program.main.frames.ledger.dropped }
  public var itemsDelivered: Int { machine.program.workers.items.delivered }
  public var itemsDone: Int { machine.program.workers.items.done }

  /// Ends the run where it is; before the scenario's end it counts as interrupted.
  public consuming func finish() -> RunLog {
    machine.settle()
    let (end, usage) = (now, machine.usage)
    return machine.end().finish(plan, at: end, warmupFrames: warmupFrames, usage: usage)
  }

  private var end: Instant { .zero + plan.scenario.duration }
}

extension VirtualMachine where Threads: ~Copyable {
  var usage: MachineUsage {
    MachineUsage(
      threads: threads[..<firstOthers].map(\.cpu), mainReady: threads[.main].readyTime,
      contextSwitches: contextSwitches, lockWaits: lockWaits)
  }
}
