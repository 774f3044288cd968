internal import FrameBudget

/// Calculates the bound of a frame.
struct FrameBoundCalculator {
  let scenario: Scenario
  let arrangement: Arrangement
  let costs: Costs
  let machine: Machine
  /// The scenario of the lowest cost factor, whose smallest costs apply where less work is worse.
  let least: Scenario
  let plans: PerWorkload<WorkloadPlan>
  private(set) var lockUses: PerLock<LockUse> = []
  let period: TimeSpan
  /// The distance from the start of the previous frame to that of the current one, in periods and as a time.
  private(set) var periods = 1
  private(set) var window: TimeSpan
  private(set) var parts: [FrameBound.Part] = []
  private(set) var gaps: [FrameBound.Gap] = []

  init(
    _ scenario: Scenario, _ arrangement: Arrangement, costs: Costs, machine: Machine,
    least: Scenario
  ) {
    var scenario = scenario
    scenario.display = scenario.display.presenting(later: arrangement.presentsLater)
    self.scenario = scenario
    self.arrangement = arrangement
    self.costs = costs
    self.machine = machine
    self.least = least
    plans = PerWorkload(
      scenario.workloads.indices.map { WorkloadPlan($0, in: scenario, under: arrangement) })
    period = scenario.display.refresh.period
    window = scenario.display.refresh.longestPeriod
    lockUses = computeLockUses()
  }

  /// The bound, or the parts that are unbounded.
  func bound() -> FrameBound {
    var calculator = self
    return calculator.computeBound()
  }

  /// The longest time of the main thread in a frame that begins `periods` after the previous one; nil if unbounded.
  func frame(behind periods: Int) -> TimeSpan? {
    var calculator = self
    calculator.periods = periods
    calculator.window = scenario.display.refresh.longest(periods: periods)
    return calculator.computeBound().frame
  }

  private mutating func computeBound() -> FrameBound {
    addUnsupportedGaps()
    if let loop = scenario.display.mainLoop.events { return bound(loop) }
    let counts = counts()
    guard gaps.isEmpty else { return FrameBound(budgets: [], gaps: gaps) }
    addPosting(counts)
    guard sharesCores else {
      addRest(counts, CoreWait())
      return finished(CoreWait())
    }
    // The results in a frame depend on its length, and the length depends on its waits for a core.
    var known = CoreWait()
    for attempt in 0...Self.maxAttempts {
      var frame = self
      frame.addRest(counts, known)
      guard frame.gaps.isEmpty else { return FrameBound(budgets: [], gaps: frame.gaps) }
      let isLast = attempt == Self.maxAttempts
      guard let found = frame.coreWait(known, counts, inRun: isLast) else { break }
      if isLast {
        addRest(counts, found)
        return finished(found)
      }
      let covering = known.covering(found)
      if covering == known { return frame.finished(known) }
      known = covering
    }
    addGap("other threads may keep all cores busy for any time", "give the machine more cores")
    return FrameBound(budgets: [], gaps: gaps)
  }

  static let maxAttempts = 16

  /// Adds everything that results from what a frame posts, given its wait for cores.
  private mutating func addRest(_ counts: PerWorkload<Int>, _ wait: CoreWait) {
    // From the start of one frame's drain to that of the next one, at most.
    let betweenDrains = [window, parts.map(\.total).total, wait.delay].total
    addReturned(within: betweenDrains)
    addReturningItems(within: betweenDrains)
    addLogic(counts)
    addPublishing()
    let drawing = drawing()
    addSlicing(counts, drawing)
    addDrawing(drawing)
    add(.switching, "", wait.switches, turn)
    add(.sharing, "", 1, wait.delay)
    parts.removeAll { $0.total == .zero }
  }

  private func finished(_ wait: CoreWait) -> FrameBound {
    let main = FrameBound.Budget(name: "frame work", available: period, parts: parts)
    return FrameBound(budgets: [main] + secondStage(behind: main, wait.secondStage), gaps: gaps)
  }

  mutating func addDrawing(_ drawing: [FrameBound.Part]) {
    parts += drawing
    guard sharesCores else {
      if isShuffled { add(.switching, "", 1, costs.contextSwitch) }
      return
    }
    // Once for the vsync, and for each lock.
    let reads = arrangement.locks.indices.reduce(0) { $0 + readAcquisitions(of: $1) }
    add(.switching, "", (1 + reads) * turnsForWake, turn)
  }

