/// A scenario under one strategy, prepared for both engines before the run.
///
/// Costs are drawn by their purpose (seed, step, item), not in the order in which threads need them, so both engines, and all
/// strategies of a comparison, have the same items.
///
/// A class, because copies of so many values would be a sixth of a short run. It never changes.
public final class RunPlan: Sendable {
  /// The app.
  public let scenario: Scenario
  /// The strategy, which assigns work to threads.
  public let strategy: Strategy
  /// The assignment of work to threads.
  public let arrangement: Arrangement
  /// The seed of all random numbers.
  public let seed: UInt64
  /// In the scenario's order.
  public let workloads: PerWorkload<WorkloadPlan>
  /// The reads of the UI in each frame, in the scenario's order.
  public let reads: [ReadPlan]
  /// The parts of drawing, in the scenario's order.
  public let frameParts: [FramePartPlan]
  /// The delay of recorded arrivals.
  public let arrivalShift: TimeSpan
  /// The duration of drawing with all its parts, if it is the same in every frame.
  private let fixedRender: TimeSpan?
  private let renderKey: UInt64
  private let compositorKey: UInt64

  /// - Parameters:
  ///   - scenario: the app.
  ///   - strategy: the assignment of work to threads.
  ///   - seed: the seed of all random numbers; by default the scenario's.
  public init(_ scenario: Scenario, under strategy: Strategy, seed: UInt64? = nil) {
    let seed = seed ?? scenario.seed
    self.scenario = scenario
    self.strategy = strategy
    arrangement = strategy.arrangement
    self.seed = seed
    arrivalShift = scenario.phase.shift(seed: seed, of: scenario.display.refresh)
    workloads = PerWorkload(
      scenario.workloads.indices.map { index in
        WorkloadPlan(index, in: scenario, under: strategy.arrangement, seed: seed)
      })
    fixedRender = scenario.frameParts.isEmpty ? scenario.display.render.fixed : nil
    renderKey = RandomStream(seed: seed, name: "display/render").key
    compositorKey = RandomStream(seed: seed, name: "display/compositor").key
    reads = scenario.reads.enumerated().map { index, read in
      ReadPlan(
        read, under: strategy.arrangement,
        key: RandomStream(seed: seed, name: "ui/reads/\(index)").key)
    }
    frameParts = scenario.frameParts.enumerated().map { index, part in
      FramePartPlan(part, under: strategy.arrangement.rule(ofFramePart: index), seed: seed)
    }
  }

  /// The scenario's screen, as the arrangement uses it.
  public var display: Display { scenario.display.presenting(later: arrangement.presentsLater) }

  /// Whether a step suspends its item.
  public var suspends: Bool { workloads.contains(where: \.suspends) }

  /// The names of the steps that suspend their items, each once.
  public var waits: [String] {
    var names: [String] = []
    for step in workloads.flatMap(\.workload.steps)
    where step.suspension != nil && !names.contains(step.name) { names.append(step.name) }
    return names
  }

  /// The number of items in `suspended` by `waits`; `step` gives the workload and the step of an item.
  public func waiting<Item>(
    in suspended: Suspensions<Item>, step: (Item) -> (workload: WorkloadIndex, step: Int)
  ) -> [Int] {
    let names = waits
    var counts = Array(repeating: 0, count: names.count)
    suspended.forEach { item in
      let place = step(item)
      let name = workloads[place.workload].workload.steps[place.step].name
      if let index = names.firstIndex(of: name) { counts[index] += 1 }
    }
    return counts
  }

  /// The duration of drawing with all its parts in a frame that begins at `vsync`: the same under every strategy, but for what a
  /// strategy finds in a cache.
  ///
  /// The sum is one piece of work, so a core of another speed rounds it as if drawing had no parts.
  public func renderCost(vsync: Int) -> TimeSpan {
    // Asked in each frame, and copying a distribution takes longer than the rest.
    if let fixedRender { return fixedRender }
    return frameParts.reduce(drawingWithoutParts(vsync: vsync)) { $0 + $1.cost(vsync: vsync) }
  }

  /// The duration of drawing behind its parts, in a frame that begins at `vsync`.
  package func drawingWithoutParts(vsync: Int) -> TimeSpan {
    scenario.display.render.sample(key: renderKey, index: vsync)
  }

