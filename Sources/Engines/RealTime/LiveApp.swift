internal import SchedulableThreads
internal import FrameBudget
internal import Synchronization

/// The app under test: real services, locks and lanes in the plan's arrangement.
///
/// `runEvent` implements the pattern: an item whose next step is on the same lane continues directly; otherwise it is posted to
/// that step's lane.
final class LiveApp: Sendable {
  let plan: RunPlan
  let clock = RunClock()
  let services: LiveServices
  let locks: PerLock<any EngineLock>
  /// Nil if no locks nest: then a wait always ends.
  let lockWaits: LockWaits?
  let lanes: LiveLanes
  let returns = ReturnQueue()
  /// The state of items with steps that they do not await.
  let parts: Locked<ItemParts>
  /// Which items start, or end early, of workloads of which only the newest matters; nil if each item must be done.
  let newest: Locked<NewestGate>?
  /// Items that end early, until all of their parts have ended.
  private let endedEarly = Locked<Set<LiveItem>>([])
  /// Nil if no step suspends its item.
  let suspended: SuspendedItems?
  /// The parts of drawing that lanes have prepared.
  let prepared = Locked(PreparedParts())
  /// Items posted to the main thread.
  private let mainInbox = Locked<[(item: LiveItem, at: Instant)]>([])
  /// A main loop of events sleeps on it; posts, results, parts of drawing and the second stage wake it.
  let doorbell = makeParker()
  private let isLoopOfEvents: Bool
  /// Frame requests that the main thread has not taken yet, if frames are drawn on demand.
  private let requests = Locked<[Instant]>([])
  private let drawsOnDemand: Bool
  private let posted = Atomic<Int>(0)
  private let executing = Atomic<Int>(0)
  private let ended = Atomic<Int>(0)

  /// `room` is the number of trace spans kept for each thread.
  init(_ plan: RunPlan, files: FileWork? = nil, tracing room: Int = 0) {
    self.plan = plan
    services = LiveServices(plan, files: files, clock: clock)
    locks = plan.arrangement.locks.mapValues { $0.kind.makeLock() }
    lockWaits = LockWaits(plan.arrangement)
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    drawsOnDemand = plan.scenario.display.frames.isOnDemand
    lanes = LiveLanes(plan, clock: clock, tracing: room)
    parts = Locked(ItemParts(plan))
    let newest = NewestGate(plan)
    self.newest = newest.isUsed ? Locked(newest) : nil
    suspended = SuspendedItems(plan, clock: clock, tracing: room)
  }

  // MARK: Moving items