  /// The longest time of a frame without work.
  var emptyFrame: TimeSpan {
    var calculator = self
    calculator.addBlocking(PerLock(repeating: 0, count: arrangement.locks.count))
    calculator.addPublishing()
    calculator.addDrawing(drawing())
    return calculator.parts.map(\.total).total
  }

  // MARK: The machine

  /// Threads that may need a core at the same time as the main thread.
  var otherThreads: Int {
    laneThreads + (scenario.display.pipeline.hasStageThread ? 1 : 0) + machine.busy
  }

  /// Whether all threads may run on any core, of any speed, after another thread used it.
  var isShuffled: Bool { otherThreads > 0 && Set(machine.speeds).count > 1 }

  /// How long `span` takes the main thread on the slowest core that it may get.
  func slow(_ span: TimeSpan) -> TimeSpan {
    let speed = otherThreads > 0 ? machine.speeds.min() : machine.speeds.max()
    let divisor = Int128(speed ?? 1000)
    return TimeSpan(clamping: (Int128(span.nanoseconds) * 1000 + divisor - 1) / divisor)
  }

  /// A lower limit for the time of `span` on any core.
  func fast(_ span: TimeSpan) -> TimeSpan {
    TimeSpan(clamping: Int128(span.nanoseconds) * 1000 / Int128(machine.speeds.max() ?? 1000))
  }

  mutating func add(_ kind: FrameBound.Kind, _ name: String, _ count: Int, _ each: TimeSpan) {
    parts.append(FrameBound.Part(kind: kind, name: name, count: count, each: each))
  }

  // MARK: Gaps

  mutating func addGap(_ reason: String, _ remedy: String) {
    let gap = FrameBound.Gap(reason: reason, remedy: remedy)
    if !gaps.contains(gap) { gaps.append(gap) }
  }

  /// The largest draw of `distribution`; records a gap if there is no largest draw.
  mutating func largest(_ distribution: DurationDistribution, of what: String) -> TimeSpan {
    if let largest = distribution.largest { return largest }
    addGap("\(what) has no largest value", "give it a constant, a uniform or a recorded cost")
    return .zero
  }

  // MARK: Numbers of items

  /// By workload: the most items that a frame starts or hands over, without those that time slicing starts.
  private mutating func counts() -> PerWorkload<Int> {
    var counts = PerWorkload<Int>(repeating: 0, count: scenario.workloads.count)
    for workload in counts.indices where !isHeldBack(workload) {
      counts[workload] = arriving(workload)
    }
    if case .batch(let batch, let every) = arrangement.admission {
      for (workload, count) in admitted(batch, every: every) { counts[workload] = count }
    }
    return counts
  }

  func isHeldBack(_ workload: WorkloadIndex) -> Bool {
    arrangement.admission != .all && scenario.workloads[workload].priority == .background
  }

  /// The most that arrive from one vsync to the next.
  private mutating func arriving(_ workload: WorkloadIndex) -> Int {
    let arrival = scenario.workloads[workload].arrival
    if let most = arrival.most(within: window) { return most }
    reportUnboundedArrival(of: workload)
    return 0
  }

  mutating func reportUnboundedArrival(of workload: WorkloadIndex) {
    addGap(
      "any number of items of workload '\(scenario.workloads[workload].fileName)' may arrive in a "
        + "frame",
      "let it arrive by 'every' instead of 'rate'")
  }

  /// The most items of a workload in the run; nil for any number.
  func arrivalsInRun(_ workload: WorkloadIndex) -> Int? {
    scenario.workloads[workload].arrival.most(within: scenario.duration)
  }

  /// The items that batches admit: all that arrived, if no batch leaves anything; otherwise the most expensive items of the
  /// run.
  private func admitted(_ batch: Int, every: TimeSpan) -> [(WorkloadIndex, Int)] {
    let held = scenario.workloads.indices.filter(isHeldBack)
    let arriving = held.compactMap { workload in
      scenario.workloads[workload].arrival.most(within: window).map { (workload, $0) }
    }
    let isBounded = arriving.count == held.count
    if isBounded, every <= period, arriving.allSatisfy({ $0.1 <= batch }),
      arriving.reduce(0, { $0 + $1.1 }) <= batch
    {
      return arriving
    }
    var left = batch
    let byCost = held.map { ($0, mainCost(of: $0)) }.sorted { $0.1 > $1.1 }
    return byCost.map { workload, _ in
      let count = min(left, arrivalsInRun(workload) ?? .max)
      left -= count
      return (workload, count)
    }
  }

