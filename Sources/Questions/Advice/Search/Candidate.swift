public import FrameBudget
internal import FrameBudgetSimulation

/// An arrangement to try.
struct Candidate: Sendable {
  let arrangement: Arrangement
  let change: Change
  let weight: Int
  let layout: PlacementCandidate?
  /// The name of a named arrangement.
  let name: String?
  let order: Int
  let words: [String]

  func trial(_ outcome: Outcome) -> Trial {
    Trial(
      arrangement: arrangement, change: change, weight: weight, outcome: outcome, layout: layout,
      name: name, order: order, words: words)
  }
}

/// Creates candidates, each arrangement once, with consecutive numbers.
struct CandidateList {
  let space: SearchSpace
  private var seen: Set<Arrangement> = []
  private(set) var count = 0

  init(_ space: SearchSpace) {
    self.space = space
    seen = [space.today]
  }

  /// The current arrangement, for comparison.
  static func today(_ space: SearchSpace) -> Candidate {
    Candidate(
      arrangement: space.today, change: Change(), weight: 0,
      layout: PlacementCandidate(homes: space.units.map { _ in .today }), name: nil, order: -1,
      words: [])
  }

  /// Nil if it is invalid, is a duplicate, or moves too many services.
  mutating func candidate(_ layout: PlacementCandidate) -> Candidate? {
    guard let arrangement = space.arrangement(layout) else { return nil }
    return candidate(arrangement, layout: layout, name: nil)
  }

  /// A named arrangement, used as a whole.
  mutating func candidate(_ strategy: Strategy) -> Candidate? {
    candidate(strategy.arrangement, layout: nil, name: strategy.label)
  }

  private mutating func candidate(
    _ arrangement: Arrangement, layout: PlacementCandidate?, name: String?
  ) -> Candidate? {
    guard seen.insert(arrangement).inserted else { return nil }
    let change = space.change(to: arrangement)
    if let most = space.request.maxMoved, change.moved.count > most { return nil }
    count += 1
    return Candidate(
      arrangement: arrangement, change: change, weight: change.weight(space.request.weights),
      layout: layout, name: name, order: count,
      words: name.map { ["take the strategy \($0)"] }
        ?? space.words(for: change, arrangement, layout?.policies ?? []))
  }
}

/// Makes many runs, possibly several at once.
public protocol RunMaker: Sendable {
  /// Whether the user interrupted it. Code that makes several runs for one output checks this between them.
  var isInterrupted: Bool { get }

  /// The outputs of `make` for 0 up to `count`, in that order; only the first ones if it was interrupted.
  func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output]
}

/// Makes one run after the other, on the calling thread.
public struct SequentialRuns: RunMaker {
  /// Creates a maker of runs.
  public init() {}

  /// Always false.
  public var isInterrupted: Bool { false }

  public func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output] {
    (0..<count).map(make)
  }
}

/// The results of a run that decide its rank.
public struct Outcome: Hashable, Sendable {
  /// The number of vsyncs without a new frame.
  public let dropped: Int
  /// The number of vsyncs.
  public let frames: Int
  /// The number of late responses; nil if no user waits.
  public let late: Int?
  /// The number of unfinished items.
  public let pending: Int
  /// The number of items that are left undone: those of a growing backlog that are not shown.
  public let left: Int
  /// The price.
  public let price: Price
  /// What it shows incomplete; nil if all frames are complete.
  public let incomplete: Incomplete?
  /// The distance from each aim.
  let misses: [Double]
  /// Whether the run broke no invariant, and left no work of drawing behind.
  let isValid: Bool

  /// Frames that are shown without all of a part of drawing, which is spread over several.
  public struct Incomplete: Hashable, Sendable {
    /// Their number.
    public let frames: Int
    /// The longest time until what a frame needed was complete, in milliseconds.
    public let longest: Double
  }

  /// The price of an arrangement. The times are of different threads, so their sum is only for ranking.
  public struct Price: Hashable, Sendable {
    /// Handing work over, on the main thread, in milliseconds.
    public let handOff: Double
    /// Copying state for snapshots, in milliseconds.
    public let copying: Double
    /// The main thread blocked on locks, in milliseconds.
    public let lockWait: Double
    /// The 99th percentile of responses, in milliseconds; nil if no user waits.
    public let response: Observation?
    /// The 95th percentile of content latency, in milliseconds; nil if nothing arrives.
    public let content: Observation?

    /// The sum of handing over, copying and waiting.
    public var total: Double { handOff + copying + lockWait }
  }

  /// Whether all aims are met.
  public var meets: Bool { isValid && misses.allSatisfy { $0 == 0 } }