  /// The processor time of each part of drawing in a frame that begins at `vsync`.
  public func partTimes(vsync: Int) -> [FramePartTime] {
    frameParts.map { FramePartTime(name: $0.name, span: $0.cost(vsync: vsync)) }
  }

  /// The duration of the second stage for a frame that begins at `vsync`: the same under every strategy.
  public func compositorCost(vsync: Int) -> TimeSpan {
    scenario.display.pipeline.compositor.sample(key: compositorKey, index: vsync)
  }

  /// The names of all threads: those of the arrangement, main first, and that of the second stage, if there is one, also if it
  /// is a device.
  public var threadNames: PerThread<String> {
    let pipeline = scenario.display.pipeline
    let behind = pipeline.hasSecondStage ? [pipeline.usesGPU ? "gpu" : "compositor"] : []
    return arrangement.threads.mapValues(\.name) + behind
  }

  /// When within `period` a polling lane first checks for events: drawn at random, because lanes start at any time.
  public func phase(of lane: Lane, period: TimeSpan) -> TimeSpan {
    var stream = RandomStream(seed: seed, name: "lanes/\(lane.name)/phase")
    return TimeSpan(nanoseconds: Int64(stream.unit() * Double(period.nanoseconds)))
  }

  /// The duration of reads and drawing together in a frame that begins at `vsync`, in which `parts` of drawing run.
  public func drawingCost(vsync: Int, with parts: DrawingParts? = nil) -> TimeSpan {
    let drawing = parts?.drawingCost(vsync: vsync, of: self) ?? renderCost(vsync: vsync)
    return reads.reduce(drawing) { $0 + $1.cost(vsync: vsync) }
  }

  /// The services that publish snapshots for the UI, in the scenario's order.
  public var publishedServices: [ServiceIndex] {
    arrangement.reading.publishRule == nil ? [] : Set(reads.map(\.service)).sorted()
  }

  /// Those of them on `lane`, which publishes pending changes when it runs out of work.
  public func publishedServices(on lane: LaneIndex) -> [ServiceIndex] {
    publishedServices.filter { arrangement.placement[$0] == .home(lane) }
  }
}

/// A read of the UI under an arrangement.
public struct ReadPlan: Sendable {
  /// The service that it reads.
  public let service: ServiceIndex
  /// Whether it takes the newest snapshot; otherwise it reads in place.
  public let isSnapshot: Bool
  /// The lock that it takes to read in place; nil if the service lives on the main thread.
  public let lock: LockIndex?
  private let cpu: DurationDistribution
  private let fixed: TimeSpan?
  private let key: UInt64

  init(_ read: UIRead, under arrangement: Arrangement, key: UInt64) {
    service = read.service
    isSnapshot = arrangement.reading.publishRule != nil
    lock = isSnapshot ? nil : arrangement.placement[read.service].lock
    cpu = read.cpu
    fixed = read.cpu.fixed
    self.key = key
  }

  /// Its duration in a frame that begins at `vsync`.
  public func cost(vsync: Int) -> TimeSpan { fixed ?? cpu.sample(key: key, index: vsync) }
}

/// A part of drawing in a run.
public struct FramePartPlan: Sendable {
  /// Its name.
  public let name: String
  private let cpu: DurationDistribution
  private let unit: DurationDistribution?
  private let key: UInt64
  private let unitKey: UInt64
  /// The share of frames that find it in a cache.
  private let hits: Double
  private let cacheKey: UInt64

  /// The streams have the part's name, so that another part shifts no costs.
  package init(_ part: FramePart, under rule: FramePartRule = .inFrame, seed: UInt64) {
    name = part.name
    cpu = part.cpu
    unit = part.unit
    key = RandomStream(seed: seed, name: "ui/frame/\(part.name)").key
    unitKey = RandomStream(seed: seed, name: "ui/frame/\(part.name)/unit").key
    cacheKey = RandomStream(seed: seed, name: "ui/frame/\(part.name)/cache").key
    if case .cached(let share) = rule { hits = share } else { hits = 0 }
  }

  /// Its duration in a frame that begins at `vsync`.
  public func cost(vsync: Int) -> TimeSpan {
    isCached(vsync: vsync) ? .zero : cpu.sample(key: key, index: vsync)
  }

  /// Whether a frame that begins at `vsync` finds it in the cache. The frame's number decides alone, so a larger share has the hits
  /// of a smaller one.
  private func isCached(vsync: Int) -> Bool {
    guard hits > 0 else { return false }
    var stream = RandomStream(key: cacheKey, index: vsync)
    return stream.unit() < hits
  }

