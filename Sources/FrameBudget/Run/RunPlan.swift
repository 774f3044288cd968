/// A scenario under one strategy, worked out as far as it can be before the run: what both engines follow.
///
/// Costs are drawn by what they are for (seed, step, item), not in the order in which threads happen to
/// ask, so the engines, and all strategies of a comparison, meet the same items.
public struct RunPlan: Sendable {
  /// What the app does.
  public let scenario: Scenario
  /// What runs where.
  public let strategy: Strategy
  /// Of all random numbers.
  public let seed: UInt64
  /// In the scenario's order.
  public let workloads: PerWorkload<WorkloadPlan>
  /// In the scenario's order: what the UI reads in each frame.
  public let reads: [ReadPlan]
  /// By how much recorded arrivals are later than they were.
  public let arrivalShift: TimeSpan
  private let renderKey: UInt64
  private let compositorKey: UInt64

  /// - Parameters:
  ///   - scenario: what the app does.
  ///   - strategy: what runs where.
  ///   - seed: of all random numbers; the scenario's unless given.
  public init(_ scenario: Scenario, under strategy: Strategy, seed: UInt64? = nil) {
    let seed = seed ?? scenario.seed
    self.scenario = scenario
    self.strategy = strategy
    self.seed = seed
    arrivalShift = scenario.phase.shift(seed: seed, of: scenario.display.refresh)
    workloads = PerWorkload(
      scenario.workloads.indices.map { index in
        WorkloadPlan(index, in: scenario, under: strategy.arrangement, seed: seed)
      })
    renderKey = RandomStream(seed: seed, name: "display/render").key
    compositorKey = RandomStream(seed: seed, name: "display/compositor").key
    reads = scenario.reads.enumerated().map { place, read in
      ReadPlan(
        read, under: strategy.arrangement,
        key: RandomStream(seed: seed, name: "ui/reads/\(place)").key)
    }
  }

  /// What runs where.
  public var arrangement: Arrangement { strategy.arrangement }

  /// How long drawing takes in a frame that begins at `vsync`: the same under every strategy.
  public func renderCost(vsync: Int) -> TimeSpan {
    scenario.display.render.sample(key: renderKey, index: vsync)
  }

  /// How long the second stage takes for a frame that begins at `vsync`: the same under every strategy.
  public func compositorCost(vsync: Int) -> TimeSpan {
    scenario.display.pipeline.compositor.sample(key: compositorKey, index: vsync)
  }

  /// The names of all threads: those of the arrangement, main first, and that of the second stage, if there is one.
  public var threadNames: PerThread<String> {
    let behind = scenario.display.pipeline.hasSecondStage ? ["compositor"] : []
    return arrangement.threads.mapValues(\.name) + behind
  }

  /// When within `period` a polling lane first checks for events: drawn, because lanes start at any time.
  public func phase(of lane: Lane, period: TimeSpan) -> TimeSpan {
    var stream = RandomStream(seed: seed, name: "lanes/\(lane.name)/phase")
    return TimeSpan(nanoseconds: Int64(stream.unit() * Double(period.nanoseconds)))
  }

  /// How long reads and drawing take together in a frame that begins at `vsync`.
  public func drawingCost(vsync: Int) -> TimeSpan {
    reads.reduce(renderCost(vsync: vsync)) { $0 + $1.cost(vsync: vsync) }
  }

  /// The services that leave snapshots for the UI, in the scenario's order.
  public var publishedServices: [ServiceIndex] {
    arrangement.reading.publishRule == nil ? [] : Set(reads.map(\.service)).sorted()
  }

  /// Those of them that live on `lane`, which publishes what is unpublished when it runs out of work.
  public func publishedServices(on lane: LaneIndex) -> [ServiceIndex] {
    publishedServices.filter { arrangement.placement[$0] == .home(lane) }
  }
}

/// A read of the UI under an arrangement: how it gets at the state, and what it takes.
public struct ReadPlan: Sendable {
  /// Whose state it reads.
  public let service: ServiceIndex
  /// Whether it takes the newest snapshot; otherwise it reads in place.
  public let isSnapshot: Bool
  /// The lock that it takes to read in place; nil where the service lives on the main thread.
  public let lock: LockIndex?
  private let cpu: DurationDistribution
  private let key: UInt64

  init(_ read: UIRead, under arrangement: Arrangement, key: UInt64) {
    service = read.service
    isSnapshot = arrangement.reading.publishRule != nil
    lock = isSnapshot ? nil : arrangement.placement[read.service].lock
    cpu = read.cpu
    self.key = key
  }

  /// How long it takes in a frame that begins at `vsync`.
  public func cost(vsync: Int) -> TimeSpan { cpu.sample(key: key, index: vsync) }
}

/// A workload under an arrangement.
public struct WorkloadPlan: Sendable {
  /// As the scenario describes it.
  public let workload: Workload
  /// Its steps, in their order.
  public let steps: [StepPlan]
  /// Whether some of an item may be done beside the rest of it, so that the item has several parts.
  public let hasForks: Bool
  private let resultKey: UInt64

