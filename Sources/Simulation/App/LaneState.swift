internal import FrameBudget

/// A lane of the simulated app.
struct LaneState {
  /// What handing an event over costs.
  let costs: HandOffCosts
  /// What restoring the kept jobs takes.
  let restoring: TimeSpan
  /// Services that live here and that the UI reads snapshots of.
  let residents: [ServiceIndex]
  private let overtaking: Bool
  /// Where a pool serves it: how many workers can be on it at once, how many places of these are taken, and for how many
  /// events there was none.
  private let width: Int
  private var (seatsTaken, unseated) = (0, 0)
  /// Items posted here that are not through yet.
  var outstanding = 0
  /// Events that no thread has taken: one for each item, or one for each of its steps here.
  var waiting = 0
  private var urgent = ItemQueue()
  private var regular = ItemQueue()
  /// Only on a lane whose carrier keeps each workload's order on several threads.
  private var ordered: OrderedItems?

  init(_ index: LaneIndex, of plan: RunPlan, costs: Costs) {
    let lane = plan.arrangement.lanes[index]
    self.costs = costs.handOff(to: lane)
    restoring = self.costs.perKept * lane.keptJobs
    residents = plan.publishedServices(on: index)
    overtaking = lane.overtaking
    width = lane.width
    waiting = lane.keptJobs
    if lane.carrier.description.order == .perWorkload {
      ordered = OrderedItems(lane.options.choice(.drain), of: plan)
    }
  }

  /// Takes in the next `events` of an item; returns what posting them costs beyond the first post. What waits is walked
  /// through once, however many are posted.
  mutating func expect(_ events: Int) -> TimeSpan {
    let before = waiting
    outstanding += 1
    waiting += events
    return costs.post * (events - 1) + costs.perWaiting * (before + events - 1)
  }

  /// What the end of an event costs: the others are walked through.
  var bookkeeping: TimeSpan { costs.perWaiting * waiting }

  /// Takes an item in; false if it waits behind another one of its workload, so that no thread is to be told.
  mutating func post(_ item: Item, hasPriority: Bool) -> Bool {
    if ordered?.admits(item) == false { return false }
    append(item, hasPriority: hasPriority)
    return true
  }

  /// Takes a place for an event's worker; false if the event has to wait for one.
  mutating func reserveSeat() -> Bool {
    if seatsTaken == width {
      unseated += 1
      return false
    }
    seatsTaken += 1
    return true
  }

  /// Gives the place of a worker that is through to an event that waits for one; false if none does.
  mutating func passSeatOn() -> Bool {
    if unseated > 0 {
      unseated -= 1
      return true
    }
    seatsTaken -= 1
    return false
  }

  mutating func append(_ item: Item, hasPriority: Bool) {
    if overtaking && hasPriority { urgent.append(item) } else { regular.append(item) }
  }

  mutating func popFirst() -> Item? { urgent.popFirst() ?? regular.popFirst() }

  /// The item for a thread that was told of one.
  mutating func take() -> Item? {
    let item = popFirst()
    if let item { ordered?.begin(item.workload) }
    return item
  }

  /// What a thread does that has just run an item of `workload` here.
  mutating func next(after workload: WorkloadIndex) -> OrderedItems.Next {
    ordered?.next(after: workload) ?? .ends
  }

  /// Any item that has not begun.
  mutating func popLeft() -> Item? { popFirst() ?? ordered?.popFirst() }
}