  /// Posts an item to `lane`, which runs its next step.
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
    if trace.isOn { trace.append(.post(item.traceStep), from: began, to: clock.now) }
  }

  /// As one event, or as one per step if the arrangement says so.
  private func send(_ item: LiveItem, to lane: LaneIndex) {
    let workload = plan.workloads[item.workload]
    let events =
      item.isFork
      ? workload.eventsOfFork(at: item.step, in: plan.arrangement)
      : workload.events(from: item, in: plan.arrangement)
    if events > 1 {
      let steps = StepChain(item)
      let event: @Sendable () -> Void = {
        let isOver = !steps.runNext { self.runEvent($0, on: lane, steps: 1) }
        if isOver { self.endEvent(on: lane) }
      }
      return lanes.all[lane].post(chain: Array(repeating: event, count: events))
    }
    lanes.all[lane].post(hasPriority: workload.hasPriority, source: item.workload) {
      _ = self.runEvent(item, on: lane, steps: .max)
    }
  }

  /// Posts a part of drawing to the lane that prepares it.
  func post(_ unit: DrawingParts.Unit) {
    let lane = plan.lane(ofPart: unit.part)
    lanes.all[lane].post(hasPriority: true, source: plan.source(ofPart: unit.part)) {
      self.lanes.event(on: lane) { trace in
        if !self.lanes.isStopping { self.prepare(unit, on: lane, &trace) }
        self.endEvent(on: lane)
      }
    }
  }

  private func prepare(
    _ unit: DrawingParts.Unit, on lane: LaneIndex, _ trace: inout ThreadTrace
  ) {
    let began = clock.now
    lanes.all[lane].meter.stepBegan(at: began)
    Burner.burn(unit.cost)
    let ended = clock.now
    lanes.all[lane].meter.stepEnded(at: ended)
    trace.append(.earlyPart(unit.part), from: began, to: ended)
    trace.append(.phase(.render), from: began, to: ended)
    if prepared.withLock({ $0.append(unit) }) { doorbell.unpark() }
  }

  /// Takes the items that were posted to the main thread, in order.
  func takeMainInbox() -> [(item: LiveItem, at: Instant)] { mainInbox.takeAll() }

  // MARK: Wake-ups of a main loop of events

  /// Wakes a loop of events for a result or a new snapshot, and requests a frame if that is visible.
  private func notifyMain(isShown: Bool = true) {
    guard isLoopOfEvents else { return }
    if drawsOnDemand, isShown {
      let now = clock.now
      requests.withLock { $0.append(now) }
    }
    doorbell.unpark()
  }

  /// Takes the frame requests of lanes.
  func takeRequests() -> [Instant] { requests.takeAll() }

  // MARK: Events on lanes

  /// An event on another lane than main: runs up to `steps` steps of `item`. Returns the item if more follow on this lane.
  private func runEvent(_ item: LiveItem, on lane: LaneIndex, steps: Int) -> LiveItem? {
    var left: LiveItem?
    lanes.event(on: lane) { trace in
      left = advance(item, on: lane, steps: steps, &trace)
      if let item = left, lanes.isStopping || !item.continues(on: lane, in: plan) {
        moveOn(item, from: lane, &trace)
        left = nil
      }
      endEvent(on: lane)
    }
    return left
  }

  /// Counts the end of an event. A lane that has run out of work publishes pending changes.
  private func endEvent(on lane: LaneIndex) {
    guard lanes.all[lane].eventEnded() else { return }
    if services.publishAll(lanes.all[lane].residents) { notifyMain() }
  }

  /// Runs up to `count` steps on `lane`, with the locks they need. Returns nil if the item was handed back or another lane
  /// continues it.
  private func advance(
    _ item: LiveItem, on lane: LaneIndex, steps count: Int, _ trace: inout ThreadTrace
  ) -> LiveItem? {
    // A suspended item counts as running, because it waits for no thread.
    if !item.isSuspended { enter(item) }
    var grip = ItemLocks(on: lane)
    let left = runSteps(item, on: lane, atMost: count, grip: &grip, &trace)
    grip.release(self, &trace)
    if let left, !left.isSuspended { leave(left) }
    return left
  }

  private func runSteps(
    _ item: LiveItem, on lane: LaneIndex, atMost count: Int, grip: inout ItemLocks,
    _ trace: inout ThreadTrace
  ) -> LiveItem? {
    guard var item = item.isSuspended ? afterSuspension(item) : item else { return nil }
    let steps = plan.workloads[item.workload].steps
    for _ in 0..<count {
      if lanes.isStopping { return item }
      while endsEarly(item) {
        guard let left = endPart(atEnd(item)) else { return nil }
        item = left
      }
      item = forkOff(item, on: lane, &trace)
      if item.step == steps.count { return endPart(item) }
      if steps[item.step].lane != lane || hasToWait(item) { return item }
      lanes.all[lane].meter.stepBegan(at: clock.now)
      let acquisition = perform(item, grip: &grip, &trace)
      lanes.all[lane].meter.stepEnded(at: clock.now)
      // Nothing would have ended the step that waited for the lock.
      if !acquisition.isTaken { return item.suspended }
      let step = steps[item.step]
      if step.suspension != nil {
        stepEnded(step, grip: &grip, &trace)
        if item.isSuspended(after: step) { return item.suspended }
        suspendPart(of: item)
        item = item.at(item.step + 1)
        continue
      }
      let hasEnded = item.moveOn(behind: step)
      if hasEnded && step.answers { returnAnswer(item) }
      // Handed back before the lock is released, so that a thread with more work locks it again at once, like a loop over
      // files.
      let isOver = hasEnded && (item.isFork || item.step == steps.count)
      let left = isOver ? endPart(item) : item
      stepEnded(step, grip: &grip, &trace)
      guard let left else { return nil }
      item = left
    }
    return item
  }

  /// The item after the step at whose end it was suspended; nil if it was a part that is over now.
  private func afterSuspension(_ item: LiveItem) -> LiveItem? {
    var item = item
    let step = plan.workloads[item.workload].steps[item.step]
    guard item.resume(behind: step) else { return item }
    if step.answers { returnAnswer(item) }
    return item.isFork ? endPart(item) : item
  }

  /// Returns a finished item. Its lane may still have to publish the changes.
  private func returnResult(_ item: LiveItem) {
    if takeReplaced(item) { return returns.append(item, .replaced) }
    returns.append(item, .done(at: noteDone(item)))
    let workload = plan.workloads[item.workload]
    notifyMain(isShown: workload.workload.shows && workload.answer == nil)
  }

  /// Returns the answer of an item that goes on.
  private func returnAnswer(_ item: LiveItem) {
    returns.append(item, .answered(at: clock.now))
    notifyMain(isShown: plan.workloads[item.workload].workload.shows)
  }

  /// Ends an item, or a part of one. Returns the item if it waited for that part and continues here.
  private func endPart(_ item: LiveItem) -> LiveItem? {
    switch ended(item) {
    case .resumes(let step): return item.at(step)
    case .isDone: returnResult(item)
    case .nothing: break
    }
    leave(item)
    return nil
  }

  /// Counts `item` as running.
  func enter(_ item: LiveItem) {
    if isFirst(at: item) { executing.add(1, ordering: .relaxed) }
  }

  /// No longer counts `item` as running.
  func leave(_ item: LiveItem) {
    if isLast(at: item) { executing.subtract(1, ordering: .relaxed) }
  }

  private func moveOn(_ item: LiveItem, from lane: LaneIndex, _ trace: inout ThreadTrace) {
    if lanes.isStopping { return abandon(item) }
    if item.isSuspended { return suspend(item) }
    guard let item = continued(item, from: lane, &trace) else { return }
    guard let next = item.nextStep(in: plan) else { return returnResult(item) }
    post(item, to: next.lane, &trace)
  }

  // MARK: Items that a newer one ends

  /// Whether `item` ends before its next step, because a newer one has been received.
  func endsEarly(_ item: LiveItem) -> Bool {
    guard let newest, newest.withLock({ $0.ends(item.workload, item.number) }) else { return false }
    guard item.nextStep(in: plan) != nil else { return false }
    endedEarly.withLock { _ = $0.insert(item.at(0)) }
    return true
  }

  /// `item`, or its part, behind its last step.
  func atEnd(_ item: LiveItem) -> LiveItem {
    var end = item
    if !item.isFork { end.step = plan.workloads[item.workload].steps.count }
    end.run = 0
    return end
  }

  /// Records that `item`, all of whose parts have ended, was replaced, if one of them has ended early.
  func takeReplaced(_ item: LiveItem) -> Bool {
    guard newest != nil, endedEarly.withLock({ $0.remove(item.at(0)) }) != nil else { return false }
    services.forget(item)
    ended.add(1, ordering: .relaxed)
    return true
  }

  // MARK: Steps, on any thread

  /// Runs the item's next step, unless the run ends during the wait for its lock. `grip` keeps the lock.
  func perform(
    _ item: LiveItem, grip: inout ItemLocks, _ trace: inout ThreadTrace
  ) -> ItemLocks.Acquisition {
    let step = plan.workloads[item.workload].steps[item.step]
    let acquisition = grip.take(step.lock, for: step.hold, of: self, &trace)
    guard acquisition.isTaken else { return acquisition }
    let began = trace.isOn ? clock.now : .zero
    services.perform(step, of: item)
    if trace.isOn { trace.append(.step(item.traceStep), from: began, to: clock.now) }
    return acquisition
  }

  /// Releases a lock that is held for one step, and publishes the step's changes.
  func stepEnded(_ step: StepPlan, grip: inout ItemLocks, _ trace: inout ThreadTrace) {
    grip.endStep(step.hold, self, &trace)
    if services.publish(step.service) { notifyMain() }
  }

  /// Records that the item's last step ended; returns when.
  func noteDone(_ item: LiveItem) -> Instant {
    let now = services.done(item)
    ended.add(1, ordering: .relaxed)
    return now
  }

  // MARK: Counts

  /// The number of items that have ended or are running on a lane.
  var itemsEndedOrRunning: Int {
    ended.load(ordering: .relaxed) + executing.load(ordering: .relaxed)
  }

  var itemsEnded: Int { ended.load(ordering: .relaxed) }

  /// The counts so far.
  var totals: RunTotals {
    var totals = RunTotals()
    totals.hops = posted.load(ordering: .relaxed)
    totals.deadlocks = lockWaits?.deadlocks ?? []
    services.count(in: &totals)
    lanes.count(in: &totals)
    return totals
  }
}

