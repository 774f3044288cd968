internal import Concurrency
internal import Dispatch
internal import FrameBudget
internal import Synchronization

/// The app under test: real services, locks and lanes, arranged as the plan says.
///
/// Both of the pattern's rules are in `run(_:on:)`: an item whose next step lives on the lane it is on goes on
/// directly; otherwise it is posted to that step's lane.
final class LiveApp: Sendable {
  let plan: RunPlan
  let clock = RunClock()
  let services: [LiveService]
  let locks: [any EngineLock]
  /// Nil where no locks nest, so that a wait for one always ends.
  let lockWaits: LockWaits?
  let lanes: [LiveLane]
  let returns = ReturnQueue()
  private let burner: Burner
  /// Nil if no step does real work.
  private let files: FileWork?
  private let mainInbox = Locked<[LiveItem]>([])
  private let threads = Locked<[ThreadLog]>([])
  private let losses = Locked<[String]>([])
  private let refusals = Locked<[String]>([])

  private let vsync = Atomic<Int>(0)
  private let stopping = Atomic<Bool>(false)
  private let executing = Atomic<Int>(0)
  /// Events under way on lanes, what they post to other lanes included.
  private let inside = Atomic<Int>(0)
  private let ended = Atomic<Int>(0)
  private let posted = Atomic<Int>(0)
  private let copying = Atomic<Int64>(0)
  private let collisions = Atomic<Int>(0)

  /// `room` is how many spans are kept of each thread.
  init(_ plan: RunPlan, files: FileWork? = nil, tracing room: Int = 0) {
    self.plan = plan
    self.files = files
    burner = Burner(for: plan)
    services = plan.scenario.services.indices.map { Self.service($0, of: plan) }
    locks = plan.arrangement.locks.map { $0.kind.makeLock() }
    lockWaits = LockWaits(plan.arrangement)
    lanes = plan.arrangement.lanes.indices.map { LiveLane($0, of: plan.arrangement, tracing: room) }
  }

  /// Starts every lane but the main one; if one cannot be, none is left running.
  func start(_ carriers: CarrierFactory) throws(CarrierError) {
    for lane in lanes.dropFirst() {
      do {
        lane.start(on: try carriers(lane.lane))
      } catch {
        stop()
        throw error
      }
    }
  }

  private static func service(_ index: ServiceIndex, of plan: RunPlan) -> LiveService {
    let steps = plan.scenario.workloads.flatMap(\.steps).filter { $0.service == index }
    let isRead = plan.scenario.reads.contains { $0.service == index }
    var isPublished = false
    if case .snapshot = plan.arrangement.reading { isPublished = isRead }
    return LiveService(
      plan.scenario.services[index], memory: steps.compactMap(\.touchedBytes).max() ?? 0,
      isPublished: isPublished)
  }

  // MARK: Moving items

  /// Posts an item to `lane`, where it goes on with its next step.
  func post(_ item: LiveItem, to lane: LaneIndex, _ trace: inout ThreadTrace) {
    posted.add(1, ordering: .relaxed)
    let began = trace.isOn ? clock.now : .zero
    if lane == .main {
      mainInbox.withLock { $0.append(item) }
    } else {
      send(item, to: lane)
    }
    if trace.isOn { trace.append(.post(item.place), from: began, to: clock.now) }
  }

  /// As one event, or as one for each step where the lane's arrangement wants that.
  private func send(_ item: LiveItem, to lane: LaneIndex) {
    let workload = plan.workloads[item.workload]
    let events = workload.events(from: item.step, in: plan.arrangement)
    if events > 1 {
      let steps = StepChain(item)
      let event: @Sendable () -> Void = { steps.runNext { self.run($0, on: lane, steps: 1) } }
      return lanes[lane].post(chain: Array(repeating: event, count: events))
    }
    lanes[lane].post(hasPriority: workload.hasPriority, source: item.workload) {
      _ = self.run(item, on: lane)
    }
  }

  /// Takes what was posted to the main thread.
  func takeMainInbox() -> [LiveItem] {
    mainInbox.withLock { inbox in
      defer { inbox.removeAll(keepingCapacity: true) }
      return inbox
    }
  }