  /// The number of its pieces in a frame that begins at `vsync`.
  func pieces(vsync: Int) -> Int {
    let (all, piece) = (cost(vsync: vsync), piece(vsync: vsync, behind: .zero))
    guard piece > .zero else { return 0 }
    return Int((all.nanoseconds - 1) / piece.nanoseconds) + 1
  }

  /// Its next piece in a frame that begins at `vsync`, behind those that took `ready`; zero if none is left.
  func piece(vsync: Int, behind ready: TimeSpan) -> TimeSpan {
    let left = cost(vsync: vsync) - ready
    guard let unit else { return left }
    return min(left, max(unit.sample(key: unitKey, index: vsync), FramePart.shortestUnit))
  }
}

/// A workload under an arrangement.
public struct WorkloadPlan: Sendable {
  /// As the scenario describes it.
  public let workload: Workload
  /// Its steps, in their order.
  public let steps: [StepPlan]
  /// Whether some steps of an item may run beside the rest, so that the item has several parts.
  public let hasForks: Bool
  /// The index of the step behind which the result of an item runs; nil if that is its end.
  public let answer: Int?
  /// When items start, if only the newest matters.
  public let newest: NewestRule
  private let resultKey: UInt64

  init(_ index: WorkloadIndex, in scenario: Scenario, under arrangement: Arrangement, seed: UInt64)
  {
    let workload = scenario.workloads[index]
    self.workload = workload
    let lanes = arrangement.lanes(of: index, in: scenario)
    // Work that never leaves the main thread has no lane to be handed to.
    let leavesMain = lanes.contains { $0 != .main }
    let isFork = workload.steps.map { step in
      (leavesMain && arrangement.canFork(step)) || (!step.isAwaited && step.suspension != nil)
    }
    let hasForks = isFork.contains(true)
    self.hasForks = hasForks
    let answer = workload.earlyAnswer
    self.answer = answer
    newest = workload.admission.map { arrangement.newest ?? $0 } ?? .all
    steps = zip(workload.steps.indices, lanes).map { step, lane in
      let name = "\(workload.name)/steps/\(step)"
      return StepPlan(
        step: workload.steps[step], of: scenario.services[workload.steps[step].service], lane: lane,
        isFork: isFork[step], joins: hasForks && workload.steps[step].joins,
        answers: step == answer, under: arrangement,
        key: RandomStream(seed: seed, name: name).key,
        waitKey: RandomStream(seed: seed, name: "\(name)/wait").key,
        suspensionKey: RandomStream(seed: seed, name: "\(name)/suspend").key)
    }
    resultKey = RandomStream(seed: seed, name: "\(workload.name)/result").key
  }

  /// The workload without a run, for callers that only need the placement of its steps.
  public init(_ index: WorkloadIndex, in scenario: Scenario, under arrangement: Arrangement) {
    self.init(index, in: scenario, under: arrangement, seed: scenario.seed)
  }

  /// Whether one of its steps suspends its item, or a part of it.
  public var suspends: Bool { steps.contains { $0.suspension != nil } }

  /// Whether its items may overtake others.
  public var hasPriority: Bool { workload.priority == .user }

  /// The number of events with which an item is posted to the lane of the step at `index`: one, or one for each of its steps
  /// there. The steps after a fork, a join or a suspension are posted again.
  public func events(from index: Int, in arrangement: Arrangement) -> Int {
    let lane = steps[index].lane
    guard lane != .main, arrangement.lanes[lane].splitsSteps else { return 1 }
    var (count, place) = (0, index)
    repeat {
      // Each run that suspends its item is posted again.
      if steps[place].leavesLane { return count + 1 }
      count += steps[place].repeats
      place += 1
    } while place < steps.count && steps[place].lane == lane && !steps[place].isSpecial
    return count
  }

  /// The number of events with which an item is posted to the lane of the step at `index`, in whose last run it was suspended.
  public func eventsAfterSuspension(in index: Int, in arrangement: Arrangement) -> Int {
    let next = index + 1
    guard next < steps.count, steps[next].lane == steps[index].lane, !steps[next].isSpecial
    else { return 1 }
    return events(from: next, in: arrangement)
  }

