internal import FrameBudget

/// A plan's workloads and steps side by side in memory, with all that the engine asks about them.
struct StepTable {
  struct Entry {
    let service: ServiceIndex
    /// Nil behind the last step of a workload.
    let lane: LaneIndex?
    /// The lock that guards the service; nil where it is confined to a lane.
    let lock: LockIndex?
    /// How long the lock is held.
    let hold: Lock.Hold
    let wait: TimeSpan
    /// What it costs every item; negative where that is drawn.
    let cost: TimeSpan
    /// Whether it is an event of its own although the step before is on the same lane.
    let isSplit: Bool
    /// As how many events an item is posted to this step's lane.
    let events: Int

    var isDone: Bool { lane == nil }
  }

  /// By workload its steps, then an entry that says that there are no more.
  private let entries: ContiguousArray<Entry>
  /// The place of a workload's first step.
  private let starts: PerWorkload<Int>
  private let priorities: PerWorkload<Bool>
  /// What a workload's result takes; nil where that differs from item to item.
  private let resultCosts: PerWorkload<TimeSpan?>

  init(_ plan: RunPlan) {
    var entries: ContiguousArray<Entry> = []
    starts = plan.workloads.mapValues { workload in
      let start = entries.count
      for place in workload.steps.indices { entries.append(Entry(place, of: workload, in: plan)) }
      entries.append(Entry())
      return start
    }
    self.entries = entries
    priorities = plan.workloads.mapValues(\.hasPriority)
    resultCosts = plan.workloads.mapValues(\.workload.result.fixed)
  }

  /// What comes next for `item`.
  ///
  /// Inlined, so that a caller loads the two or three fields that it looks at instead of a copy of all.
  @inline(__always)
  subscript(item: Item) -> Entry { entries[starts[item.workload] + Int(item.step)] }

  /// The lane on which `item` goes on; an item without steps ends on the main one.
  func lane(of item: Item) -> LaneIndex { self[item].lane ?? .main }

  func hasPriority(_ item: Item) -> Bool { priorities[item.workload] }

  /// What the result of `item` takes.
  func resultCost(of item: Item, in plan: RunPlan) -> TimeSpan {
    resultCosts[item.workload] ?? plan.workloads[item.workload].resultCost(item: Int(item.number))
  }
}

extension StepTable.Entry {
  fileprivate init(_ place: Int, of workload: WorkloadPlan, in plan: RunPlan) {
    let (step, arrangement) = (workload.steps[place], plan.arrangement)
    service = step.service
    lane = step.lane
    lock = step.lock
    hold = step.hold
    events = workload.events(from: place, in: arrangement)
    isSplit =
      place > 0 && workload.steps[place - 1].lane == step.lane
      && arrangement.lanes[step.lane].splitsSteps
    wait = step.wait
    cost = step.load.duration.fixed == nil ? TimeSpan(nanoseconds: -1) : step.cost(item: 0)
  }

  /// Behind the last step.
  fileprivate init() {
    service = 0
    lane = nil
    lock = nil
    hold = .step
    wait = .zero
    cost = .zero
    isSplit = false
    events = 1
  }
}