  /// An event on a lane other than the main one: runs up to so many steps of `item`; returns it if there are more here.
  private func run(_ item: LiveItem, on lane: LaneIndex, steps: Int = .max) -> LiveItem? {
    var left: LiveItem?
    lanes[lane].traced { left = run(item, on: lane, steps: steps, &$0) }
    return left
  }

  private func run(
    _ item: LiveItem, on lane: LaneIndex, steps: Int, _ trace: inout ThreadTrace
  ) -> LiveItem? {
    inside.add(1, ordering: .sequentiallyConsistent)
    defer { inside.subtract(1, ordering: .sequentiallyConsistent) }
    executing.add(1, ordering: .relaxed)
    var grip = LockGrip(on: lane)
    var left = advance(item, on: lane, steps: steps, grip: &grip, &trace)
    grip.release(self, &trace)
    if left != nil { executing.subtract(1, ordering: .relaxed) }
    if let item = left, isStopping || item.lane(in: plan) != lane {
      if isStopping {
        returns.append(item, .abandoned)
      } else {
        post(item, to: item.lane(in: plan), &trace)
      }
      left = nil
    }
    if lanes[lane].eventEnded() { publishAll(of: lane) }
    return left
  }

  /// Runs up to `count` steps while they are on `lane`; nil once the item is done and handed back.
  private func advance(
    _ item: LiveItem, on lane: LaneIndex, steps count: Int, grip: inout LockGrip,
    _ trace: inout ThreadTrace
  ) -> LiveItem? {
    var item = item
    let steps = plan.workloads[item.workload].steps
    let end = min(steps.count, item.step + min(count, steps.count))
    while item.step < end {
      if isStopping || steps[item.step].lane != lane { return item }
      lanes[lane].meter.stepBegan(at: clock.now)
      let taking = perform(item, grip: &grip, &trace)
      lanes[lane].meter.stepEnded(at: clock.now)
      if !taking.isTaken { return item }
      item.step += 1
      // Handed back before the lock goes, so that a thread with more to do takes it again at once, as a loop
      // over files would.
      if item.step == steps.count { handBack(item) }
      stepEnded(steps[item.step - 1], grip: &grip, &trace)
    }
    return item.step < steps.count ? item : nil
  }

  /// Its lane has nothing to do with the item any more, though it may still have to publish what that changed.
  private func handBack(_ item: LiveItem) {
    returns.append(item, .done(at: noteDone(item)))
    executing.subtract(1, ordering: .relaxed)
  }

  // MARK: Steps

  /// Runs the item's next step, unless the run ends while it waits for the lock, which stays in the grip.
  func perform(
    _ item: LiveItem, grip: inout LockGrip, _ trace: inout ThreadTrace
  ) -> LockGrip.Taking {
    let step = plan.workloads[item.workload].steps[item.step]
    let taking = grip.take(step.lock, of: self, &trace)
    guard taking.isTaken else { return taking }
    let began = trace.isOn ? clock.now : .zero
    run(step, of: item)
    if trace.isOn { trace.append(.step(item.place), from: began, to: clock.now) }
    return taking
  }

  private func run(_ step: StepPlan, of item: LiveItem) {
    let service = services[step.service]
    let cost = step.cost(item: item.number)
    let version = service.enter { state in
      if let task = step.task, let files {
        files.perform(task, for: item)
      } else {
        burner.burn(cost, as: step.load, over: &state.memory)
      }
      if step.wait > .zero { clock.sleep(for: step.wait) }
      let copied = state.change(for: item.number, clock: clock)
      if copied > .zero { copying.add(copied.nanoseconds, ordering: .relaxed) }
      return state.version
    }
    if let version {
      service.board?.changed(by: item, version: version)
    } else {
      collisions.add(1, ordering: .relaxed)
      Burner.burn(cost)
    }
  }

