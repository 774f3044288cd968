internal import FrameBudget

/// A lane of the simulated app.
struct LaneState {
  /// The costs of handing over an event.
  let costs: HandOffCosts
  /// The time to restore the kept jobs.
  let restoring: TimeSpan
  /// The services on this lane of which the UI reads snapshots.
  let residents: [ServiceIndex]
  private let overtaking: Bool
  /// On a lane that a pool serves: the number of workers that can run its events at once, the number of seats taken, and
  /// the number of events without a seat.
  private let width: Int
  private var (seatsTaken, unseated) = (0, 0)
  /// Items posted to this lane and not finished here.
  var outstanding = 0
  /// Events that no thread has dequeued: one for each item, or one for each of its steps here.
  var waiting = 0
  private var urgent = ItemQueue()
  private var regular = ItemQueue()
  /// Only on a lane whose carrier keeps the order of each workload across several threads.
  private var ordered: OrderedItems?

  init(_ index: LaneIndex, of plan: RunPlan, costs: Costs) {
    let lane = plan.arrangement.lanes[index]
    self.costs = costs.handOff(to: lane)
    restoring = self.costs.perRestoredJob * lane.keptJobs
    residents = plan.publishedServices(on: index)
    overtaking = lane.overtaking
    width = lane.width
    waiting = lane.keptJobs
    if lane.carrier.description.order == .perWorkload {
      ordered = OrderedItems(lane.options.choice(.drain), of: plan)
    }
  }

  /// Counts the next `events` of an item. Returns what posting them costs in addition to the first post: with costs for
  /// each waiting event, they are all walked once.
  mutating func expect(_ events: Int) -> TimeSpan {
    let before = waiting
    outstanding += 1
    waiting += events
    return costs.post * (events - 1) + costs.perWaiting * (before + events - 1)
  }

  /// The cost at the end of an event: the waiting events are walked.
  var bookkeeping: TimeSpan { costs.perWaiting * waiting }

  /// Enqueues an item. Returns false if it waits behind another item of its workload; then no thread is to be notified.
  mutating func post(_ item: Item, hasPriority: Bool) -> Bool {
    if ordered?.admits(item) == false { return false }
    append(item, hasPriority: hasPriority)
    return true
  }

  /// Reserves a seat for the worker of an event. Returns false if none is free; then the event waits for one.
  mutating func reserveSeat() -> Bool {
    if seatsTaken == width {
      unseated += 1
      return false
    }
    seatsTaken += 1
    return true
  }

  /// Passes the seat of a worker that has finished to a waiting event. Returns false and frees the seat if none waits.
  mutating func passSeat() -> Bool {
    if unseated > 0 {
      unseated -= 1
      return true
    }
    seatsTaken -= 1
    return false
  }

  mutating func append(_ item: Item, hasPriority: Bool) {
    if overtaking && hasPriority { urgent.append(item) } else { regular.append(item) }
  }

  mutating func popFirst() -> Item? { urgent.popFirst() ?? regular.popFirst() }

  /// Dequeues the first new item of an input.
  mutating func popNewInput(of plan: RunPlan) -> Item? {
    urgent.popNewInput(of: plan) ?? regular.popNewInput(of: plan)
  }

  /// Whether no item waits that a thread may run.
  var isEmpty: Bool { urgent.isEmpty && regular.isEmpty }

  /// Dequeues the item for a thread that was notified of one.
  mutating func take() -> Item? {
    let item = popFirst()
    if let item { ordered?.begin(item.workload) }
    return item
  }

  /// The next action of a thread that has run an item of `workload` on this lane.
  mutating func next(after workload: WorkloadIndex) -> OrderedItems.Next {
    ordered?.next(after: workload) ?? .ends
  }

  /// Removes and returns any item that has not begun.
  mutating func popUnstarted() -> Item? { popFirst() ?? ordered?.popFirst() }
}

/// An item and its next step.
struct Item: Hashable {
  var workload: WorkloadIndex = 0
  var step: Int32 = 0
  var number: Int32 = 0
  /// The runs of the step that have ended.
  var run: Int32 = 0
  /// Whether the step is over and the item is suspended at its end.
  var isSuspended = false

  /// The same item at the following step.
  var next: Item { Item(workload: workload, step: step + 1, number: number) }
  /// The same item at the following run of its step.
  var nextRun: Item { Item(workload: workload, step: step, number: number, run: run + 1) }
  /// The same item at another step.
  func at(_ step: Int32) -> Item { Item(workload: workload, step: step, number: number) }
  /// The same item, suspended at the end of its step.
  var suspended: Item {
    Item(workload: workload, step: step, number: number, run: run, isSuspended: true)
  }
  /// The same item at step 0, so that `ItemQueue` can store finished items in one row.
  var atStart: Item { at(0) }

  /// Whether it is an input that nothing has handled.
  func isNewInput(of plan: RunPlan) -> Bool {
    plan.workloads[workload].workload.isInput && self == atStart
  }
}

/// A FIFO of items with their arrival times.
struct TimedItems {
  private var items: ContiguousArray<(item: Item, at: Instant)> = []
  private var head = 0

