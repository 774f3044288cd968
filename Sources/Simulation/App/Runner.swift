internal import FrameBudget

/// A thread of the simulated app while it runs an item: how far it has come within a step.
struct Runner {
  let lane: LaneIndex
  var stage = Stage.waits
  var item = Item()
  /// The lock it holds.
  var lock: LockIndex = .absent
  var stepBegan = Instant.zero
  /// What taking the lock for this step has cost.
  var locking = TimeSpan.zero

  enum Stage {
    /// A lane's thread between two items.
    case waits, takes
    /// Within an item, before and after a step.
    case approaches, enters, blocks, copies, changes, publishes
    /// Behind the last step on this lane.
    case leaves, ended
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

  init(_ lane: Lane, residents: [ServiceIndex]) {
    overtaking = lane.overtaking
    self.residents = residents
  }

  var isEmpty: Bool { urgent.isEmpty && regular.isEmpty }

  mutating func append(_ item: Item, hasPriority: Bool) {
    if overtaking && hasPriority { urgent.append(item) } else { regular.append(item) }
  }

  mutating func popFirst() -> Item? { urgent.popFirst() ?? regular.popFirst() }
}
