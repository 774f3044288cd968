public import FrameBudget

/// Runs a plan in virtual time: the same bytes out everywhere, thousands of times faster than real time.
///
///     let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
///     print(log.frames.expected - log.frames.presented, "frames dropped")
public struct VirtualEngine: Sendable {
  /// The machine that is simulated; the scenario's own if nil.
  public var machine: Machine?
  public var costs: Costs
  /// How much is kept of each frame.
  public var detail: FrameLedger.Detail
  public var scheduling: Scheduling

  public init(
    machine: Machine? = nil, costs: Costs = .standard, detail: FrameLedger.Detail = .summary,
    scheduling: Scheduling = .fair
  ) {
    self.machine = machine
    self.costs = costs
    self.detail = detail
    self.scheduling = scheduling
  }

  /// Runs `plan` to its end.
  public func run(_ plan: RunPlan) -> RunLog {
    var run = start(plan)
    run.advance(to: .zero + plan.scenario.duration)
    return run.finish()
  }

  /// Begins a run that goes on step by step, for whoever wants to watch it.
  public func start(_ plan: RunPlan) -> SimulationRun { SimulationRun(plan, on: self) }
}

/// Who gets a core when there are more threads than cores.
public enum Scheduling: Hashable, Sendable {
  /// All threads share the cores by their nice values, main at 0; as on Linux by default.
  case fair
  /// As `fair`, but with lengths other than those of the machine.
  case sharing(FairShare)
  /// The main thread goes before all others, which share the rest: a real-time priority.
  case mainFirst
  /// Each thread at a fixed priority, a lower nice value going before a higher one.
  case fixedByNice

  /// The scenario's slice goes before one that was `measured`.
  func share(_ machine: Machine, measured: TimeSpan?) -> FairShare {
    if case .sharing(let share) = self { return share }
    return (machine.slice ?? measured).map { FairShare(slice: $0) }
      ?? .standard(cores: machine.cores)
  }

  /// The second stage competes like a thread that nobody has given another nice value.
  var secondStagePriority: Priority { self == .fixedByNice ? .fixed(100) : .fair(nice: 0) }

  func priority(of lane: Lane, isMain: Bool) -> Priority {
    isMain && self == .mainFirst ? .fixed(1) : priority(nice: lane.nice)
  }

  /// Of a thread that is not the main one.
  func priority(nice: Int) -> Priority {
    self == .fixedByNice ? .fixed(100 - nice) : .fair(nice: nice)
  }
}
