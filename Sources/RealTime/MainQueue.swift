internal import DequeModule
internal import FrameBudget

/// What waits for the main thread to run it or to let it in, and what of that starts next.
struct MainQueue {
  var gate: AdmissionGate
  private var arrivals: ArrivalSchedule
  /// Items whose next step is on the main thread.
  private var ready = Deque<LiveItem>()
  /// In a loop of events, since when each of them waits.
  private var readySince = Deque<Instant>()
  /// In a loop of events, the newest vsync at which something that is held back was tried.
  private var triedVsync = -1
  /// What is left of a task that has yielded to nobody: it comes before anything else.
  var resuming: LiveItem?
  /// Arrived items that the admission has not let in.
  private var heldBack = Deque<LiveItem>()
  private(set) var delivered = 0

  /// An item that starts, and whether it was held back, so that it may be put aside between two steps.
  struct Turn {
    let item: LiveItem
    let wasHeldBack: Bool
  }

  init(_ plan: RunPlan) {
    gate = AdmissionGate(plan)
    arrivals = ArrivalSchedule(plan)
  }

  // MARK: What arrived

  mutating func takeAdditions(from watch: RunWatch, clock: RunClock) {
    watch.takeAdditions(into: &arrivals, clock: clock)
  }

  /// The next item that arrived at or before `instant` and need not wait to be let in.
  mutating func nextArrival(atOrBefore instant: Instant, _ items: inout ItemLedger) -> LiveItem? {
    while let arrival = arrivals.next(atOrBefore: instant) {
      items.arrived(arrival)
      delivered += 1
      let item = LiveItem(arrival)
      if !gate.holdsBack[item.workload] { return item }
      heldBack.append(item)
    }
    return nil
  }

  /// Items that are let in at the begin of a frame.
  mutating func admitted() -> [LiveItem] {
    (0..<gate.admits(heldBack.count)).map { _ in heldBack.removeFirst() }
  }

  mutating func append(_ item: LiveItem) { ready.append(item) }
  mutating func append(_ items: [LiveItem]) { ready.append(contentsOf: items) }

  // MARK: In a loop of events

  /// When the next item arrives; nil when no more do.
  var upcomingArrival: Instant? { arrivals.upcoming }

  /// Whether something waits to be let in.
  var holdsSomeBack: Bool { !heldBack.isEmpty }

  /// Since when the first item waits that is here.
  var waitingSince: Instant? { readySince.first }

  /// How many items are here.
  var waitingCount: Int { ready.count }

  mutating func append(_ item: LiveItem, at instant: Instant) {
    ready.append(item)
    readySince.append(instant)
  }

  /// The next item that is here, whatever lane it goes on on.
  mutating func popFirst() -> LiveItem? {
    _ = readySince.popFirst()
    return ready.popFirst()
  }

  /// The next arrival up to `instant` that need not wait to be let in, and when it came; `note` hears of all of them.
  mutating func nextTimedArrival(
    atOrBefore instant: Instant, _ items: inout ItemLedger, note: (ArrivalSchedule.Item) -> Void
  ) -> (item: LiveItem, at: Instant)? {
    while let arrival = arrivals.next(atOrBefore: instant) {
      items.arrived(arrival)
      delivered += 1
      note(arrival)
      let item = LiveItem(arrival)
      if !gate.holdsBack[item.workload] { return (item, arrival.instant) }
      heldBack.append(item)
    }
    return nil
  }

  /// Opens the period of `vsync` to what is held back, once; lets in what may start at its begin.
  mutating func openPeriod(_ vsync: Int, at now: Instant) {
    guard vsync > triedVsync, !heldBack.isEmpty else { return }
    triedVsync = vsync
    gate.open(vsync: vsync, reserve: .zero)
    for item in admitted() { append(item, at: now) }
  }

  // MARK: Business logic

  /// What runs next in the open frame: what is here, then what is held back and fits; nil if that is nothing.
  mutating func next(of plan: RunPlan, at now: Instant) -> Turn? {
    if let item = ready.popFirst() { return Turn(item: item, wasHeldBack: false) }
    guard gate.fillsFrames, let item = heldBack.first,
      gate.starts(item.workload, step: item.step, item: item.number, of: plan, at: now)
    else { return nil }
    heldBack.removeFirst()
    return Turn(item: item, wasHeldBack: true)
  }

  /// Leaves what is left of a turn in front of all that waits as it did.
  mutating func putBack(_ left: LiveItem, after turn: Turn) {
    if turn.wasHeldBack { heldBack.prepend(left) } else { ready.prepend(left) }
  }

  // MARK: The end

  /// Notes all that waits, and what arrived before `end` although nobody delivered it. Of parts `isLast` says which is the
  /// last one of its item.
  mutating func notePending(
    _ items: inout ItemLedger, before end: Instant, isLast: (LiveItem) -> Bool
  ) {
    if let item = resuming, isLast(item) { items.pending(item.workload, item.number) }
    for item in ready where isLast(item) { items.pending(item.workload, item.number) }
    for item in heldBack where isLast(item) { items.pending(item.workload, item.number) }
    while let undelivered = arrivals.next(atOrBefore: end - .nanoseconds(1)) {
      items.arrived(undelivered)
      items.pending(undelivered.workload, undelivered.number)
    }
  }
}
