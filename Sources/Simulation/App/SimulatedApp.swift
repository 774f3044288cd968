internal import FrameBudget

/// The app under test as threads of a simulated machine, arranged as the plan says: thread 0 is the main one.
///
/// Both of the pattern's rules are in `SimulatedApp+Items`: an item whose next step lives on the lane it is on
/// goes on directly; otherwise it is posted to that step's lane.
struct SimulatedApp: VirtualThreads, ~Copyable {
  let plan: RunPlan
  let costs: Costs
  let steps: StepTable
  /// By workload.
  let hasPriority: ContiguousArray<Bool>
  /// By workload: what a result takes; nil where that differs from item to item.
  let resultCosts: ContiguousArray<TimeSpan?>
  let publishRule: Reading.PublishRule?
  /// By lane: what handing an event over costs.
  let handOffs: ContiguousArray<HandOffCosts>
  var frames: FrameLedger
  var items: ItemLedger
  var gate: AdmissionGate
  var arrivals: ArrivalSchedule
  var renices: ReniceSchedule
  var totals = RunTotals()
  var services: ContiguousArray<ServiceState>
  var lanes: ContiguousArray<LaneState>
  var runners: ContiguousArray<Runner>
  var nested: NestedLocks
  var frame: FrameLoop
  var changes: ChangeVersions
  /// Results that lanes have handed back.
  var results = ItemQueue()
  /// Items that lanes have posted to the main thread.
  var inbox = ItemQueue()
  /// Background items that have arrived and that the gate has not let pass.
  var heldBack = ItemQueue()
  /// Items delivered, done, and on a thread that runs them.
  var delivered = 0
  var done = 0
  var executing = 0
  /// What was answered since somebody looked; kept only with the detail of frames.
  var responses: [Response] = []
  let isWatched: Bool
  /// Whether what each thread does is kept, in `trace`; without that it costs a branch here and there.
  let isTraced: Bool
  var trace: AppTrace?

  init(_ plan: RunPlan, costs: Costs, detail: FrameLedger.Detail) {
    let scenario = plan.scenario
    let refresh = scenario.display.refresh
    self.plan = plan
    isWatched = detail != .summary
    isTraced = detail == .trace
    trace = isTraced ? AppTrace(plan) : nil
    self.costs = costs
    steps = StepTable(plan)
    hasPriority = ContiguousArray(plan.workloads.map(\.hasPriority))
    resultCosts = ContiguousArray(plan.workloads.map(\.workload.result.fixed))
    publishRule = plan.arrangement.reading.publishRule
    handOffs = ContiguousArray(plan.arrangement.lanes.map(costs.handOff))
    frames = FrameLedger(
      refresh: refresh, duration: scenario.duration, detail: detail, hasRealClock: false)
    items = ItemLedger(plan, duration: scenario.duration)
    gate = AdmissionGate(plan)
    arrivals = ArrivalSchedule(plan)
    renices = ReniceSchedule(plan)
    services = Self.services(of: plan, costs: costs)
    lanes = Self.lanes(of: plan)
    runners = Self.runners(of: plan)
    nested = NestedLocks(plan.arrangement, threads: runners.count)
    frame = FrameLoop(plan)
    changes = ChangeVersions(threads: runners.count, plan: plan)
  }

  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation {
    if isTraced { return tracedNext(thread, at: now, ready: ready) }
    return thread == 0 ? nextOfMain(at: now, ready: ready) : nextOfLane(thread, at: now)
  }

  // What only a trace needs is out of line, so that without one the code is as short as it was.

  @inline(never)
  private mutating func tracedNext(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan
  ) -> Operation {
    trace?.asked(thread, at: now)
    let operation =
      thread == 0 ? nextOfMain(at: now, ready: ready) : nextOfLane(thread, at: now)
    trace?.answered(operation, by: thread, at: now)
    return operation
  }

  @inline(__always)
  mutating func waitedForCore(_ thread: ThreadIndex, from: Instant, to: Instant) {
    if isTraced { noteWait(of: thread, from: from, to: to) }
  }

  @inline(never)
  private mutating func noteWait(of thread: ThreadIndex, from: Instant, to: Instant) {
    if to > from { trace?.append(.preempted, by: thread, from: from, to: to) }
  }