  mutating func append(_ item: Item, at instant: Instant) { items.append((item, instant)) }

  var count: Int { items.count - head }

  /// The arrival time of the first item.
  var first: Instant? { head < items.count ? items[head].at : nil }

  mutating func popFirst() -> (item: Item, at: Instant)? {
    guard head < items.count else { return nil }
    defer {
      head += 1
      // Frees consumed entries once they are more than half of the array, so that memory follows the length of the backlog.
      if head * 2 > items.count {
        items.removeSubrange(..<head)
        head = 0
      }
    }
    return items[head]
  }

  /// The arrival time of the first new item of an input.
  func firstNewInput(of plan: RunPlan) -> Instant? {
    items[head...].first { $0.item.isNewInput(of: plan) }?.at
  }

  /// Removes the entry of an item, or the first one if items that overtook others have used it up.
  mutating func remove(_ item: Item) {
    guard let place = items[head...].firstIndex(where: { $0.item == item }) else {
      _ = popFirst()
      return
    }
    items.remove(at: place)
  }
}

/// A FIFO of items. A row of items of one workload takes as little memory as a single item.
struct ItemQueue {
  /// `count` items with successive numbers, at the same step.
  private struct Row {
    var first = Item()
    var count: Int32 = 0
  }

  private(set) var count = 0
  /// A ring buffer: its size is a power of two, and its first row is at `head`.
  private var rows: ContiguousArray<Row>
  private var head = 0
  private var rowCount = 0

  init() { rows = ContiguousArray(repeating: Row(), count: 16) }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ item: Item) {
    count += 1
    if rowCount > 0 {
      let last = slot(rowCount - 1)
      if rows[last].first.workload == item.workload && rows[last].first.step == item.step
        && rows[last].first.run == item.run
        && rows[last].first.isSuspended == item.isSuspended
        && rows[last].first.number + rows[last].count == item.number
      {
        rows[last].count += 1
        return
      }
    }
    if rowCount == rows.count { grow() }
    rows[slot(rowCount)] = Row(first: item, count: 1)
    rowCount += 1
  }

  /// Inserts an item at the front.
  mutating func prepend(_ item: Item) {
    count += 1
    if rowCount == rows.count { grow() }
    head = (head + rows.count - 1) & (rows.count - 1)
    rows[head] = Row(first: item, count: 1)
    rowCount += 1
  }

  var first: Item? { count == 0 ? nil : rows[head].first }

  mutating func popFirst() -> Item? {
    guard count > 0 else { return nil }
    count -= 1
    let item = rows[head].first
    rows[head].first.number += 1
    rows[head].count -= 1
    if rows[head].count == 0 {
      head = (head + 1) & (rows.count - 1)
      rowCount -= 1
    }
    return item
  }

  mutating func popNewInput(of plan: RunPlan) -> Item? {
    // All items of a row are at the same step.
    guard let row = (0..<rowCount).first(where: { rows[slot($0)].first.isNewInput(of: plan) })
    else { return nil }
    if row == 0 { return popFirst() }
    count -= 1
    let place = slot(row)
    let item = rows[place].first
    rows[place].first.number += 1
    rows[place].count -= 1
    if rows[place].count == 0 {
      for later in row + 1..<rowCount { rows[slot(later - 1)] = rows[slot(later)] }
      rowCount -= 1
    }
    return item
  }

  private func slot(_ row: Int) -> Int { (head + row) & (rows.count - 1) }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: Row(), count: rows.count * 2)
    for row in 0..<rowCount { larger[row] = rows[slot(row)] }
    rows = larger
    head = 0
  }
}

/// Tracks the progress of the items of a run.
struct ItemProgress: ~Copyable {
  private var ledger: ItemLedger
  private var arrivals: ArrivalSchedule
  private(set) var delivered = 0
  private(set) var done = 0
  private var replaced = 0
  /// Events posted for a step.
  private(set) var hops = 0
  /// Items that threads are running.
  private var executing = 0
  /// Responses since the last call of `takeResponses`; kept only if `isWatched` is true.
  private var responses: [Response] = []
  private let isWatched: Bool

  init(_ plan: RunPlan, isWatched: Bool) {
    ledger = ItemLedger(plan, duration: plan.scenario.duration)
    arrivals = ArrivalSchedule(plan)
    self.isWatched = isWatched
  }

  /// Items that have been delivered, are neither done nor replaced, and are not running.
  var waiting: Int { delivered - done - replaced - executing }

  /// Delivers the next item if it arrives at or before `instant`, with its arrival.
  mutating func nextArrival(atOrBefore instant: Instant) -> (item: Item, at: Instant)? {
    arrivals.next(atOrBefore: instant).map { (delivered($0), $0.instant) }
  }

  /// Delivers the next item that a loop of events receives at `now`: its arrival, and since when it waits.
  mutating func nextArrival(
    receivedAt now: Instant, checksTimers: Bool
  ) -> (item: Item, arrival: Instant, since: Instant)? {
    arrivals.next(receivedAt: now, checksTimers: checksTimers).map {
      (delivered($0.item), $0.item.instant, $0.since)
    }
  }