  init(_ metrics: RunMetrics, for aims: [Aim]) {
    dropped = metrics.frames.dropped
    frames = metrics.frames.expected
    late = metrics.items.responsesLate
    pending = metrics.items.pending
    left = metrics.items.backlog
    let late = metrics.log.totals.partLateness
    isValid = metrics.log.violations.isEmpty && late?.left ?? .zero == .zero
    let incompleteFrames = metrics.log.frames.shownIncomplete
    incomplete = late.flatMap {
      $0.longest > .zero
        ? Incomplete(frames: incompleteFrames, longest: $0.longest.inMilliseconds) : nil
    }
    misses = aims.map { $0.shortfall(metrics.observed($0.metric)) }
    price = Price(
      handOff: metrics[.handOffTotal] ?? 0, copying: metrics[.publishing] ?? 0,
      lockWait: metrics[.lockWait] ?? 0,
      response: metrics.observed(Metric.response(.p99).name),
      content: metrics.observed(Metric.content(.p95).name))
  }
}

/// Runs arrangements in virtual time.
struct ArrangementRunner: Sendable {
  let scenario: Scenario
  let costs: Costs
  let aims: [Aim]

  func metrics(_ arrangement: Arrangement) -> RunMetrics {
    let strategy = Strategy(name: "candidate", arrangement: arrangement)
    return RunMetrics(VirtualEngine(costs: costs).run(RunPlan(scenario, under: strategy)))
  }

  func outcome(_ arrangement: Arrangement) -> Outcome { Outcome(metrics(arrangement), for: aims) }

  /// The range of its figures, which takes a few runs; nil if `isWanted` ended it.
  func range(_ arrangement: Arrangement, while isWanted: () -> Bool) -> PredictionRange? {
    guard isWanted() else { return nil }
    let plan = RunPlan(scenario, under: Strategy(name: "candidate", arrangement: arrangement))
    return VirtualEngine(costs: costs).range(
      around: metrics(arrangement), of: plan, while: isWanted)
  }
}

/// An arrangement that was run, and its outcome.
public struct Trial: Sendable {
  /// The arrangement.
  public let arrangement: Arrangement
  /// The difference from the current arrangement.
  public let change: Change
  /// The weight of the change.
  public let weight: Int
  /// The outcome of the run.
  public let outcome: Outcome
  /// Its layout; nil for a named arrangement.
  let layout: PlacementCandidate?
  /// The name of a named arrangement; nil if services are placed one by one.
  let name: String?
  /// Its number among all candidates.
  let order: Int

  /// The steps from the current arrangement to this one, in a few words each.
  public let words: [String]

  /// The range of its figures, as `run` has it; nil if it is not part of the answer, or if the user interrupted the search.
  public internal(set) var range: PredictionRange?

  /// The order of preference: frames that are not later, then complete ones, the smallest change, the shortest time until frames
  /// are complete, the price, fewer moves, and the order of the candidates.
  func isPreferred(to other: Trial) -> Bool {
    if outcome.meets != other.outcome.meets { return outcome.meets }
    if periodsLater != other.periodsLater { return periodsLater < other.periodsLater }
    let (late, otherLate) = (outcome.incomplete, other.outcome.incomplete)
    if (late == nil) != (otherLate == nil) { return late == nil }
    if weight != other.weight { return weight < other.weight }
    if let late, let otherLate, late != otherLate {
      return (late.longest, late.frames) < (otherLate.longest, otherLate.frames)
    }
    if outcome.price != other.outcome.price,
      let isCheaper = outcome.price.isBelow(other.outcome.price)
    {
      return isCheaper
    }
    if change.moved.count != other.change.moved.count {
      return change.moved.count < other.change.moved.count
    }
    return order < other.order
  }

  /// By how many periods it shows every frame later than the current arrangement.
  var periodsLater: Int { max(0, change.periodsLater) }

  /// Whether it shows all frames complete, and none later than the current arrangement.
  var keepsFrames: Bool { outcome.incomplete == nil && change.periodsLater <= 0 }

  /// Whether `other`, which is not preferred to it, costs no less. But that frames are shown later is another kind of price than
  /// that they are incomplete.
  func makesNeedless(_ other: Trial) -> Bool {
    outcome.price.total <= other.outcome.price.total
      && (outcome.incomplete == nil || other.change.periodsLater <= 0)
  }

  /// The order if nothing meets the aims: the nearest first, and among equals the smallest change.
  func isNearer(than other: Trial, scale: [Double]) -> Bool {
    let (mine, others) = (distance(scale), other.distance(scale))
    return mine == others ? isPreferred(to: other) : mine < others
  }

  /// The distance from the aims, each relative to the distance of the current arrangement.
  func distance(_ scale: [Double]) -> Double {
    guard outcome.isValid else { return .infinity }
    return zip(outcome.misses, scale).reduce(0) { $0 + $1.0 / $1.1 }
  }
}

extension Outcome.Price {
  /// Whether it is lower; nil if both are equal.
  fileprivate func isBelow(_ other: Self) -> Bool? {
    if total != other.total { return total < other.total }
    for (mine, others) in [(response, other.response), (content, other.content)] {
      let (mine, others) = (mine?.value ?? 0, others?.value ?? 0)
      if mine != others { return mine < others }
    }
    return nil
  }
}
