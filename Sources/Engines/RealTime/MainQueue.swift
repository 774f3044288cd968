internal import DequeModule
internal import FrameBudget
internal import SchedulableThreads

/// The items that wait for the main thread or for admission, and their order.
struct MainQueue {
  var gate: AdmissionGate
  private var arrivals: ArrivalSchedule
  /// Nil if each item must be done.
  private let newest: Locked<NewestGate>?
  /// Items whose next step is on the main thread.
  private var ready = Deque<LiveItem>()
  /// Parallel to `ready` in a loop of events: since when each item waits.
  private var readySince = Deque<Instant>()
  /// In a loop of events, the newest vsync at which held-back items were tried.
  private var triedVsync = -1
  /// The rests of tasks that run first. There is more than one only while they wait for a frame behind an input.
  private var resuming = Deque<LiveItem>()
  /// Items that wait for admission.
  private var heldBack = Deque<LiveItem>()
  private(set) var delivered = 0
  /// Delivered items that were replaced while they waited for newer ones.
  private var replaced = 0

  /// An item to run, and whether it was held back: then it can be suspended between steps.
  struct Turn {
    let item: LiveItem
    let wasHeldBack: Bool
  }

  init(_ plan: RunPlan, _ newest: Locked<NewestGate>?) {
    gate = AdmissionGate(plan)
    self.newest = newest
    arrivals = ArrivalSchedule(plan)
  }

  // MARK: Arrivals

  mutating func takeAdditions(from watch: RunWatch, clock: RunClock) {
    watch.takeAdditions(into: &arrivals, clock: clock)
  }

  /// The next item that the main loop receives at `now` and that need not wait for admission, and since when it waits. Calls
  /// `note` for every arrival, also of items that wait for admission.
  mutating func nextArrival(
    receivedAt now: Instant, checksTimers: Bool = true, _ items: inout ItemLedger,
    note: (ArrivalSchedule.Item) -> Void = { _ in }
  ) -> (item: LiveItem, since: Instant)? {
    while let (arrival, since) = arrivals.next(receivedAt: now, checksTimers: checksTimers) {
      items.arrived(arrival)
      delivered += 1
      note(arrival)
      let item = LiveItem(arrival)
      guard receives(item, arrivedAt: arrival.instant, at: now, &items) else { continue }
      if !gate.holdsBack[item.workload] { return (item, since) }
      heldBack.append(item)
    }
    return nil
  }

  /// Receives an item. Returns whether it starts; otherwise it waits for newer ones.
  private mutating func receives(
    _ item: LiveItem, arrivedAt arrival: Instant, at now: Instant, _ items: inout ItemLedger
  ) -> Bool {
    guard let newest else { return true }
    let reception = newest.withLock {
      $0.receive(item.workload, item.number, arrivedAt: arrival, at: now)
    }
    if let number = reception.replaced {
      replaced += 1
      items.replaced(item.workload, number)
    }
    return reception.starts
  }

  /// The next item that has waited for newer ones, starts at `now`, and need not wait for admission.
  mutating func nextReleased(at now: Instant) -> LiveItem? {
    while let released = newest?.withLock({ $0.release(at: now) }) {
      let item = LiveItem(workload: released.workload, number: released.number)
      if !gate.holdsBack[item.workload] { return item }
      heldBack.append(item)
    }
    return nil
  }

  /// When an item that waits for newer ones may start; nil if none does.
  var upcomingRelease: Instant? { newest?.withLock { $0.upcoming } }

  /// The number of delivered items of which neither the end nor a start is among `endedOrRunning`.
  func waiting(besides endedOrRunning: Int) -> Int {
    max(0, delivered - replaced - endedOrRunning)
  }

  /// The first item that waits for admission.
  var firstHeldBack: LiveItem? { heldBack.first }

  /// Removes the first item that waits for admission.
  mutating func dropFirstHeldBack() { heldBack.removeFirst() }

  /// The items admitted at the start of a frame.
  mutating func admitted() -> [LiveItem] {
    (0..<gate.admits(heldBack.count)).map { _ in heldBack.removeFirst() }
  }

  mutating func append(_ item: LiveItem) { ready.append(item) }

  // MARK: In a loop of events

  /// The next arrival; nil if there is none.
  var upcomingArrival: Instant? { arrivals.upcoming }

  /// Whether an item waits for admission.
  var holdsSomeBack: Bool { !heldBack.isEmpty }

  /// Since when the first ready item waits, or the first that is a new input.
  func waitingSince(ofInput: Bool, of plan: RunPlan) -> Instant? {
    first(ofInput: ofInput, of: plan).map { readySince[$0] }
  }

  private func first(ofInput: Bool, of plan: RunPlan) -> Int? {
    ofInput ? ready.firstIndex { $0.isNewInput(of: plan) } : ready.indices.first
  }