  func arrival(of item: Item) -> Instant { ledger.arrival(of: item.workload, Int(item.number)) }

  private mutating func delivered(_ arrival: ArrivalSchedule.Item) -> Item {
    ledger.arrived(arrival)
    delivered += 1
    return Item(arrival)
  }

  /// The arrival time of the next item; nil if no more arrive.
  var upcomingArrival: Instant? { arrivals.upcoming }

  /// Adds `count` items of `workload` that arrive now.
  mutating func add(_ count: Int, of workload: WorkloadIndex, at now: Instant) {
    arrivals.add(count, of: workload, at: now)
  }

  mutating func begun() { executing += 1 }
  mutating func endExecution() { executing -= 1 }
  mutating func posted() { hops += 1 }

  mutating func done(_ item: Item, at now: Instant) {
    done += 1
    ledger.done(item.workload, Int(item.number), at: now)
  }

  mutating func replaced(_ item: Item) {
    replaced += 1
    ledger.replaced(item.workload, Int(item.number))
  }

  /// Records that the main thread starts to handle `item`, or has finished handling it for now.
  mutating func handlersBegan(_ item: Item, at now: Instant) {
    ledger.handlersBegan(item.workload, Int(item.number), at: now)
  }
  /// Returns whether those of an input ended for the first time.
  mutating func handlersEnded(_ item: Item, at now: Instant) -> Bool {
    ledger.handlersEnded(item.workload, Int(item.number), at: now)
  }

  mutating func resultRan(_ item: Item) { ledger.resultRan(item.workload, Int(item.number)) }

  /// Records that the current frame has ended on the main thread and is not ready yet.
  mutating func frameEnded() { ledger.frameEnded() }

  /// Records that a frame is shown at `instant`: the oldest that was not ready, or else the one that has just ended.
  mutating func frameShown(at instant: Instant) {
    guard isWatched else { return ledger.frameShown(at: instant) }
    var shown: [Response] = []
    ledger.frameShown(at: instant) { shown.append($0) }
    responses += shown
  }

  mutating func takeResponses(into other: inout [Response]) { swap(&responses, &other) }

  func newestDone(in service: ServiceIndex, of plan: RunPlan, by end: Instant) -> Instant? {
    ledger.newestDone(in: service, of: plan, by: end)
  }

  // MARK: The end

  /// Records that a thread or a queue held `item` when the run ended, and whether it has a step that has not begun.
  mutating func pending(_ item: Item, hasStepLeft: Bool) {
    ledger.pending(item.workload, Int(item.number), hasStepLeft: hasStepLeft)
  }

  /// Counts items that arrived before `end` and were not delivered, and returns the logs.
  consuming func finish(at end: Instant) -> [ItemLog] {
    while let (item, _) = nextArrival(atOrBefore: end - .nanoseconds(1)) {
      pending(item, hasStepLeft: true)
    }
    return ledger.finish()
  }
}

extension Item {
  fileprivate init(_ arrival: ArrivalSchedule.Item) {
    self.init(workload: arrival.workload, step: 0, number: Int32(arrival.number))
  }
}

/// The items of each workload, and of each part of drawing, that wait behind a running one. This is how the carrier `ordered` keeps
/// the order across several threads.
struct OrderedItems {
  private let drain: DrainUnit
  private var sources: PerWorkload<Source>

  private struct Source {
    var waiting = ItemQueue()
    /// Whether an item of the workload is running or posted to a thread.
    var hasRunner = false
    /// The number of items left in the runner's batch.
    var left = 0
  }

  enum Next {
    /// Nothing waits.
    case ends
    /// Runs this item on the same thread.
    case continues(Item)
    /// Posts this item like any other.
    case posts(Item)
  }

  init(_ drain: DrainUnit, of plan: RunPlan) {
    self.drain = drain
    sources = PerWorkload(
      repeating: Source(), count: plan.workloads.count + plan.frameParts.count)
  }

  /// Whether `item` can be posted to a thread at once; otherwise it is kept here.
  mutating func admits(_ item: Item) -> Bool {
    if sources[item.workload].hasRunner {
      sources[item.workload].waiting.append(item)
      return false
    }
    sources[item.workload].hasRunner = true
    return true
  }

  /// Records that a thread has dequeued an item of `workload`. In batch mode, the batch is everything that waits now.
  mutating func begin(_ workload: WorkloadIndex) {
    sources[workload].left = drain == .batch ? sources[workload].waiting.count : 0
  }

  /// The next action of the thread that ran an item of `workload`.
  mutating func next(after workload: WorkloadIndex) -> Next {
    guard let item = sources[workload].waiting.popFirst() else {
      sources[workload].hasRunner = false
      return .ends
    }
    guard sources[workload].left > 0 else { return .posts(item) }
    sources[workload].left -= 1
    return .continues(item)
  }

  /// Removes and returns any waiting item.
  mutating func popFirst() -> Item? {
    for workload in sources.indices {
      if let item = sources[workload].waiting.popFirst() { return item }
    }
    return nil
  }
}
