internal import FrameBudget

/// A lane of the simulated app.
struct LaneState {
  /// What handing an event over costs.
  let costs: HandOffCosts
  /// What restoring the kept jobs takes.
  let restoring: TimeSpan
  /// Services that live here and that the UI reads snapshots of.
  let residents: [ServiceIndex]
  private let overtaking: Bool
  /// Where a pool serves it: how many workers can be on it at once, how many places of these are taken, and for how many
  /// events there was none.
  private let width: Int
  private var (seatsTaken, unseated) = (0, 0)
  /// Items posted here that are not through yet.
  var outstanding = 0
  /// Events that no thread has taken: one for each item, or one for each of its steps here.
  var waiting = 0
  private var urgent = ItemQueue()
  private var regular = ItemQueue()
  /// Only on a lane whose carrier keeps each workload's order on several threads.
  private var ordered: OrderedItems?

  init(_ index: LaneIndex, of plan: RunPlan, costs: Costs) {
    let lane = plan.arrangement.lanes[index]
    self.costs = costs.handOff(to: lane)
    restoring = self.costs.perKept * lane.keptJobs
    residents = plan.publishedServices(on: index)
    overtaking = lane.overtaking
    width = lane.width
    waiting = lane.keptJobs
    if lane.carrier.description.order == .perWorkload {
      ordered = OrderedItems(lane.options.choice(.drain), of: plan)
    }
  }

  /// Takes in the next `events` of an item; returns what posting them costs beyond the first post. What waits is walked
  /// through once, however many are posted.
  mutating func expect(_ events: Int) -> TimeSpan {
    let before = waiting
    outstanding += 1
    waiting += events
    return costs.post * (events - 1) + costs.perWaiting * (before + events - 1)
  }

  /// What the end of an event costs: the others are walked through.
  var bookkeeping: TimeSpan { costs.perWaiting * waiting }

  /// Takes an item in; false if it waits behind another one of its workload, so that no thread is to be told.
  mutating func post(_ item: Item, hasPriority: Bool) -> Bool {
    if ordered?.admits(item) == false { return false }
    append(item, hasPriority: hasPriority)
    return true
  }

  /// Takes a place for an event's worker; false if the event has to wait for one.
  mutating func reserveSeat() -> Bool {
    if seatsTaken == width {
      unseated += 1
      return false
    }
    seatsTaken += 1
    return true
  }

  /// Gives the place of a worker that is through to an event that waits for one; false if none does.
  mutating func passSeatOn() -> Bool {
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

  /// The item for a thread that was told of one.
  mutating func take() -> Item? {
    let item = popFirst()
    if let item { ordered?.begin(item.workload) }
    return item
  }

  /// What a thread does that has just run an item of `workload` here.
  mutating func next(after workload: WorkloadIndex) -> OrderedItems.Next {
    ordered?.next(after: workload) ?? .ends
  }

  /// Any item that has not begun.
  mutating func popLeft() -> Item? { popFirst() ?? ordered?.popFirst() }
}

/// An item on its way, with the step that comes next.
struct Item: Equatable {
  var workload: WorkloadIndex = 0
  var step: Int32 = 0
  var number: Int32 = 0

  /// The same item with the step after this one.
  var next: Item { Item(workload: workload, step: step + 1, number: number) }
  /// The same item with another step.
  func at(_ step: Int32) -> Item { Item(workload: workload, step: step, number: number) }
  /// The same item whatever its step, so that items that are done stand in one row.
  var atStart: Item { at(0) }
}

/// Items with the time at which each came, first come first.
struct TimedItems {
  private var items: ContiguousArray<(item: Item, at: Instant)> = []
  private var head = 0

  mutating func append(_ item: Item, at instant: Instant) { items.append((item, instant)) }

  var count: Int { items.count - head }

  /// When the first one came.
  var first: Instant? { head < items.count ? items[head].at : nil }

  mutating func popFirst() -> (item: Item, at: Instant)? {
    guard head < items.count else { return nil }
    defer {
      head += 1
      // What was taken goes once it is the larger part, so that a backlog costs no more than its length.
      if head * 2 > items.count {
        items.removeSubrange(..<head)
        head = 0
      }
    }
    return items[head]
  }
}

/// Items in the order in which they came; a row of items of one workload takes as little room as one of them.
struct ItemQueue {
  /// `count` items with successive numbers, at the same step.
  private struct Row {
    var first = Item()
    var count: Int32 = 0
  }

  private(set) var count = 0
  /// A ring: its size is a power of two, its first row is at `head`.
  private var rows: ContiguousArray<Row>
  private var head = 0
  private var rowCount = 0

  init() { rows = ContiguousArray(repeating: Row(), count: 16) }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ item: Item) {
    count += 1
    if rowCount > 0 {
      let last = place(rowCount - 1)
      if rows[last].first.workload == item.workload && rows[last].first.step == item.step
        && rows[last].first.number + rows[last].count == item.number
      {
        rows[last].count += 1
        return
      }
    }
    if rowCount == rows.count { grow() }
    rows[place(rowCount)] = Row(first: item, count: 1)
    rowCount += 1
  }

  /// Puts an item in front of all others.
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