  /// The time of an item on the main thread when it starts, without waking other threads.
  func mainCost(of workload: WorkloadIndex) -> TimeSpan {
    guard let lane = handOffLane(of: workload) else {
      return segments(of: workload).first.map { total(of: $0) } ?? .zero
    }
    return postCost(to: lane, events: plans[workload].events(from: 0, in: arrangement))
  }

  // MARK: Items on the main thread

  /// The cost of an item that runs on the main thread.
  struct ItemTime {
    /// By step: processor time and blocking time, as stated in the scenario and at most.
    var steps: [(stated: TimeSpan, logic: TimeSpan, wait: TimeSpan)] = []
    var result: (stated: TimeSpan, taken: TimeSpan) = (.zero, .zero)

    var total: TimeSpan {
      steps.map { $0.logic.and($0.wait) }.total.and(result.taken)
    }
  }

  /// An item of `workload` with its largest costs; unbounded costs count as zero.
  func item(_ workload: WorkloadIndex) -> ItemTime {
    var time = ItemTime()
    for step in plans[workload].steps {
      let cost = (step.load.duration.largest ?? .zero).divided(by: arrangement.speedup)
      let wait = step.wait.largest ?? .zero
      let locking = step.lock == nil ? TimeSpan.zero : costs.lock.post
      time.steps.append((cost.and(wait), slow(cost.and(locking)), wait))
    }
    // As one update, results run in frames, not behind their items.
    let isLater = arrangement.returning == .coalesced
    let result = isLater ? .zero : scenario.workloads[workload].result.largest ?? .zero
    time.result = (result, slow(result))
    return time
  }

  /// Records every cost on the main thread without a largest value.
  mutating func addUnboundedCostGaps() {
    _ = largest(scenario.display.render, of: "drawing")
    // However much of a spread part waits, a frame runs at most its budget.
    for (index, part) in scenario.frameParts.enumerated()
    where arrangement.rule(ofFramePart: index).budget == nil {
      _ = largest(part.cpu, of: "part '\(part.name)' of drawing")
    }
    for read in scenario.reads {
      _ = largest(read.cpu, of: "the read of '\(scenario.services[read.service].name)'")
    }
    for workload in scenario.workloads.indices {
      let name = scenario.workloads[workload].fileName
      _ = largest(scenario.workloads[workload].result, of: "the result of workload '\(name)'")
      let isWaitedFor = delaysMain(workload)
      for (index, step) in plans[workload].steps.enumerated()
      where step.lane == .main || isWaitedFor {
        let words = "step '\(scenario.workloads[workload].steps[index].name)' of workload '\(name)'"
        _ = largest(step.load.duration, of: words)
        _ = largest(step.wait, of: "the wait of \(words)")
      }
    }
    if scenario.display.pipeline.hasSecondStage {
      _ = largest(scenario.display.pipeline.compositor, of: "the second stage")
    }
  }

  // MARK: Reads and drawing

  func drawing() -> [FrameBound.Part] {
    var parts: [FrameBound.Part] = []
    let isSnapshot = arrangement.reading.publishRule != nil
    for read in scenario.reads {
      let service = scenario.services[read.service]
      let isLocked = !isSnapshot && arrangement.placement[read.service].lock != nil
      let cost = (read.cpu.largest ?? .zero).and(isLocked ? costs.lock.post : .zero)
      let freeing = isSnapshot ? costs.releasePerRecord.times(service.records) : .zero
      parts += [
        FrameBound.Part(kind: .freeing, name: service.name, count: 1, each: slow(freeing)),
        FrameBound.Part(kind: .reads, name: service.name, count: 1, each: slow(cost)),
      ]
    }
    // As if no frame found its part in the cache.
    parts += scenario.frameParts.enumerated().map { index, part in
      let budget = arrangement.rule(ofFramePart: index).budget
      return FrameBound.Part(
        kind: budget == nil ? .drawing : .spread, name: part.name, count: 1,
        each: slow(budget ?? part.cpu.largest ?? .zero))
    }
    let render = slow(scenario.display.render.largest ?? .zero)
    return parts + [FrameBound.Part(kind: .drawing, name: "", count: 1, each: render)]
  }

  // MARK: The second stage