extension WorkloadPlan {
  /// The number of events with which `item` is posted to the lane of its next step.
  fileprivate func events(from item: LiveItem, in arrangement: Arrangement) -> Int {
    guard item.isSuspended else { return events(from: item.step, in: arrangement) }
    let isLast = item.run + 1 >= steps[item.step].runs(item: item.number)
    return isLast ? eventsAfterSuspension(in: item.step, in: arrangement) : 1
  }
}

extension LiveItem {
  /// Its next step, for traces.
  var traceStep: TraceStep { TraceStep(workload: workload, item: number, step: step) }

  /// Nil after the last step.
  func nextStep(in plan: RunPlan) -> StepPlan? {
    let steps = plan.workloads[workload].steps
    return step < steps.count ? steps[step] : nil
  }

  /// Whether a step of it, or a run of one, has not begun.
  func hasStepLeft(in plan: RunPlan) -> Bool {
    guard let next = nextStep(in: plan) else { return false }
    guard isSuspended, run + 1 >= next.runs(item: number) else { return true }
    return !isFork && step + 1 < plan.workloads[workload].steps.count
  }

  /// Whether the next event posted to `lane` for this item runs its next step.
  fileprivate func continues(on lane: LaneIndex, in plan: RunPlan) -> Bool {
    guard !isSuspended, let step = nextStep(in: plan) else { return false }
    return step.lane == lane && (run > 0 || !step.isSpecial)
  }
}