  /// The number of events with which the fork at `index` is posted.
  public func eventsOfFork(at index: Int, in arrangement: Arrangement) -> Int {
    let step = steps[index]
    guard arrangement.lanes[step.lane].splitsSteps, step.suspension == nil else { return 1 }
    return step.repeats
  }

  /// Whether the step at `index` is an event of its own although the previous step is on the same lane.
  public func isSplit(at index: Int, in arrangement: Arrangement) -> Bool {
    let step = steps[index]
    guard index > 0, !step.isSpecial, steps[index - 1].lane == step.lane,
      !steps[index - 1].leavesLane
    else { return false }
    return arrangement.lanes[step.lane].splitsSteps
  }

  /// The cost of an item's result on the main thread: the same under every strategy.
  public func resultCost(item: Int) -> TimeSpan {
    workload.result.sample(key: resultKey, index: item)
  }
}

/// A step under an arrangement.
public struct StepPlan: Sendable {
  /// The service of the step.
  public let service: ServiceIndex
  /// The lane that runs it.
  public let lane: LaneIndex
  /// The lock that it takes; nil if the service is confined to a lane, or lets several threads in.
  public let lock: LockIndex?
  /// How long the lock is held, if there is one.
  public let hold: Lock.Hold
  /// Its cost.
  public let load: Step.Load
  /// The real work on a file, if there is any.
  public let task: FileTask?
  /// How long it then blocks its thread without using a processor.
  public let wait: DurationDistribution
  /// How the item then waits without its thread; nil if it continues at once.
  public let suspension: Suspension?
  /// Whether an item does not await it: an item on another lane posts it to this one, and an item on this lane runs it, but
  /// does not wait until its suspension is over.
  public let isFork: Bool
  /// Whether it waits for all earlier forks.
  public let joins: Bool
  /// Whether the result of the item runs behind it, although the item may go on.
  public let answers: Bool
  /// How often it runs.
  public let repeats: Int
  /// The longest processor time of a run; nil if a run is never cut.
  public let slice: TimeSpan?
  private let speedup: Double
  private let key: UInt64
  private let waitKey: UInt64
  private let suspensionKey: UInt64

  /// Whether its item leaves the lane after it, until the suspension is over.
  public var leavesLane: Bool { suspension != nil && !isFork }

  /// Whether it forks or joins.
  public var isSpecial: Bool { isFork || joins }

  init(
    step: Step, of stepService: Service, lane: LaneIndex, isFork: Bool, joins: Bool,
    answers: Bool, under arrangement: Arrangement, key: UInt64, waitKey: UInt64,
    suspensionKey: UInt64
  ) {
    service = step.service
    self.lane = lane
    load = step.load
    task = step.task
    wait = step.wait
    suspension = step.suspension
    self.isFork = isFork
    self.joins = joins
    self.answers = answers
    repeats = step.repeats
    slice = lane == .main && arrangement.givesTurnsToSteps ? step.slice : nil
    speedup = arrangement.speedup
    self.key = key
    self.waitKey = waitKey
    self.suspensionKey = suspensionKey
    lock = stepService.isExclusive ? arrangement.placement[step.service].lock : nil
    // Steps that are separate events hold no lock in between.
    let isSplit = arrangement.lanes[lane].splitsSteps
    hold = isSplit ? .step : lock.map { arrangement.locks[$0].hold } ?? .step
  }

  /// The number of runs for the item at index `item` of its workload.
  public func runs(item: Int) -> Int {
    guard let slice else { return repeats }
    let slices = (cost(item: item).nanoseconds - 1) / slice.nanoseconds + 1
    return max(1, min(Int(slices), Int(Int32.max)))
  }

  /// The cost of the first run of this step, or of all its slices, for the item at index `item` of its workload.
  public func cost(item: Int) -> TimeSpan {
    sample(load.duration, key, item, 0).divided(by: speedup)
  }

  /// The cost of the run at index `run`.
  public func cost(item: Int, run: Int) -> TimeSpan {
    guard let slice else { return sample(load.duration, key, item, run).divided(by: speedup) }
    return min(slice, cost(item: item) - slice * run)
  }

  /// The blocking time of the first run of this step, or of all its slices, for the item at index `item` of its workload.
  public func wait(item: Int) -> TimeSpan { sample(wait, waitKey, item, 0) }