  /// Whether the rest of a task runs first.
  var resumes: Bool { !resuming.isEmpty }

  mutating func popResuming() -> LiveItem? { resuming.popFirst() }

  mutating func resume(_ item: LiveItem) { resuming.append(item) }

  /// The number of ready items.
  var waitingCount: Int { ready.count }

  mutating func append(_ item: LiveItem, at instant: Instant) {
    ready.append(item)
    readySince.append(instant)
  }

  /// The next ready item, or the next that is a new input; it may continue on any lane.
  mutating func popFirst(ofInput: Bool, of plan: RunPlan) -> LiveItem? {
    guard let place = first(ofInput: ofInput, of: plan) else { return nil }
    readySince.remove(at: place)
    return ready.remove(at: place)
  }

  /// Opens the period of `vsync` to held-back items, once, and admits those that may start then.
  mutating func openPeriod(_ vsync: Int, at now: Instant) {
    guard vsync > triedVsync, !heldBack.isEmpty else { return }
    triedVsync = vsync
    gate.open(vsync: vsync, reserve: .zero)
    for item in admitted() { append(item, at: now) }
  }

  // MARK: Business logic

  /// The next item of the open frame: ready ones first, then held-back ones that fit; nil if there is none.
  mutating func next(of plan: RunPlan, at now: Instant) -> Turn? {
    if let item = ready.popFirst() { return Turn(item: item, wasHeldBack: false) }
    guard gate.fillsFrames, let item = heldBack.first,
      gate.starts(
        item.workload, step: item.step, run: item.run, item: item.number, of: plan, at: now)
    else { return nil }
    heldBack.removeFirst()
    return Turn(item: item, wasHeldBack: true)
  }

  /// Puts the rest of a turn back in front of its queue.
  mutating func putBack(_ left: LiveItem, after turn: Turn) {
    if turn.wasHeldBack { heldBack.prepend(left) } else { ready.prepend(left) }
  }

  // MARK: The end

  /// Records all waiting items as pending, including arrivals before `end` that were not delivered. `abandons` tells of the last
  /// part of an item whether a step is left.
  mutating func notePending(
    _ items: inout ItemLedger, before end: Instant, abandons: (LiveItem) -> Bool?
  ) {
    for item in resuming + ready + heldBack {
      guard let isLeft = abandons(item) else { continue }
      items.pending(item.workload, item.number, hasStepLeft: isLeft)
    }
    while let held = newest?.withLock({ $0.takeHeld() }) {
      items.pending(held.workload, held.number)
    }
    while let undelivered = arrivals.next(atOrBefore: end - .nanoseconds(1)) {
      items.arrived(undelivered)
      items.pending(undelivered.workload, undelivered.number)
    }
  }
}

/// Items that ended on other lanes and whose results wait for the main thread.
struct ReturnedResults {
  private var drain: ResultDrain
  private var waiting = Deque<LiveItem>()
  private var spare: [ReturnQueue.Entry] = []

  /// By workload: whether results come before the end of their items.
  private let answersEarly: PerWorkload<Bool>

  init(_ plan: RunPlan) {
    drain = ResultDrain(plan)
    answersEarly = plan.workloads.mapValues { $0.answer != nil }
  }

  /// Whether results of items that ended on the main thread wait for a frame, too.
  var coalesces: Bool { drain.coalesces }

  /// Adds the result of an item that ended on the main thread.
  mutating func append(_ item: LiveItem) { waiting.append(item) }

  /// Takes the items that lanes handed back. Items that ended after the end of the run are pending: the run stops between steps.
  mutating func take(
    from returns: ReturnQueue, by end: Instant, _ items: inout ItemLedger
  ) {
    returns.take(into: &spare)
    for entry in spare {
      let item = entry.item
      switch entry.outcome {
      case .answered(let instant): if instant <= end { waiting.append(item) }
      case .done(let instant) where instant <= end:
        items.done(item.workload, item.number, at: instant)
        if !answersEarly[item.workload] { waiting.append(item) }
      case .replaced: items.replaced(item.workload, item.number)
      case .done: items.pending(item.workload, item.number, hasStepLeft: false)
      case .abandoned(let isLeft):
        items.pending(item.workload, item.number, hasStepLeft: isLeft)
      }
    }
  }

  /// Whether the frame left some results for later.
  var hasLeft: Bool { drain.hasLeft }

  /// Opens a frame's drain.
  mutating func open(at now: Instant) { drain.open(waiting.count, at: now) }

  /// The next result for the frame, and whether it is a separate update of the UI.
  mutating func next(at now: Instant) -> (item: LiveItem, isUpdate: Bool)? {
    guard drain.takeNext(at: now), let item = waiting.popFirst() else { return nil }
    return (item, drain.beginUpdate(item.workload))
  }
}
