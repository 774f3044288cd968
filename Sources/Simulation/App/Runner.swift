internal import FrameBudget

/// A thread of the simulated app while it runs an item: how far it has come within a step.
struct Runner {
  let lane: LaneIndex
  var stage = Stage.idle
  var item = Item()
  /// The item that goes on here once its part that the thread runs is over: it has waited for that one.
  var resumed: Item?
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
    /// Behind a step, where the item leaves the next one to others or may have to wait for them.
    case choosingStep
    /// Within an item, before and behind a step; `waiting` sleeps as the step says, say for a disk.
    case takingLock, enteringService, waiting, copyingState, leavingService, publishing
    /// Behind the last step on this lane, at first with locks.
    case lettingGo, leavingLane, endingEvent, choosingSuccessor
  }

  init(lane: LaneIndex) { self.lane = lane }

  /// Whether it waits for a lock, or as its step says, as others see it: without time between, it is at neither stage.
  var isBlocked: Bool { stage == .enteringService || stage == .copyingState }
}
