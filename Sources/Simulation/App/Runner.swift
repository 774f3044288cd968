internal import FrameBudget

/// A thread of the simulated app while it runs an item: how far it has come within a step.
struct Runner {
  let lane: LaneIndex
  var stage = Stage.idle
  var item = Item()
  /// Whether `item` is its to account for: from its begin until it is handed back, posted on or put aside.
  var holdsItem = false
  var locks = HeldLocks()
  var stepBegan = Instant.zero
  /// What taking the lock for this step has cost.
  var locking = TimeSpan.zero

  /// What it does when it is next asked.
  enum Stage {
    /// A lane's thread that restores what earlier runs have left, from time 0 on.
    case waitingForStart, restoring
    /// A lane's thread between two items.
    case idle, takingItem
    /// Within an item, before and behind a step; `waiting` sleeps as the step says, say for a disk.
    case takingLock, enteringService, waiting, copyingState, leavingService, publishing
    /// Behind the last step on this lane.
    case leavingLane, endingEvent, choosingSuccessor
  }

  init(lane: LaneIndex) { self.lane = lane }
}
