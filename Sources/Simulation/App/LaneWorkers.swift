internal import FrameBudget

/// The threads of all lanes, main's included, and how items go from step to step and from lane to lane.
///
/// Both of the pattern's rules are in `LaneWorkers+Steps`: an item whose next step lives on the lane it is on goes on
/// directly; otherwise it is posted to that step's lane. What a lane's thread does besides is here, what the main
/// thread does is in `MainThread`.
struct LaneWorkers: ~Copyable {
  let plan: RunPlan
  let steps: StepTable
  /// What taking a lock costs.
  let lockCost: TimeSpan
  var lanes: PerLane<LaneState>
  var runners: PerThread<Runner>
  var services: ServiceStates
  var items: ItemProgress
  var parts: ItemParts
  /// The threads of lanes that share those of a pool; whether there are any.
  var pools: WorkerPools
  let hasPools: Bool
  /// Finished items that lanes have handed back to the main thread.
  var results = ItemQueue()
  /// Items that lanes have posted to the main thread.
  var inbox = ItemQueue()
  /// In a loop of events, what came for the main thread and nobody has taken up, in the order in which it came.
  var incoming = TimedItems()
  /// When somebody wanted a frame that the main thread has not heard of; where they are drawn on demand.
  var requests: [Instant] = []
  /// Whether the main thread is to look what there is.
  var nudgesMain = false
  /// Whether the main thread takes up one event after the other, and whether it draws on demand.
  let (isLoopOfEvents, drawsOnDemand): (Bool, Bool)
  /// What each thread does, if that is kept; without it tracing costs a branch here and there.
  var trace: AppTrace?

  init(_ plan: RunPlan, pools: WorkerPools, costs: Costs, detail: FrameLedger.Detail) {
    self.plan = plan
    self.pools = pools
    hasPools = !pools.pools.isEmpty
    steps = StepTable(plan)
    lockCost = costs.lock.post
    let indices = plan.arrangement.lanes.indices
    lanes = PerLane(indices.map { LaneState($0, of: plan, costs: costs) })
    runners = Self.runners(of: plan)
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    drawsOnDemand = plan.scenario.display.frames.isOnDemand
    services = ServiceStates(plan, costs: costs, threads: runners.count)
    items = ItemProgress(plan, isWatched: detail != .summary)
    parts = ItemParts(plan)
    trace = detail == .trace ? AppTrace(plan) : nil
  }

  private static func runners(of plan: RunPlan) -> PerThread<Runner> {
    PerThread(
      plan.arrangement.lanes.indexed.flatMap { index, lane in
        var runners = Array(repeating: Runner(lane: index), count: index == .main ? 1 : lane.width)
        if lane.restoresInBackground && lane.keptJobs > 0 { runners[0].stage = .waitingForStart }
        return runners
      })
  }

  /// What a lane's thread does next.
  mutating func next(_ thread: ThreadIndex, at now: Instant) -> Operation {
    while true {
      if let operation = goOn(thread, at: now) { return operation }
    }
  }

  /// Goes on by one stage; nil if that took no operation.
  // Inlined, like all that each operation goes through: calls from one part to the next would cost a tenth.
  @inline(__always)
  mutating func goOn(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    switch runners[thread].stage {
    case .waitingForStart:
      runners[thread].stage = .restoring
      return .sleep(until: .zero)
    case .restoring:
      runners[thread].stage = .idle
      return .compute(lanes[runners[thread].lane].restoring)
    case .idle:
      runners[thread].stage = .takingItem
      return .wait(runners[thread].lane)
    case .takingItem: return takeItem(thread)
    case .leavingLane: return leaveLane(thread, at: now)
    case .endingEvent: return endEvent(thread, at: now)
    case .choosingSuccessor: return chooseSuccessor(thread)
    default: return advance(thread, at: now)
    }
  }

  private mutating func takeItem(_ thread: ThreadIndex) -> Operation? {
    let lane = runners[thread].lane
    guard let item = lanes[lane].take() else { preconditionFailure("an item for each event") }
    lanes[lane].waiting -= 1
    begin(item, on: thread)
    let starting = lanes[lane].costs.run
    return starting > .zero ? .compute(starting) : nil
  }

  /// Posts the item of `thread` to its next step's lane, unless it is done.
  private mutating func leaveLane(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    if resume(thread) { return nil }
    runners[thread].stage = .endingEvent
    let item = runners[thread].item
    guard steps[item].isDone else { return leave(item, thread, at: now) }
    // Not handed back behind its last step: that one was left to another lane.
    if runners[thread].holdsItem { endPart(item, on: thread, at: now) }
    return nil
  }

  /// The end of an event; a lane that has run out of work publishes what is unpublished.
  private mutating func endEvent(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    runners[thread].stage = .choosingSuccessor
    let lane = runners[thread].lane
    lanes[lane].outstanding -= 1
    var ending = lanes[lane].bookkeeping
    if lanes[lane].outstanding == 0 {
      ending += services.publishAll(lanes[lane].residents)
      if drawsOnDemand { notePublished(at: now) }
    }
    return ending > .zero ? .compute(ending) : nil
  }

  /// Sees to the items that waited behind the one `thread` has run.
  private mutating func chooseSuccessor(_ thread: ThreadIndex) -> Operation? {
    let lane = runners[thread].lane
    runners[thread].stage = .idle
    switch lanes[lane].next(after: runners[thread].item.workload) {
    case .ends: return nil
    case .goesOn(let item):
      lanes[lane].waiting -= 1
      begin(item, on: thread)
      return nil
    case .posts(let item):
      lanes[lane].append(item, hasPriority: steps.hasPriority(item))
      return tell(lane, extra: .zero)
    }
  }

  // MARK: The end

  /// All threads hand back the items they hold, and all queues those that are in them.
  mutating func notePending() {
    for thread in runners.indices where runners[thread].holdsItem {
      notePending(runners[thread].resumed ?? runners[thread].item)
    }
    while let item = inbox.popFirst() { notePending(item) }
    while let (item, _) = incoming.popFirst() { notePending(item) }
    for lane in lanes.indices {
      while let item = lanes[lane].popLeft() { notePending(item) }
    }
  }

  /// Somebody held `item`, or a part of it.
  mutating func notePending(_ item: Item) {
    let (workload, number) = (item.workload, Int(item.number))
    let isLast =
      !parts.covers(workload) || parts.givesUp(workload, number, isFork: steps[item].isPart)
    if isLast { items.pending(item) }
  }
}