// Items with steps that they do not await (forks). `ItemParts` has their state.
extension LiveApp {
  /// Posts the next steps that `item` does not await, and returns the item with the step after them.
  func forkOff(
    _ item: LiveItem, on lane: LaneIndex, _ trace: inout ThreadTrace
  ) -> LiveItem {
    var item = item
    while let step = item.nextStep(in: plan), step.isFork, step.lane != lane, !item.isFork,
      !hasToWait(item)
    {
      parts.withLock { $0.forks(item.workload, item.number) }
      post(item.part, to: step.lane, &trace)
      item.step += 1
    }
    return item
  }

  /// Whether the next step of `item` must wait for its forks.
  func hasToWait(_ item: LiveItem) -> Bool {
    guard !item.isFork, let step = item.nextStep(in: plan), step.joins else { return false }
    return parts.withLock { $0.hasOpen(item.workload, item.number) }
  }

  /// The item with the step to continue with, or after its last step if it is done; nil if other lanes continue it. Called
  /// without locks.
  func continued(
    _ item: LiveItem, from lane: LaneIndex, _ trace: inout ThreadTrace
  ) -> LiveItem? {
    let item = forkOff(item, on: lane, &trace)
    guard let step = item.nextStep(in: plan) else { return ended(item) == .isDone ? item : nil }
    guard step.joins, !item.isFork else { return item }
    let waits = parts.withLock { $0.waits(item.workload, item.number, at: item.step) }
    return waits ? nil : item
  }

  /// Ends `item`, or a part of it; returns what follows.
  func ended(_ item: LiveItem) -> ItemParts.End {
    guard hasParts(item) else { return .isDone }
    return parts.withLock {
      item.isFork
        ? $0.forkEnds(item.workload, item.number) : $0.chainEnds(item.workload, item.number)
    }
  }

  /// Whether no other lane is running `item`, so that the calling lane is its first.
  func isFirst(at item: LiveItem) -> Bool {
    !hasParts(item) || parts.withLock { $0.begins(item.workload, item.number) }
  }

  /// Whether no lane is running `item` any more, so that the calling lane was its last.
  func isLast(at item: LiveItem) -> Bool {
    !hasParts(item) || parts.withLock { $0.releases(item.workload, item.number) }
  }

