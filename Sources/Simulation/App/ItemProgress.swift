internal import FrameBudget

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
  mutating func letGo() { executing -= 1 }
  mutating func posted() { hops += 1 }

  mutating func done(_ item: Item, at now: Instant) {
    done += 1
    ledger.done(item.workload, Int(item.number), at: now)
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
