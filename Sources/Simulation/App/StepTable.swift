internal import FrameBudget

/// A plan's steps side by side in memory, each with all that the engine asks about it.
struct StepTable {
  struct Entry {
    let service: ServiceIndex
    /// `absent` behind the last step of a workload.
    let lane: LaneIndex
    /// The lock that guards the service; `absent` where it is confined to a lane.
    let lock: LockIndex
    /// Whether the lock is kept from step to step.
    let keepsLock: Bool
    /// Whether the lock is kept until the item leaves the lane.
    let nestsLock: Bool
    let wait: TimeSpan
    /// What it costs every item; negative where that is drawn.
    let cost: TimeSpan
    /// Whether it is an event of its own although the step before is on the same lane.
    let isSplit: Bool
    /// As how many events an item is posted to this step's lane.
    let events: Int

    var isDone: Bool { lane == .absent }
  }

  /// By workload its steps, then an entry that says that there are no more.
  private let entries: ContiguousArray<Entry>
  /// By workload: the place of its first step.
  private let starts: ContiguousArray<Int>

  init(_ plan: RunPlan) {
    var entries: ContiguousArray<Entry> = []
    var starts: ContiguousArray<Int> = []
    for workload in plan.workloads {
      starts.append(entries.count)
      for place in workload.steps.indices { entries.append(Entry(place, of: workload, in: plan)) }
      entries.append(Entry())
    }
    self.entries = entries
    self.starts = starts
  }

  /// What comes next for `item`.
  ///
  /// Inlined, so that a caller loads the two or three fields that it looks at instead of a copy of all.
  @inline(__always)
  subscript(item: Item) -> Entry { entries[starts[item.index] + Int(item.step)] }

  /// The lane on which `item` goes on; an item without steps ends on the main one.
  func lane(of item: Item) -> LaneIndex { max(self[item].lane, .main) }
}

extension StepTable.Entry {
  fileprivate init(_ place: Int, of workload: WorkloadPlan, in plan: RunPlan) {
    let (step, arrangement) = (workload.steps[place], plan.arrangement)
    service = step.service
    lane = step.lane
    lock = step.lock ?? .absent
    events = workload.events(from: place, in: arrangement)
    isSplit =
      place > 0 && workload.steps[place - 1].lane == lane && arrangement.lanes[lane].splitsSteps
    // Steps that are events of their own hold nothing in between.
    let guardian = arrangement.lanes[lane].splitsSteps ? nil : step.lock
    let hold = guardian.map { arrangement.locks[$0].hold }
    keepsLock = hold == .item
    nestsLock = hold == .nested
    wait = step.wait
    cost = step.load.duration.fixed == nil ? TimeSpan(nanoseconds: -1) : step.cost(item: 0)
  }

  /// Behind the last step.
  fileprivate init() {
    service = 0
    lane = .absent
    lock = .absent
    keepsLock = false
    nestsLock = false
    wait = .zero
    cost = .zero
    isSplit = false
    events = 1
  }
}