  /// Counts `item`, or a part of it, as pending at the end of the run. Returns, of the last part, whether a step of the item has
  /// not begun; nil of the others.
  func abandons(_ item: LiveItem) -> Bool? {
    if newest != nil, item.hasStepLeft(in: plan) {
      endedEarly.withLock { _ = $0.insert(item.at(0)) }
    }
    let (isLast, waits) = parts.withLock { parts in
      let isLast =
        !hasParts(item) || parts.abandons(item.workload, item.number, isFork: item.isFork)
      return (isLast, parts.waitsAtJoin(item.workload, item.number))
    }
    return isLast ? waits || endedEarly.withLock { $0.contains(item.at(0)) } : nil
  }

  /// Returns `item` as pending, if it or its last part is left at the end of the run.
  func abandon(_ item: LiveItem) {
    if let isLeft = abandons(item) { returns.append(item, .abandoned(hasStepLeft: isLeft)) }
  }

  private func hasParts(_ item: LiveItem) -> Bool { plan.workloads[item.workload].hasForks }
}

/// An item and its next step.
struct LiveItem: Hashable, Sendable {
  let workload: WorkloadIndex
  /// Its index in its workload, from 0: the sequence number by which lost and repeated items are found.
  let number: Int
  /// The step that comes next.
  var step = 0
  /// The runs of that step that have ended.
  var run = 0
  /// Whether this is a fork: one step that the rest of the item does not await.
  var isFork = false
  /// Whether the step is over and the item is suspended at its end.
  private(set) var isSuspended = false

  init(workload: WorkloadIndex, number: Int) {
    self.workload = workload
    self.number = number
  }

  /// Moves on behind a run of its next step, which is `step`. Returns whether that was its last run.
  mutating func moveOn(behind step: StepPlan) -> Bool {
    run += 1
    guard run >= step.runs(item: number) else { return false }
    self.step += 1
    run = 0
    return true
  }

  /// The fork of its next step.
  var part: LiveItem {
    var part = self
    part.isFork = true
    return part
  }

  /// The same, suspended at the end of its step.
  var suspended: LiveItem {
    var item = self
    item.isSuspended = true
    return item
  }

  /// Ends its suspension at the end of a run of `step`. Returns whether that was the last run.
  mutating func resume(behind step: StepPlan) -> Bool {
    isSuspended = false
    return moveOn(behind: step)
  }

  /// Whether it waits for the suspension at the end of `step`, which it has run.
  func isSuspended(after step: StepPlan) -> Bool {
    step.leavesLane || (isFork && step.suspension != nil)
  }

  /// The item itself, with this step next.
  func at(_ step: Int) -> LiveItem {
    var item = LiveItem(workload: workload, number: number)
    item.step = step
    return item
  }

  init(_ arrival: ArrivalSchedule.Item) {
    self.init(workload: arrival.workload, number: arrival.number)
  }

  /// Whether it is an input that nothing has handled.
  func isNewInput(of plan: RunPlan) -> Bool {
    plan.workloads[workload].workload.isInput && self == at(0)
  }
}

/// An item whose steps are separate events, one after another.
///
/// If one of them gives the item away because the run stops, or because the item ends early, the later events do nothing.
final class StepChain: Sendable {
  private let item: Locked<LiveItem?>

  init(_ item: LiveItem) { self.item = Locked(item) }

  /// Runs the item's next step and keeps the item that `step` returns. Returns false if the item was given away.
  func runNext(_ step: (LiveItem) -> LiveItem?) -> Bool {
    guard let current = item.withLock({ $0.take() }) else { return false }
    let left = step(current)
    item.withLock { $0 = left }
    return true
  }
}

/// Items that lanes return to the main thread: finished ones, and those left when the run stopped.
final class ReturnQueue: Sendable {
  enum Outcome: Sendable {
    case done(at: Instant)
    /// Its result may run, and the item goes on.
    case answered(at: Instant)
    /// A newer item answers for it.
    case replaced
    /// Pending at the end of the run, and whether a step of it has not begun.
    case abandoned(hasStepLeft: Bool)
  }

  struct Entry: Sendable {
    let item: LiveItem
    let outcome: Outcome
  }

  private let entries = Locked<[Entry]>([])

  func append(_ item: LiveItem, _ outcome: Outcome) {
    entries.withLock { $0.append(Entry(item: item, outcome: outcome)) }
  }

  /// Takes all entries, in order.
  ///
  /// `spare` becomes the new store: two arrays alternate, so that neither is reallocated.
  func take(into spare: inout [Entry]) {
    spare.removeAll(keepingCapacity: true)
    entries.withLock { swap(&$0, &spare) }
  }
}