  /// What a lane's thread does next.
  private mutating func nextOfLane(_ thread: ThreadIndex, at now: Instant) -> Operation {
    while true {
      switch runners[thread].stage {
      case .sleeps:
        runners[thread].stage = .restores
        return .sleep(until: .zero)
      case .restores:
        runners[thread].stage = .waits
        return .compute(restoring(on: runners[thread].lane))
      case .waits:
        runners[thread].stage = .takes
        return .wait(runners[thread].lane)
      case .takes:
        take(by: thread)
        let starting = handOffs[runners[thread].lane].run
        if starting > .zero { return .compute(starting) }
      case .leaves: if let operation = moveOn(thread) { return operation }
      case .ended:
        runners[thread].stage = .drains
        let ending = endEvent(on: runners[thread].lane)
        if ending > .zero { return .compute(ending) }
      case .drains: if let operation = drain(by: thread) { return operation }
      default: if let operation = advance(thread, at: now) { return operation }
      }
    }
  }

  /// What restoring the kept jobs of `lane` takes.
  func restoring(on lane: LaneIndex) -> TimeSpan {
    handOffs[lane].perKept * plan.arrangement.lanes[lane].keptJobs
  }

  private mutating func take(by thread: ThreadIndex) {
    guard let item = lanes[runners[thread].lane].take() else {
      preconditionFailure("an item for each event")
    }
    lanes[runners[thread].lane].waiting -= 1
    begin(item, on: thread)
  }

  /// Sees to the items that waited behind the one `thread` has run.
  private mutating func drain(by thread: ThreadIndex) -> Operation? {
    let lane = runners[thread].lane
    runners[thread].stage = .waits
    switch lanes[lane].next(after: runners[thread].item.index) {
    case .ends: return nil
    case .goesOn(let item):
      lanes[lane].waiting -= 1
      begin(item, on: thread)
      return nil
    case .posts(let item):
      lanes[lane].append(item, hasPriority: hasPriority[item.index])
      return .post(lane)
    }
  }

  /// Posts the item of `thread` to its next step's lane, unless it is done.
  private mutating func moveOn(_ thread: ThreadIndex) -> Operation? {
    let item = runners[thread].item
    runners[thread].stage = .ended
    if steps[item].isDone { return nil }
    letGo(thread)
    changes.carry(item, from: thread)
    return post(item)
  }

  /// Notes the end of an event on `lane` and returns what that costs; a lane that has run out of work publishes what
  /// is unpublished.
  private mutating func endEvent(on lane: LaneIndex) -> TimeSpan {
    lanes[lane].outstanding -= 1
    let bookkeeping = handOffs[lane].perWaiting * lanes[lane].waiting
    return lanes[lane].outstanding == 0 ? bookkeeping + publishAll(on: lane) : bookkeeping
  }
}

extension Reading {
  /// When snapshots are published; nil where the UI reads none.
  var publishRule: PublishRule? {
    if case .snapshot(let rule) = self { rule } else { nil }
  }
}

// What a plan becomes.
extension SimulatedApp {
  private static func services(of plan: RunPlan, costs: Costs) -> ContiguousArray<ServiceState> {
    let publishes = plan.arrangement.reading.publishRule != nil
    let read = Set(plan.scenario.reads.map(\.service))
    return ContiguousArray(
      plan.scenario.services.enumerated().map { index, service in
        ServiceState(service, isPublished: publishes && read.contains(index), costs: costs)
      })
  }

  private static func lanes(of plan: RunPlan) -> ContiguousArray<LaneState> {
    let read = plan.scenario.reads.map(\.service)
    let placement = plan.arrangement.placement
    return ContiguousArray(
      plan.arrangement.lanes.enumerated().map { index, lane in
        let residents = placement.indices.filter {
          placement[$0] == .home(index) && read.contains($0)
        }
        return LaneState(
          lane, residents: residents, workloads: plan.scenario.workloads.count)
      })
  }

  private static func runners(of plan: RunPlan) -> ContiguousArray<Runner> {
    ContiguousArray(
      plan.arrangement.lanes.enumerated().flatMap { index, lane in
        var runners = Array(repeating: Runner(lane: index), count: index == .main ? 1 : lane.width)
        if lane.restoresInBackground && lane.keptJobs > 0 { runners[0].stage = .sleeps }
        return runners
      })
  }
}
