internal import FrameBudget

/// A plan's steps side by side in memory, each with all that the engine asks about it.
struct StepTable {
  struct Entry {
    let service: ServiceIndex
    let lane: LaneIndex
    /// The lock that guards the service; `absent` where it is confined to a lane.
    let lock: LockIndex
    /// Whether the lock is kept from step to step.
    let keepsLock: Bool
    let wait: TimeSpan
    /// What it costs every item; nil where that is drawn.
    let cost: TimeSpan?
  }

  private let entries: ContiguousArray<Entry>
  /// By workload: the place of its first step, and at the end that of the step behind the last one.
  private let starts: ContiguousArray<Int>

  init(_ plan: RunPlan) {
    var entries: ContiguousArray<Entry> = []
    var starts: ContiguousArray<Int> = [0]
    for workload in plan.workloads {
      for step in workload.steps { entries.append(Entry(step, in: plan.arrangement)) }
      starts.append(entries.count)
    }
    self.entries = entries
    self.starts = starts
  }

  /// The step that comes next for `item`; nil once it has none left.
  subscript(item: Item) -> Entry? {
    let place = starts[item.index] + Int(item.step)
    return place < starts[item.index + 1] ? entries[place] : nil
  }

  /// The lane on which `item` goes on; an item without steps ends on the main one.
  func lane(of item: Item) -> LaneIndex { self[item]?.lane ?? .main }
}

extension StepTable.Entry {
  fileprivate init(_ step: StepPlan, in arrangement: Arrangement) {
    service = step.service
    lane = step.lane
    lock = step.lock ?? .absent
    keepsLock = step.lock.map { arrangement.locks[$0].hold == .item } ?? false
    wait = step.wait
    if case .constant = step.load.duration { cost = step.cost(item: 0) } else { cost = nil }
  }
}