  private func place(_ row: Int) -> Int { (head + row) & (rows.count - 1) }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: Row(), count: rows.count * 2)
    for row in 0..<rowCount { larger[row] = rows[place(row)] }
    rows = larger
    head = 0
  }
}

/// How far the items of a run have come.
struct ItemProgress: ~Copyable {
  private var ledger: ItemLedger
  private var arrivals: ArrivalSchedule
  private(set) var delivered = 0
  private(set) var done = 0
  /// Events posted for a step.
  private(set) var hops = 0
  /// Items on a thread that runs them.
  private var executing = 0
  /// What was answered since somebody looked; kept only for somebody who does.
  private var responses: [Response] = []
  private let isWatched: Bool

  init(_ plan: RunPlan, isWatched: Bool) {
    ledger = ItemLedger(plan, duration: plan.scenario.duration)
    arrivals = ArrivalSchedule(plan)
    self.isWatched = isWatched
  }

  /// Items that have been delivered and that no thread is running.
  var waiting: Int { delivered - done - executing }

  /// The next item, if it arrives at or before `instant`: delivered from now on.
  mutating func nextArrival(atOrBefore instant: Instant) -> Item? {
    guard let arrival = arrivals.next(atOrBefore: instant) else { return nil }
    ledger.arrived(arrival)
    delivered += 1
    return Item(arrival)
  }

  /// When the next item arrives; nil when no more do.
  var upcomingArrival: Instant? { arrivals.upcoming }

  /// Lets `count` more items of `workload` arrive now.
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

  /// Notes that the main thread takes `item` up, and that it is through with it for now.
  mutating func handlersBegan(_ item: Item, at now: Instant) {
    ledger.handlersBegan(item.workload, Int(item.number), at: now)
  }
  mutating func handlersEnded(_ item: Item, at now: Instant) {
    ledger.handlersEnded(item.workload, Int(item.number), at: now)
  }

  mutating func resultRan(_ item: Item) { ledger.resultRan(item.workload, Int(item.number)) }

  /// Notes that the frame under way has ended, and is not ready.
  mutating func frameEnded() { ledger.frameEnded() }

  /// Notes that the oldest frame that was not ready, or else the one that has ended, is shown at `instant`.
  mutating func frameShown(at instant: Instant) {
    guard isWatched else { return ledger.frameShown(at: instant) }
    var told: [Response] = []
    ledger.frameShown(at: instant) { told.append($0) }
    responses += told
  }

  mutating func takeResponses(into other: inout [Response]) { swap(&responses, &other) }

  func newestDone(in service: ServiceIndex, of plan: RunPlan, by end: Instant) -> Instant? {
    ledger.newestDone(in: service, of: plan, by: end)
  }

  // MARK: The end

  /// Notes that somebody held `item` when the run ended.
  mutating func pending(_ item: Item) { ledger.pending(item.workload, Int(item.number)) }

  /// Counts what arrived before `end` although nobody delivered it.
  consuming func finish(at end: Instant) -> [ItemLog] {
    while let item = nextArrival(atOrBefore: end - .nanoseconds(1)) { pending(item) }
    return ledger.finish()
  }
}

extension Item {
  fileprivate init(_ arrival: ArrivalSchedule.Item) {
    self.init(workload: arrival.workload, step: 0, number: Int32(arrival.number))
  }
}

/// The items of each workload that wait behind one under way: how carrier `ordered` keeps the order on several threads.
struct OrderedItems {
  private let drain: DrainUnit
  private var sources: PerWorkload<Source>

  private struct Source {
    var waiting = ItemQueue()
    /// Whether an item of the workload is on its way to a thread, or on one.
    var hasRunner = false
    /// What is left of the batch that the runner has begun.
    var left = 0
  }

  enum Next {
    /// Nothing waits.
    case ends
    /// This item, on the same thread.
    case continues(Item)
    /// This item, posted like any other.
    case posts(Item)
  }

  init(_ drain: DrainUnit, of plan: RunPlan) {
    self.drain = drain
    sources = plan.workloads.mapValues { _ in Source() }
  }

  /// Whether `item` may go on to a thread; otherwise it waits here.
  mutating func admits(_ item: Item) -> Bool {
    if sources[item.workload].hasRunner {
      sources[item.workload].waiting.append(item)
      return false
    }
    sources[item.workload].hasRunner = true
    return true
  }

  /// A thread has taken an item of `workload`: a batch is what waits by now.
  mutating func begin(_ workload: WorkloadIndex) {
    sources[workload].left = drain == .batch ? sources[workload].waiting.count : 0
  }

  /// What whoever ran an item of `workload` does next.
  mutating func next(after workload: WorkloadIndex) -> Next {
    guard let item = sources[workload].waiting.popFirst() else {
      sources[workload].hasRunner = false
      return .ends
    }
    guard sources[workload].left > 0 else { return .posts(item) }
    sources[workload].left -= 1
    return .continues(item)
  }

  /// Any item that waits.
  mutating func popFirst() -> Item? {
    for workload in sources.indices {
      if let item = sources[workload].waiting.popFirst() { return item }
    }
    return nil
  }
}
