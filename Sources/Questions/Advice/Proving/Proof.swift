public import FrameBudget
internal import FrameBudgetSimulation

/// Whether an arrangement keeps a limit of dropped frames for every phase: proven, refuted or open.
public struct Proof: Sendable {
  /// The assignment of work to threads.
  public let strategy: Strategy
  /// The number of frames that a run may drop.
  public let limit: Int
  /// The upper bound of a frame.
  public let bound: FrameBound
  /// The largest factor of the stated costs, in thousandths, for which the limit is proven to be kept; nil if there is no such
  /// factor, or something has no bound.
  public let growth: Int?
  /// The worst run found; nil if no run was made.
  public let worst: PhaseRun?
  /// The items that the run as stated leaves undone, of which the proof says nothing; nil if it was not made.
  public let left: Int?
  /// The number of runs made.
  public let runs: Int
  /// Whether the search was interrupted.
  public let isCut: Bool

  /// Proven by the bound, refuted by a run, or open.
  public enum Verdict: String, CaseIterable, Sendable {
    case proven, refuted, open
  }

  public var verdict: Verdict {
    if witness != nil { return .refuted }
    return bound.keeps(limit) ? .proven : .open
  }

  /// The phases under which too many frames are dropped.
  public var witness: Phases? {
    worst.flatMap { $0.dropped > limit ? $0.phases : nil }
  }

  /// The same without the worst run, for a caller that cannot repeat it.
  public func withoutWitness() -> Proof {
    Proof(
      strategy: strategy, limit: limit, bound: bound, growth: growth, worst: nil, left: left,
      runs: runs, isCut: isCut)
  }
}

/// Proves that a plan drops at most a number of frames, or finds a run that drops more.
public struct Prover: Sendable {
  /// Makes the given number of runs and returns their results, or those of the first ones if interrupted.
  public typealias RunMaker = (Int, @escaping @Sendable (Int) -> PhaseRun) -> [PhaseRun]

  private let plan: RunPlan
  private let engine: VirtualEngine
  private let limit: Int

  /// - Parameters:
  ///   - plan: the scenario under a strategy.
  ///   - machine: replaces the scenario's.
  ///   - costs: the costs of hand-offs and copies.
  ///   - limit: the number of frames that a run may drop.
  public init(
    _ plan: RunPlan, on machine: Machine? = nil, costs: Costs = .standard,
    droppingUpTo limit: Int = 0
  ) {
    self.plan = plan
    self.limit = limit
    engine = VirtualEngine(machine: machine, costs: costs)
  }

  /// The bound and the worst run of the search, which is brief if the bound suffices.
  public func proof(_ maker: RunMaker) -> Proof {
    let (scenario, arrangement) = (plan.scenario, plan.arrangement)
    let bound = FrameBound(
      scenario, under: arrangement, on: engine.machine, costs: engine.costs)
    var search = WitnessSearch(plan, on: engine, limit: limit)
    search.search(isBrief: bound.keeps(limit), maker)
    return Proof(
      strategy: plan.strategy, limit: limit, bound: bound,
      growth: FrameBound.growth(
        of: scenario, under: arrangement, on: engine.machine, costs: engine.costs,
        droppingUpTo: limit),
      worst: search.worst, left: search.leftAsStated, runs: search.runs, isCut: search.isCut)
  }

  /// The result of a run with `phases`.
  public func run(_ phases: Phases) -> PhaseRun { WitnessSearch.run(plan, phases, on: engine) }
}