  /// The blocking time of the run at index `run`. Slices block once, behind the last.
  public func wait(item: Int, run: Int) -> TimeSpan {
    if slice != nil { return run + 1 < runs(item: item) ? .zero : wait(item: item) }
    return sample(wait, waitKey, item, run)
  }

  /// The processor time of all runs for the item at index `item` of its workload.
  public func totalCost(item: Int) -> TimeSpan {
    slice == nil ? time(of: 0..<repeats, item: item).cost : cost(item: item)
  }

  /// The blocking time of all runs for the item at index `item` of its workload.
  public func totalWait(item: Int) -> TimeSpan {
    slice == nil ? time(of: 0..<repeats, item: item).wait : wait(item: item)
  }

  /// The length of all suspensions for the item at index `item` of its workload.
  public func totalSuspension(item: Int) -> TimeSpan {
    guard suspension != nil else { return .zero }
    return (0..<(slice == nil ? repeats : 1)).reduce(.zero) { $0 + suspension(item: item, run: $1) }
  }

  /// The processor time of `runs` for the item at index `item` of its workload, and their blocking time.
  public func time(of runs: Range<Int>, item: Int) -> (cost: TimeSpan, wait: TimeSpan) {
    if slice == nil, load.duration.fixed != nil, wait.fixed != nil {
      return (cost(item: item) * runs.count, wait(item: item) * runs.count)
    }
    return runs.reduce((.zero, .zero)) {
      ($0.cost + cost(item: item, run: $1), $0.wait + wait(item: item, run: $1))
    }
  }

  /// The length of the suspension at the end of the run at index `run`, for the item at index `item` of its workload.
  public func suspension(item: Int, run: Int = 0) -> TimeSpan {
    suspension.map { sample($0.span, suspensionKey, item, run) } ?? .zero
  }

  /// Each run of an item draws a cost of its own; a recorded one has that of the item's row.
  private func sample(
    _ cost: DurationDistribution, _ key: UInt64, _ item: Int, _ run: Int
  ) -> TimeSpan {
    if case .recorded = cost { return cost.sample(key: key, index: item) }
    return cost.sample(key: key, index: item * repeats + run)
  }
}

extension Workload {
  /// The index of the step that answers, if the item may go on behind it.
  package var earlyAnswer: Int? {
    guard let answer = steps.firstIndex(where: \.answers) else { return nil }
    // The end of the last step is that of the item, if nothing runs beside it.
    return answer == steps.count - 1 && steps.allSatisfy(\.isAwaited) ? nil : answer
  }
}

extension Arrangement {
  /// Whether the items on the main thread take turns step by step, so that a step there can be cut into slices.
  package var givesTurnsToSteps: Bool {
    if case .fitting(let fitting) = admission { return fitting.unit == .step }
    return yielding != nil
  }
}

extension DurationDistribution {
  func sample(key: UInt64, index: Int) -> TimeSpan {
    if case .constant(let span) = self { return span }
    if case .recorded(let durations) = self { return durations[index] }
    var stream = RandomStream(key: key, index: index)
    return sample(using: &stream)
  }
}

/// The changes of lanes' nice values in order of time; at the same instant those to lower values come first.
///
/// A lower value may be refused; then the other changes of that instant, which only raise values, are skipped.
public struct ReniceSchedule: Sendable {
  /// The next nice value of one lane.
  public struct Change: Hashable, Sendable {
    /// The lane.
    public let lane: LaneIndex
    /// Unix niceness.
    public let nice: Int
    fileprivate let at: Instant
  }

  /// The remaining changes, the next one last.
  private var left: [Change]

  /// All changes of a run.
  public init(_ plan: RunPlan) {
    let lanes = plan.arrangement.lanes
    let changes = lanes.indices.flatMap { lane in
      lanes[lane].renices.map { Change(lane: lane, nice: $0.nice, at: .zero + $0.at) }
    }
    left = changes.sorted { ($0.at, $0.nice, $0.lane) > ($1.at, $1.nice, $1.lane) }
  }

  /// When the next change is due; nil if there are no more.
  public var upcoming: Instant? { left.last?.at }

  /// The next change, if it is due at or before `instant`.
  public mutating func next(atOrBefore instant: Instant) -> Change? {
    guard let next = left.last, next.at <= instant else { return nil }
    return left.removeLast()
  }

  /// Skips the changes at the same instant as `change`.
  public mutating func skip(with change: Change) {
    while left.last?.at == change.at { left.removeLast() }
  }
}