  /// Releases a lock that is held for a step, and publishes what the step changed.
  func stepEnded(_ step: StepPlan, grip: inout LockGrip, _ trace: inout ThreadTrace) {
    grip.releaseAfterStep(self, &trace)
    guard case .snapshot(let rule) = plan.arrangement.reading else { return }
    services[step.service].publish(rule, in: vsync.load(ordering: .relaxed))
  }

  /// Lets the UI read a service in place.
  func read(_ service: ServiceIndex, _ cost: TimeSpan) {
    let entered: Void? = services[service].enter { _ in Burner.burn(cost) }
    if entered == nil { collisions.add(1, ordering: .relaxed) }
  }

  /// Notes that the item's last step has ended, and when.
  func noteDone(_ item: LiveItem) -> Instant {
    let now = clock.now
    for service in services { service.board?.done(item, at: now) }
    ended.add(1, ordering: .relaxed)
    return now
  }

  /// Publishes whatever is unpublished of the services that live on `lane`: it has run out of work.
  func publishAll(of lane: LaneIndex) {
    let now = vsync.load(ordering: .relaxed)
    for index in lanes[lane].residents { services[index].publish(nil, in: now) }
  }

  // MARK: What the frame loop tells and asks

  /// Gives a lane another nice value; false if the system refuses it.
  func renice(_ change: ReniceSchedule.Change) -> Bool {
    do {
      try lanes[change.lane].setNice(change.nice)
      return true
    } catch {
      refusals.withLock { $0.append("\(error)") }
      return false
    }
  }

  func frameBegan(_ number: Int) { vsync.store(number, ordering: .relaxed) }

  /// Items whose last step has ended, and items a lane is running, as of now.
  var itemsEndedOrRunning: Int {
    ended.load(ordering: .relaxed) + executing.load(ordering: .relaxed)
  }

  var itemsEnded: Int { ended.load(ordering: .relaxed) }

  var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  /// Lets every lane end the step it is in, hand back all other items, and join.
  ///
  /// A lane may still be posting to another one when this begins. Events that begin after `stopping` was set post
  /// nothing any more; once those are through that had begun before, lanes can end one after another.
  func stop() {
    stopping.store(true, ordering: .sequentiallyConsistent)
    let started = lanes.filter(\.isStarted)
    let running = started.filter { $0.loss == nil }
    let reached = DispatchSemaphore(value: 0)
    for lane in running {
      lane.post {
        self.noteThread(lane.lane.name)
        reached.signal()
      }
    }
    // A carrier that loses this event must not hang the run; what it lost shows in the item counts.
    for _ in running { _ = reached.wait(timeout: .now() + .seconds(10)) }
    while inside.load(ordering: .sequentiallyConsistent) > 0 {
      clock.sleep(for: .microseconds(100))
    }
    let losses = started.compactMap { $0.stop() }
    self.losses.withLock { $0 += losses }
  }

  private func noteThread(_ name: String) {
    let log = ThreadLog.current(name)
    threads.withLock { $0.append(log) }
  }

  /// What the threads of all lanes but the main one did; once they have stopped.
  var traces: [ThreadTrace] { lanes.dropFirst().flatMap(\.traces) }

  /// What was counted up to now.
  var totals: RunTotals {
    var totals = RunTotals()
    totals.hops = posted.load(ordering: .relaxed)
    totals.publishing = TimeSpan(nanoseconds: copying.load(ordering: .relaxed))
    totals.exclusionViolations = collisions.load(ordering: .relaxed)
    totals.threads = threads.withLock { $0 }
    totals.stepMeasurements = files?.measurements ?? []
    totals.refusals = refusals.withLock { $0 }
    totals.deadlocks = lockWaits?.deadlocks ?? []
    totals.losses = losses.withLock { $0 }
    return totals
  }
}

/// Starts a lane; tests plant faulty ones.
typealias CarrierFactory = @Sendable (Lane) throws(CarrierError) -> any Carrier

extension LiveItem {
  /// Its next step, as a trace names it.
  var place: TracePlace { TracePlace(workload: workload, item: number, step: step) }

  /// The lane of its next step.
  func lane(in plan: RunPlan) -> LaneIndex { plan.workloads[workload].steps[step].lane }
}
