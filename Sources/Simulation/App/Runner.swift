internal import FrameBudget

/// A thread of the simulated app while it runs an item: how far it has come within a step.
struct Runner {
  let lane: LaneIndex
  var stage = Stage.waits
  var item = Item()
  /// Whether `item` is its to account for: from its begin until it is handed back, posted on or put aside.
  var holdsItem = false
  /// The lock it holds, beside those that it keeps to the item's end.
  var lock: LockIndex = .absent
  var stepBegan = Instant.zero
  /// What taking the lock for this step has cost.
  var locking = TimeSpan.zero

  enum Stage {
    /// A lane's thread that restores what earlier runs have left, from time 0 on.
    case sleeps, restores
    /// A lane's thread between two items.
    case waits, takes
    /// Within an item, before and after a step.
    case approaches, enters, blocks, copies, changes, publishes
    /// Behind the last step on this lane.
    case leaves, ended, drains
  }

  init(lane: LaneIndex) { self.lane = lane }
}

/// A lane of the simulated app.
struct LaneState {
  let overtaking: Bool
  /// Services that live here and that the UI reads snapshots of.
  let residents: [ServiceIndex]
  /// Items posted here that are not through yet.
  var outstanding = 0
  /// Events that no thread has taken: one for each item, or one for each of its steps here.
  var waiting = 0
  private var urgent = ItemQueue()
  private var regular = ItemQueue()
  /// Only on a lane whose carrier keeps each workload's order on several threads.
  private var ordered: OrderedItems?

  init(_ lane: Lane, residents: [ServiceIndex], workloads: Int) {
    overtaking = lane.overtaking
    waiting = lane.keptJobs
    self.residents = residents
    if lane.carrier.description.order == .perWorkload {
      ordered = OrderedItems(lane.options.choice(.drain), workloads: workloads)
    }
  }

  var isEmpty: Bool { urgent.isEmpty && regular.isEmpty }

  /// Takes an item in; false if it waits behind another one of its workload, so that no thread is to be told.
  mutating func post(_ item: Item, hasPriority: Bool) -> Bool {
    if ordered?.admits(item) == false { return false }
    append(item, hasPriority: hasPriority)
    return true
  }

  mutating func append(_ item: Item, hasPriority: Bool) {
    if overtaking && hasPriority { urgent.append(item) } else { regular.append(item) }
  }

  mutating func popFirst() -> Item? { urgent.popFirst() ?? regular.popFirst() }

  /// The item for a thread that was told of one.
  mutating func take() -> Item? {
    let item = popFirst()
    if let item { ordered?.begin(item.index) }
    return item
  }

  /// What a thread does that has just run an item of `workload` here.
  mutating func next(after workload: WorkloadIndex) -> OrderedItems.Next {
    ordered?.next(after: workload) ?? .ends
  }

  /// Any item that has not begun.
  mutating func popLeft() -> Item? { popFirst() ?? ordered?.popFirst() }
}