  /// Frames pass through it one after the other. While each takes at most a period, none waits for the previous one.
  ///
  /// `wait` is its wait for a core.
  func secondStage(behind main: FrameBound.Budget, _ wait: TimeSpan = .zero) -> [FrameBound.Budget]
  {
    let pipeline = scenario.display.pipeline
    guard pipeline.hasSecondStage else { return [] }
    let largest = pipeline.compositor.largest ?? .zero
    let work =
      pipeline.usesGPU ? largest : slow(largest).and(isShuffled || sharesCores ? turn : .zero)
    let waiting = FrameBound.Part(kind: .sharing, name: "", count: 1, each: wait)
    let part = FrameBound.Part(kind: .compositor, name: "", count: 1, each: work)
    let parts = (wait > .zero ? [waiting] : []) + [part]
    return [
      FrameBound.Budget(name: "the second stage", available: period, parts: parts),
      FrameBound.Budget(
        name: "the way to the screen", available: period.times(pipeline.deadline),
        parts: main.parts + parts),
    ]
  }
}

// Features of arrangements and scenarios that no bound covers yet.
extension FrameBoundCalculator {
  mutating func addUnsupportedGaps() {
    addLockGaps()
    for lane in arrangement.lanes.dropFirst() { addQueueCostGaps(of: lane) }
    for (index, part) in scenario.frameParts.enumerated() {
      let rule = arrangement.rule(ofFramePart: index)
      guard let name = rule.name else { continue }
      if case .fitting = arrangement.admission {
        addGap(
          "part '\(part.name)' of drawing has the rule '\(name)' beside time slicing",
          "let it run in its frame")
      } else if rule.framesEarly > 0 || rule.lane != nil {
        addGap("part '\(part.name)' of drawing has the rule '\(name)'", "let it run in its frame")
      }
    }
    if case .fitting = arrangement.admission, arrangement.reading.publishRule != nil {
      addGap("time slicing publishes snapshots", "read services on main directly")
    }
    for workload in scenario.workloads.indices {
      addForkGap(of: workload)
      addStepGaps(of: workload)
      addSuspensionGap(of: workload)
    }
    guard gaps.isEmpty else { return }
    addUnboundedCostGaps()
  }

  /// The name in sentences, such as `2 cores`.
  var coresInWords: String { "\(machine.cores) core\(machine.cores == 1 ? "" : "s")" }

  /// The costs of some carriers grow with the length of their queue.
  private mutating func addQueueCostGaps(of lane: Lane) {
    let handOff = costs.handOff(to: lane)
    let keepsJobs = handOff.perRestoredJob > .zero && lane.keptJobs > 0
    guard handOff.perWaiting > .zero || keepsJobs else { return }
    addGap(
      "the cost of posting to lane '\(lane.name)' depends on the number of waiting events",
      "choose another carrier, such as scheduler")
  }

  private mutating func addForkGap(of workload: WorkloadIndex) {
    guard plans[workload].hasForks else { return }
    addGap(
      "workload '\(scenario.workloads[workload].fileName)' has steps that are not awaited",
      "leave out 'await: false'")
  }

  /// Items whose results do not run where they end, or whose steps consist of several runs.
  private mutating func addStepGaps(of workload: WorkloadIndex) {
    let (plan, name) = (plans[workload], scenario.workloads[workload].fileName)
    if plan.newest != .all {
      addGap("workload '\(name)' has a rule of 'admission'", "choose 'admission: all'")
    }
    if plan.answer != nil {
      addGap("workload '\(name)' has a step with 'answers'", "leave out 'answers'")
    }
    if plan.steps.contains(where: { $0.repeats > 1 }) {
      addGap("workload '\(name)' has a step with 'repeat'", "give the step its whole cost")
    }
    if plan.steps.contains(where: { $0.slice != nil }) {
      addGap("workload '\(name)' has a step with 'slices'", "write each slice as a step")
    }
  }

  private mutating func addSuspensionGap(of workload: WorkloadIndex) {
    guard plans[workload].suspends else { return }
    addGap(
      "items of workload '\(scenario.workloads[workload].fileName)' are suspended and may return "
        + "together, any number in a frame",
      "leave out 'suspend'")
  }

  /// The lane to which the main thread hands arriving items; nil if they stay.
  func handOffLane(of workload: WorkloadIndex) -> LaneIndex? {
    plans[workload].steps.first.flatMap { $0.lane == .main ? nil : $0.lane }
  }
}