  init(_ index: WorkloadIndex, in scenario: Scenario, under arrangement: Arrangement, seed: UInt64)
  {
    let workload = scenario.workloads[index]
    self.workload = workload
    let lanes = arrangement.lanes(of: index, in: scenario)
    // Work that never leaves the main thread has no lane to hand over to.
    let leavesMain = lanes.contains { $0 != .main }
    let isFork = workload.steps.map { leavesMain && arrangement.canFork($0) }
    let hasForks = isFork.contains(true)
    self.hasForks = hasForks
    steps = zip(workload.steps.indices, lanes).map { step, lane in
      let name = "\(workload.name)/steps/\(step)"
      return StepPlan(
        step: workload.steps[step], lane: lane, isFork: isFork[step],
        joins: hasForks && workload.steps[step].joins, under: arrangement,
        key: RandomStream(seed: seed, name: name).key,
        waitKey: RandomStream(seed: seed, name: "\(name)/wait").key)
    }
    resultKey = RandomStream(seed: seed, name: "\(workload.name)/result").key
  }

  /// The workload without a run, for callers that only need the placement of its steps.
  public init(_ index: WorkloadIndex, in scenario: Scenario, under arrangement: Arrangement) {
    self.init(index, in: scenario, under: arrangement, seed: scenario.seed)
  }

  /// Whether its items may overtake others.
  public var hasPriority: Bool { workload.priority == .user }

  /// As how many events an item is posted to the lane of the step at `place`: one, or one for each step there. What follows
  /// a fork or joins some is posted anew.
  public func events(from place: Int, in arrangement: Arrangement) -> Int {
    let lane = steps[place].lane
    guard lane != .main, arrangement.lanes[lane].splitsSteps else { return 1 }
    return 1 + steps[(place + 1)...].prefix { $0.lane == lane && !$0.isSpecial }.count
  }

  /// Whether the step at `place` is an event of its own although the one before it is on the same lane.
  public func isSplit(at place: Int, in arrangement: Arrangement) -> Bool {
    let step = steps[place]
    guard place > 0, !step.isSpecial, steps[place - 1].lane == step.lane else { return false }
    return arrangement.lanes[step.lane].splitsSteps
  }

  /// What an item's result costs on the main thread: the same under every strategy.
  public func resultCost(item: Int) -> TimeSpan {
    workload.result.sample(key: resultKey, index: item)
  }
}

/// A step under an arrangement.
public struct StepPlan: Sendable {
  /// Which service does it.
  public let service: ServiceIndex
  /// Where it runs.
  public let lane: LaneIndex
  /// What it takes before; nil where the service has a home.
  public let lock: LockIndex?
  /// How long the lock is held, if there is one.
  public let hold: Lock.Hold
  /// What it costs.
  public let load: Step.Load
  /// The real work that it does on a file, if it does any.
  public let task: FileTask?
  /// How long it then blocks its thread without using a processor.
  public let wait: DurationDistribution
  /// Whether an item on another lane hands it to this one and continues at once.
  public let isFork: Bool
  /// Whether it waits for all that was left to others before it.
  public let joins: Bool
  private let speedup: Double
  private let key: UInt64
  private let waitKey: UInt64

  /// Whether an item does more on its way to it than to go there.
  public var isSpecial: Bool { isFork || joins }

  init(
    step: Step, lane: LaneIndex, isFork: Bool, joins: Bool, under arrangement: Arrangement,
    key: UInt64, waitKey: UInt64
  ) {
    service = step.service
    self.lane = lane
    load = step.load
    task = step.task
    wait = step.wait
    self.isFork = isFork
    self.joins = joins
    speedup = arrangement.speedup
    self.key = key
    self.waitKey = waitKey
    lock = arrangement.placement[step.service].lock
    // Steps that are events of their own hold nothing in between.
    let isSplit = arrangement.lanes[lane].splitsSteps
    hold = isSplit ? .step : lock.map { arrangement.locks[$0].hold } ?? .step
  }

  /// What this step costs the item at place `item` of its workload.
  public func cost(item: Int) -> TimeSpan {
    load.duration.sample(key: key, index: item).divided(by: speedup)
  }

  /// How long it then blocks its thread for the item at place `item` of its workload.
  public func wait(item: Int) -> TimeSpan { wait.sample(key: waitKey, index: item) }
}

extension DurationDistribution {
  func sample(key: UInt64, index: Int) -> TimeSpan {
    if case .constant(let span) = self { return span }
    if case .recorded(let durations) = self { return durations[index] }
    var stream = RandomStream(key: key, index: index)
    return sample(using: &stream)
  }
}

/// The changes of lanes' nice values in order of time; at the same instant those that let run come first.
///
/// That is so because they may be refused: then the others of that instant, which would only hold back, are left.
public struct ReniceSchedule: Sendable {
  /// One lane's next nice value.
  public struct Change: Hashable, Sendable {
    /// Whose it is.
    public let lane: LaneIndex
    /// Unix niceness.
    public let nice: Int
    fileprivate let at: Instant
  }

  /// The next one comes last.
  private var left: [Change]

  /// All changes of a run.
  public init(_ plan: RunPlan) {
    let lanes = plan.arrangement.lanes
    let changes = lanes.indices.flatMap { lane in
      lanes[lane].renices.map { Change(lane: lane, nice: $0.nice, at: .zero + $0.at) }
    }
    left = changes.sorted { ($0.at, $0.nice, $0.lane) > ($1.at, $1.nice, $1.lane) }
  }

  /// When the next change is due; nil when there are no more.
  public var upcoming: Instant? { left.last?.at }

  /// The next change, if it is due at or before `instant`.
  public mutating func next(atOrBefore instant: Instant) -> Change? {
    guard let next = left.last, next.at <= instant else { return nil }
    return left.removeLast()
  }

  /// Leaves the changes that were to be made together with `change`.
  public mutating func skip(with change: Change) {
    while left.last?.at == change.at { left.removeLast() }
  }
}
