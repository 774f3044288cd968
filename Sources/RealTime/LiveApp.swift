internal import Concurrency
internal import FrameBudget
internal import Synchronization

/// The app under test: real services, locks and lanes, arranged as the plan says.
///
/// Both of the pattern's rules are in `runEvent`: an item whose next step lives on the lane it is on goes on directly;
/// otherwise it is posted to that step's lane.
///
/// One thing although it holds more than ten: its parts, and counts that several threads add to as items move.
final class LiveApp: Sendable {
  let plan: RunPlan
  let clock = RunClock()
  let services: LiveServices
  let locks: PerLock<any EngineLock>
  /// Nil where no locks nest, so that a wait for one always ends.
  let lockWaits: LockWaits?
  let lanes: LiveLanes
  let returns = ReturnQueue()
  /// How far items have come that leave steps to other lanes.
  let parts: Locked<ItemParts>
  /// What was posted to the main thread, with when it was.
  private let mainInbox = Locked<[(item: LiveItem, at: Instant)]>([])
  /// On which a main loop of events sleeps: posts, results and the second stage wake it.
  let doorbell = makeParker()
  private let isLoopOfEvents: Bool
  /// Where frames are drawn on demand, when somebody wanted one that the main thread has not heard of.
  private let requests = Locked<[Instant]>([])
  private let drawsOnDemand: Bool
  private let posted = Atomic<Int>(0)
  private let executing = Atomic<Int>(0)
  private let ended = Atomic<Int>(0)

  /// `room` is how many spans are kept of each thread.
  init(_ plan: RunPlan, files: FileWork? = nil, tracing room: Int = 0) {
    self.plan = plan
    services = LiveServices(plan, files: files, clock: clock)
    locks = plan.arrangement.locks.mapValues { $0.kind.makeLock() }
    lockWaits = LockWaits(plan.arrangement)
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    drawsOnDemand = plan.scenario.display.frames.isOnDemand
    lanes = LiveLanes(plan, clock: clock, tracing: room)
    parts = Locked(ItemParts(plan))
  }

  // MARK: Moving items

  /// Posts an item to `lane`, where it goes on with its next step.
  func post(_ item: LiveItem, to lane: LaneIndex, _ trace: inout ThreadTrace) {
    posted.add(1, ordering: .relaxed)
    let began = trace.isOn ? clock.now : .zero
    if lane == .main {
      let now = clock.now
      mainInbox.withLock { $0.append((item, now)) }
      if isLoopOfEvents { doorbell.unpark() }
    } else {
      send(item, to: lane)
    }
    if trace.isOn { trace.append(.post(item.place), from: began, to: clock.now) }
  }

  /// As one event, or as one for each step where the lane's arrangement wants that.
  private func send(_ item: LiveItem, to lane: LaneIndex) {
    let workload = plan.workloads[item.workload]
    let events = item.isFork ? 1 : workload.events(from: item.step, in: plan.arrangement)
    if events > 1 {
      let steps = StepChain(item)
      let event: @Sendable () -> Void = { steps.runNext { self.runEvent($0, on: lane, steps: 1) } }
      return lanes.all[lane].post(chain: Array(repeating: event, count: events))
    }
    lanes.all[lane].post(hasPriority: workload.hasPriority, source: item.workload) {
      _ = self.runEvent(item, on: lane, steps: .max)
    }
  }

  /// Takes what was posted to the main thread.
  func takeMainInbox() -> [LiveItem] { takeTimedInbox().map(\.item) }

  /// The same with when each was posted, in that order.
  func takeTimedInbox() -> [(item: LiveItem, at: Instant)] {
    mainInbox.withLock { inbox in
      defer { inbox.removeAll(keepingCapacity: true) }
      return inbox
    }
  }

  // MARK: What a main loop of events has to hear of

  /// A result came back, or a snapshot that the UI reads is new: a loop of events is woken, and a frame is wanted if that
  /// is to be shown.
  private func news(isShown: Bool = true) {
    guard isLoopOfEvents else { return }
    if drawsOnDemand, isShown {
      let now = clock.now
      requests.withLock { $0.append(now) }
    }
    doorbell.unpark()
  }

  /// Takes the instants at which lanes wanted a frame.
  func takeRequests() -> [Instant] {
    requests.withLock { requests in
      defer { requests.removeAll(keepingCapacity: true) }
      return requests
    }
  }

  // MARK: Events on lanes

  /// An event on a lane other than the main one: runs up to so many steps of `item`; returns it if there are more here.
  private func runEvent(_ item: LiveItem, on lane: LaneIndex, steps: Int) -> LiveItem? {
    var left: LiveItem?
    lanes.event(on: lane) { trace in
      left = advance(item, on: lane, steps: steps, &trace)
      if let item = left, lanes.isStopping || !item.goesOn(on: lane, in: plan) {
        moveOn(item, from: lane, &trace)
        left = nil
      }
      if lanes.all[lane].eventEnded() {
        if services.publishAll(lanes.all[lane].residents) { news() }
      }
    }
    return left
  }

