internal import DequeModule
internal import FrameBudget

/// Items that ended on other lanes: their results wait for the main thread.
struct ReturnedResults {
  private var drain: ResultDrain
  private var waiting = Deque<LiveItem>()
  private var spare: [ReturnQueue.Entry] = []

  init(_ plan: RunPlan) { drain = ResultDrain(plan) }

  /// Takes what lanes have handed back and returns how many items of that are done. What ended after `end`, when the
  /// run did, is pending: the run stops between steps.
  mutating func take(
    from returns: ReturnQueue, by end: Instant, _ items: inout ItemLedger
  ) -> Int {
    returns.take(into: &spare)
    let before = waiting.count
    for entry in spare {
      let item = entry.item
      if case .done(let instant) = entry.outcome, instant <= end {
        items.done(item.workload, item.number, at: instant)
        waiting.append(item)
      } else {
        items.pending(item.workload, item.number)
      }
    }
    return waiting.count - before
  }

  /// Whether the frame has left some of those that were there.
  var hasLeft: Bool { drain.hasLeft }

  /// Opens a frame's drain, which begins `now`.
  mutating func open(at now: Instant) { drain.open(waiting.count, at: now) }

  /// The next result that the frame takes, and whether it is an update of the UI of its own.
  mutating func next(at now: Instant) -> (item: LiveItem, isUpdate: Bool)? {
    guard drain.takesNext(at: now), let item = waiting.popFirst() else { return nil }
    return (item, drain.isUpdate(item.workload))
  }
}
