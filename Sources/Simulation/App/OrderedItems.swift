internal import FrameBudget

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
    case goesOn(Item)
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
    return .goesOn(item)
  }

  /// Any item that waits.
  mutating func popFirst() -> Item? {
    for workload in sources.indices {
      if let item = sources[workload].waiting.popFirst() { return item }
    }
    return nil
  }
}
