public import FrameBudget

/// Runs a plan in virtual time: the output has the same bytes on every host, and a run is thousands of times faster than
/// real time.
///
///     let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
///     print(log.frames.expected - log.frames.presented, "frames dropped")
public struct VirtualEngine: Sendable {
  /// The machine that is simulated; the scenario's own if nil.
  public var machine: Machine?
  public var costs: Costs
  /// The records of each frame.
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

  /// Runs `plan` to its end, or until `isWanted` is false, which is asked every ten seconds of the run's time. Then the run counts
  /// as interrupted.
  public func run(_ plan: RunPlan, while isWanted: () -> Bool) -> RunLog {
    var run = start(plan)
    while !run.isOver, isWanted() { run.advance(to: run.now + .seconds(10)) }
    return run.finish()
  }

  /// Begins a run that the caller advances step by step, for example to watch it.
  public func start(_ plan: RunPlan) -> SimulationRun { SimulationRun(plan, on: self) }
}

/// Which thread gets a core if more threads are ready than there are cores.
public enum Scheduling: Hashable, Sendable {
  /// All threads share the cores by their nice values, main at 0; as on Linux by default.
  case fair
  /// Like `fair`, but with slice and tick of its own.
  case sharing(FairShare)
  /// The main thread has a real-time priority; all others share the remaining time.
  case mainFirst
  /// Each thread has a fixed priority; a lower nice value runs first.
  case fixedByNice

  /// The slice of the scenario takes precedence over one that was `measured`.
  func share(_ machine: Machine, measured: TimeSpan?) -> FairShare {
    if case .sharing(let share) = self { return share }
    return (machine.slice ?? measured).map { FairShare(slice: $0) }
      ?? .standard(cores: machine.cores)
  }

  /// The second stage competes like a thread with the default nice value.
  var secondStagePriority: Priority { self == .fixedByNice ? .fixed(100) : .fair(nice: 0) }

  func priority(of lane: Lane, isMain: Bool) -> Priority {
    isMain && self == .mainFirst ? .fixed(1) : priority(nice: lane.nice)
  }

  /// The priority of a thread other than the main one.
  func priority(nice: Int) -> Priority {
    self == .fixedByNice ? .fixed(100 - nice) : .fair(nice: nice)
  }
}

// The threads and event queues of a run on its machine.
extension VirtualEngine {
  /// The threads of the lanes, the second stage, the pools and other processes, in this order.
  func threads(
    of plan: RunPlan, _ workers: borrowing LaneWorkers, on machine: Machine
  ) -> [ThreadRequest] {
    let (lanes, pools) = (plan.arrangement.lanes, workers.pools)
    var requests = workers.runners.map { runner in
      var request = request(for: lanes[runner.lane], isMain: runner.lane == .main)
      // If a pool serves the lane, its workers do the work of the lane's threads.
      request.runs = !pools.serves(runner.lane)
      return request
    }
    if plan.scenario.display.pipeline.hasStageThread {
      requests.append(ThreadRequest(scheduling.secondStagePriority))
    }
    requests += pools.workers.map { worker in
      ThreadRequest(scheduling.priority(nice: pools.pools[worker.pool].nice))
    }
    let monitors = pools.threads - pools.workers.count
    let others = ThreadRequest(.fair(nice: 0))
    return requests + Array(repeating: others, count: monitors + machine.busy)
  }

  private func request(for lane: Lane, isMain: Bool) -> ThreadRequest {
    var request = ThreadRequest(scheduling.priority(of: lane, isMain: isMain))
    request.cores = lane.cores ?? .all
    return request
  }

  /// The event queues: one for each lane, one for the second stage, and two for each pool.
  func queues(of plan: RunPlan, _ pools: WorkerPools, start: Instant) -> [VirtualQueue] {
    let lanes = plan.arrangement.lanes
    let own = lanes.map { lane in
      let costs = costs.handOff(to: lane)
      return VirtualQueue(
        costs: costs, firstLook: start + plan.phase(of: lane, period: costs.pollInterval))
    }
    let secondStage = plan.scenario.display.pipeline.hasStageThread ? [VirtualQueue()] : []
    return own + secondStage
      + pools.pools.indices.flatMap { pool in
        let served = lanes.indices.filter { pools.ofLane[$0] == pool }.map { lanes[$0] }
        return [VirtualQueue(costs: wakingCosts(of: served)), VirtualQueue()]
      }
  }

  /// The highest wake-up costs of the lanes. The posting thread pays for the post itself, by lane.
  private func wakingCosts(of lanes: [Lane]) -> HandOffCosts {
    let all = lanes.map { costs.handOff(to: $0) }
    return HandOffCosts(
      post: .zero, wake: all.map(\.wake).max() ?? .zero,
      latency: all.map(\.latency).max() ?? .zero)
  }
}

extension VirtualEngine {
  /// How far a prediction moves if costs and arrivals differ slightly: all costs from 5 % lower to 5 % higher, and arrivals
  /// shifted within a vsync period.
  ///
  /// This takes `runsForRange` more runs. The same plan gives the same range on every machine.
  ///
  /// - Parameters:
  ///   - planned: the metrics of `plan` on this engine, which the range includes.
  ///   - plan: the run that was predicted.
  ///   - isWanted: called before each run and every ten seconds of its time; false ends it.
  /// - Returns: the range; nil if `isWanted` ended it.
  public func range(
    around planned: RunMetrics, of plan: RunPlan, while isWanted: () -> Bool = { true }
  ) -> PredictionRange? {
    var changed: [PredictionRange.Figures] = []
    for number in 0..<Self.runsForRange {
      guard let figures = figures(of: plan, change: number, while: isWanted) else { return nil }
      changed.append(figures)
    }
    return PredictionRange(
      .init(planned), changed: changed, of: plan, on: machine ?? plan.scenario.machine)
  }

  /// The figures of `plan` with the small change `number`, from 0 to less than `runsForRange`; nil if `isWanted` ended the run.
  public func figures(
    of plan: RunPlan, change number: Int, while isWanted: () -> Bool = { true }
  ) -> PredictionRange.Figures? {
    var engine = self
    engine.detail = .summary
    let scenario = SmallChange(number: number).changed(plan.scenario, seed: plan.seed)
    let log = engine.run(RunPlan(scenario, under: plan.strategy, seed: plan.seed), while: isWanted)
    return log.status == .interrupted ? nil : PredictionRange.Figures(RunMetrics(log))
  }

  /// How many runs `range` makes.
  public static let runsForRange = PredictionRange.costs.count
}

/// A scenario that differs slightly from what is assumed: all costs by up to 5 %, and arrivals shifted within a vsync period.
///
/// Costs are not known more precisely than that, and no app chooses when vsyncs happen.
struct SmallChange {
  let number: Int

  /// `scenario` with this change. Arrivals of each workload are at equal distances within the period in all runs of a range, the
  /// planned one included, in an order that `seed` and the workload's name determine.
  func changed(_ scenario: Scenario, seed: UInt64) -> Scenario {
    let count = PredictionRange.costs.count
    let period = Double(scenario.display.refresh.period.nanoseconds)
    return scenario.costing(PredictionRange.costs[number]).delayingArrivals { group in
      var stream = RandomStream(seed: seed, name: "small-change/\(group)")
      let place = (number + Int(stream.unit() * Double(count))) % count
      return TimeSpan(nanoseconds: Int64(Double(place + 1) / Double(count + 1) * period))
    }
  }
}