  /// Runs up to `count` steps while they are on `lane`, with the locks they need; nil once the item is handed back, or others
  /// have what is left of it.
  private func advance(
    _ item: LiveItem, on lane: LaneIndex, steps count: Int, _ trace: inout ThreadTrace
  ) -> LiveItem? {
    if isFirst(at: item) { executing.add(1, ordering: .relaxed) }
    var grip = LockGrip(on: lane)
    let left = runSteps(item, on: lane, atMost: count, grip: &grip, &trace)
    grip.release(self, &trace)
    if let left { letGo(left) }
    return left
  }

  private func runSteps(
    _ item: LiveItem, on lane: LaneIndex, atMost count: Int, grip: inout LockGrip,
    _ trace: inout ThreadTrace
  ) -> LiveItem? {
    var item = item
    let steps = plan.workloads[item.workload].steps
    for _ in 0..<count {
      if lanes.isStopping { return item }
      item = forkOff(item, on: lane, &trace)
      if item.step == steps.count { return endPart(item) }
      if steps[item.step].lane != lane || hasToWait(item) { return item }
      lanes.all[lane].meter.stepBegan(at: clock.now)
      let acquisition = perform(item, grip: &grip, &trace)
      lanes.all[lane].meter.stepEnded(at: clock.now)
      if !acquisition.isTaken { return item }
      let step = steps[item.step]
      item.step += 1
      // Handed back before the lock goes, so that a thread with more to do takes it again at once, as a loop
      // over files would.
      let isOver = item.isFork || item.step == steps.count
      let left = isOver ? endPart(item) : item
      stepEnded(step, grip: &grip, &trace)
      guard let left else { return nil }
      item = left
    }
    return item
  }

  /// Its lane has nothing to do with the item any more, though it may still have to publish what that changed.
  private func handBack(_ item: LiveItem) {
    returns.append(item, .done(at: noteDone(item)))
    news(isShown: plan.workloads[item.workload].workload.shows)
  }

  /// The end of an item, or of a part of it; returns the item if it has waited for that one and goes on here.
  private func endPart(_ item: LiveItem) -> LiveItem? {
    switch ended(item) {
    case .resumes(let step): return item.at(step)
    case .isDone: handBack(item)
    case .nothing: break
    }
    letGo(item)
    return nil
  }

  private func letGo(_ item: LiveItem) {
    if isLast(at: item) { executing.subtract(1, ordering: .relaxed) }
  }

  private func moveOn(_ item: LiveItem, from lane: LaneIndex, _ trace: inout ThreadTrace) {
    if lanes.isStopping {
      if isLastPending(item) { returns.append(item, .abandoned) }
      return
    }
    guard let item = onward(item, from: lane, &trace) else { return }
    guard let next = item.nextStep(in: plan) else { return handBack(item) }
    post(item, to: next.lane, &trace)
  }

  // MARK: Steps, on any thread

  /// Runs the item's next step, unless the run ends while it waits for the lock, which stays in the grip.
  func perform(
    _ item: LiveItem, grip: inout LockGrip, _ trace: inout ThreadTrace
  ) -> LockGrip.Acquisition {
    let step = plan.workloads[item.workload].steps[item.step]
    let acquisition = grip.take(step.lock, for: step.hold, of: self, &trace)
    guard acquisition.isTaken else { return acquisition }
    let began = trace.isOn ? clock.now : .zero
    services.perform(step, of: item)
    if trace.isOn { trace.append(.step(item.place), from: began, to: clock.now) }
    return acquisition
  }

  /// Releases a lock that is held for a step, and publishes what the step changed.
  func stepEnded(_ step: StepPlan, grip: inout LockGrip, _ trace: inout ThreadTrace) {
    grip.endStep(step.hold, self, &trace)
    if services.publish(step.service) { news() }
  }

  /// Notes that the item's last step has ended, and when.
  func noteDone(_ item: LiveItem) -> Instant {
    let now = services.done(item)
    ended.add(1, ordering: .relaxed)
    return now
  }

  // MARK: What was counted

  /// Items whose last step has ended, and items a lane is running, as of now.
  var itemsEndedOrRunning: Int {
    ended.load(ordering: .relaxed) + executing.load(ordering: .relaxed)
  }

  var itemsEnded: Int { ended.load(ordering: .relaxed) }

  /// What was counted up to now.
  var totals: RunTotals {
    var totals = RunTotals()
    totals.hops = posted.load(ordering: .relaxed)
    totals.deadlocks = lockWaits?.deadlocks ?? []
    services.count(in: &totals)
    lanes.count(in: &totals)
    return totals
  }
}

extension LiveItem {
  /// Its next step, as a trace names it.
  var place: TracePlace { TracePlace(workload: workload, item: number, step: step) }

  /// Nil behind the last one.
  func nextStep(in plan: RunPlan) -> StepPlan? {
    let steps = plan.workloads[workload].steps
    return step < steps.count ? steps[step] : nil
  }

  /// Whether its next step is the next event of those that were posted to `lane` for it.
  fileprivate func goesOn(on lane: LaneIndex, in plan: RunPlan) -> Bool {
    nextStep(in: plan).map { $0.lane == lane && !$0.isSpecial } ?? false
  }
}
