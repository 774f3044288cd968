internal import FrameBudget

/// A plan's workloads and steps side by side in memory, with all that the engine asks about them.
///
/// Where steps are left to others, each of these has a row of its own behind all others: the one step, and the end of it.
struct StepTable {
  struct Entry {
    /// Its place among the steps of the workload.
    let place: Int32
    let service: ServiceIndex
    /// Nil behind the last step of a workload.
    let lane: LaneIndex?
    /// The lock that guards the service; nil where it is confined to a lane.
    let lock: LockIndex?
    /// How long the lock is held.
    let hold: Lock.Hold
    /// How long it then blocks its thread; negative where that is drawn.
    let wait: TimeSpan
    /// What it costs every item; negative where that is drawn.
    let cost: TimeSpan
    /// Whether it is an event of its own although the step before is on the same lane.
    let isSplit: Bool
    /// As how many events an item is posted to this step's lane.
    let events: Int
    /// Whether an item on another lane leaves it to this one, and whether it waits for what was left before.
    var (isFork, joins) = (false, false)
    /// Whether it is posted anew even if the item is on its lane: there each step is an event of its own.
    var isPostedAnew = false
    /// In the row of a step that was left to another lane.
    var isPart = false
    /// Of a step that items leave to other lanes: where its own row begins.
    var row: Int32 = 0

    var isDone: Bool { lane == nil }
    /// Whether an item does more on its way to it than to go there.
    var isSpecial: Bool { isFork || joins }
  }

  /// By workload its steps, then an entry that says that there are no more, then the rows of steps left to others.
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
      entries.append(Entry(behind: workload.steps.count))
      for place in workload.steps.indices where workload.steps[place].isFork {
        entries[start + place].row = Int32(entries.count - start)
        entries.append(Entry(part: entries[start + place]))
        entries.append(Entry(behind: place, isPart: true))
      }
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

  /// The part of `item` that is its next step, for another lane to do.
  func part(of item: Item) -> Item { item.at(self[item].row) }

  /// The next step of `item`, as a trace names it.
  func place(of item: Item) -> TracePlace {
    TracePlace(workload: item.workload, item: Int(item.number), step: Int(self[item].place))
  }

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
    self.place = Int32(place)
    service = step.service
    lane = step.lane
    lock = step.lock
    hold = step.hold
    events = workload.events(from: place, in: arrangement)
    isSplit = workload.isSplit(at: place, in: arrangement)
    (isFork, joins) = (step.isFork, step.joins)
    isPostedAnew = step.isSpecial && arrangement.lanes[step.lane].splitsSteps
    wait = step.wait.fixed ?? TimeSpan(nanoseconds: -1)
    cost = step.load.duration.fixed == nil ? TimeSpan(nanoseconds: -1) : step.cost(item: 0)
  }

  /// The step of `entry` as it is where it was left to: the one step of a part.
  fileprivate init(part entry: Self) {
    place = entry.place
    (service, lane, lock, hold) = (entry.service, entry.lane, entry.lock, entry.hold)
    (wait, cost) = (entry.wait, entry.cost)
    isSplit = false
    events = 1
    isPart = true
  }

  /// Behind the last step, or behind a part.
  fileprivate init(behind place: Int, isPart: Bool = false) {
    self.place = Int32(place)
    self.isPart = isPart
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
