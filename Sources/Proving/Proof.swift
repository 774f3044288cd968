public import FrameBudget
internal import Simulation

/// What is known of an arrangement for every phase: that no more frames are dropped than a limit allows, that more are, or
/// neither.
public struct Proof: Sendable {
  /// What runs where.
  public let strategy: Strategy
  /// How many frames a run may drop.
  public let limit: Int
  /// The most that a frame can take.
  public let bound: FrameBound
  /// How many thousandths of the stated costs are proven to be borne; nil if not even one, or something has no bound.
  public let growth: Int?
  /// The worst run that was found; nil if none was made.
  public let worst: PhaseRun?
  /// How many were made.
  public let runs: Int
  /// Whether somebody ended the search.
  public let isCut: Bool

  /// Proven is what a bound says; refuted, what a run shows.
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

  /// The same without what was found: for whoever could not repeat it.
  public func withoutWitness() -> Proof {
    Proof(
      strategy: strategy, limit: limit, bound: bound, growth: growth, worst: nil, runs: runs,
      isCut: isCut)
  }
}

/// Proves that a plan drops no frame, or not too many, or finds a run in which it does.
public struct Prover: Sendable {
  /// Makes so many runs and returns what came of the first ones, of all unless somebody ends it.
  public typealias RunMaker = (Int, @escaping @Sendable (Int) -> PhaseRun) -> [PhaseRun]

  private let plan: RunPlan
  private let engine: VirtualEngine
  private let limit: Int

  /// - Parameters:
  ///   - plan: the scenario under a strategy.
  ///   - machine: in place of the scenario's.
  ///   - costs: what moving work about takes.
  ///   - limit: how many frames a run may drop.
  public init(
    _ plan: RunPlan, on machine: Machine? = nil, costs: Costs = .standard,
    droppingUpTo limit: Int = 0
  ) {
    self.plan = plan
    self.limit = limit
    engine = VirtualEngine(machine: machine, costs: costs)
  }

  /// The bound, and the worst run that the search finds; that is brief where the bound is enough.
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
      worst: search.worst, runs: search.runs, isCut: search.isCut)
  }

  /// What comes of a run with `phases`.
  public func run(_ phases: Phases) -> PhaseRun { WitnessSearch.run(plan, phases, on: engine) }
}
