internal import FrameBudget

/// The workloads and steps of a plan in contiguous memory, with everything that the engine needs to know about them.
///
/// Each forked step has a row of its own after all steps of its workload: the step itself, and its end.
struct StepTable {
  struct Entry {
    /// Its index among the steps of the workload.
    let step: Int32
    let service: ServiceIndex
    /// Nil after the last step of a workload.
    let lane: LaneIndex?
    /// The lock that guards the service; nil if the service is confined to a lane.
    let lock: LockIndex?
    /// The hold of the lock.
    let hold: Lock.Hold
    /// Whether its item then leaves the lane until its wait is over; or, if nobody awaits the step, a part of the item does.
    var (leavesLane, leavesPart) = (false, false)
    /// The number of events with which an item is posted after that wait.
    var eventsAfterSuspension = 1
    /// How long it then blocks its thread; negative if the time is drawn for each item.
    let wait: TimeSpan
    /// The cost for every item; negative if it is drawn for each item.
    let cost: TimeSpan
    /// Whether it is an event of its own although the previous step is on the same lane, and whether each of its runs is.
    let isSplit: Bool
    var splitsRuns = false
    /// How often it runs; 0 if that differs from item to item.
    var runs: Int32 = 1
    /// Whether the result of the item runs behind it.
    var answers = false
    /// The number of events with which an item is posted to this step's lane.
    let events: Int
    /// Whether an item on another lane forks it, and whether it waits for earlier forks.
    var (isFork, joins) = (false, false)
    /// Whether it is posted even if the item is already on its lane: each step is an event there.
    var isPostedAnew = false
    /// Whether the entry is in the row of a forked step.
    var isPart = false
    /// For a forked step: the index at which its own row begins.
    var row: Int32 = 0
    /// Whether the next step follows on the same thread, and between the two nothing happens but that locks change hands.
    var isFollowed = false

    var isDone: Bool { lane == nil }
    var suspends: Bool { leavesLane || leavesPart }
    /// Whether it forks or joins.
    var isSpecial: Bool { isFork || joins }
  }

  /// For each workload: its steps, an end entry, then the rows of its forked steps.
  private let entries: ContiguousArray<Entry>
  /// The index of a workload's first step.
  private let starts: PerWorkload<Int>
  private let priorities: PerWorkload<Bool>
  /// The source of events that prepare the first part of drawing; those of the others follow.
  private let firstPart: WorkloadIndex
  private let answersEarly: PerWorkload<Bool>
  /// The cost of a workload's result; nil if it differs from item to item.
  private let resultCosts: PerWorkload<TimeSpan?>
  /// For what differs from item to item.
  private let workloads: PerWorkload<WorkloadPlan>

  init(_ plan: RunPlan) {
    var entries: ContiguousArray<Entry> = []
    let published = plan.publishedServices
    starts = plan.workloads.mapValues { workload in
      let start = entries.count
      for step in workload.steps.indices { entries.append(Entry(step, of: workload, in: plan)) }
      entries.append(Entry(behind: workload.steps.count))
      for place in start..<entries.count - 1 {
        entries[place].isFollowed =
          entries[place].isPlain(published) && entries[place + 1].isPlain(published)
          && entries[place].isFollowed(by: entries[place + 1]) && workload.newest != .latest
      }
      for step in workload.steps.indices where workload.steps[step].isFork {
        entries[start + step].row = Int32(entries.count - start)
        entries.append(
          Entry(
            part: entries[start + step],
            events: workload.eventsOfFork(at: step, in: plan.arrangement)))
        entries.append(Entry(behind: step, isPart: true))
      }
      return start
    }
    self.entries = entries
    // Frames wait for parts of drawing.
    priorities = PerWorkload(plan.workloads.map(\.hasPriority) + plan.frameParts.map { _ in true })
    firstPart = plan.source(ofPart: 0)
    answersEarly = plan.workloads.mapValues { $0.answer != nil }
    resultCosts = plan.workloads.mapValues(\.workload.result.fixed)
    workloads = plan.workloads
  }

  /// The next step of `item`.
  ///
  /// Inlined, so that a caller loads the two or three fields that it reads instead of a copy of the whole entry.
  @inline(__always)
  subscript(item: Item) -> Entry { self[place(of: item)] }

  /// The place of the next step of `item`; the step after that follows.
  @inline(__always)
  func place(of item: Item) -> Int { starts[item.workload] + Int(item.step) }

  /// The index of the next step of `item` among those of its workload. That of a part is not its `step`, which is its row.
  func index(of item: Item) -> Int { Int(self[item].step) }

  /// The index of the step that `item` ended last, or of which it ended a run; it must have ended one.
  func endedIndex(of item: Item) -> Int {
    Int(self[place(of: item) - (item.run > 0 ? 0 : 1)].step)
  }

  /// The step at a place.
  @inline(__always)
  subscript(place: Int) -> Entry { entries[place] }

  /// The number of events with which `item` is posted to its lane.
  @inline(__always)
  func events(of item: Item) -> Int {
    guard item.isSuspended else { return self[item].events }
    return isLastRun(of: item) ? self[item].eventsAfterSuspension : 1
  }

  /// The end of `item`, or of its part.
  func end(of item: Item) -> Item {
    var end = item.at(item.step)
    while !self[end].isDone { end = end.next }
    return end
  }

  /// The events with which `item` was posted to its lane and that have not begun, if each step is one.
  func eventsLeft(of item: Item) -> Int { self[item].events - Int(item.run) - 1 }

  /// The part of `item` that runs its next step on another lane.
  func part(of item: Item) -> Item { item.at(self[item].row) }

  /// The next step of `item`, as a trace names it.
  func traceStep(of item: Item) -> TraceStep {
    TraceStep(workload: item.workload, item: Int(item.number), step: index(of: item))
  }

  /// The lane of the next step of `item`; main for an item without steps.
  func lane(of item: Item) -> LaneIndex { self[item].lane ?? .main }

  func hasPriority(_ item: Item) -> Bool { priorities[item.workload] }

  /// The index of the part of drawing that the event of `item` prepares; nil if it is an item.
  @inline(__always)
  func partOfDrawing(_ item: Item) -> Int? {
    item.workload < firstPart ? nil : item.workload.position - firstPart.position
  }

  /// Whether the result of `item` runs behind a step, not at its end.
  func answersEarly(_ item: Item) -> Bool { answersEarly[item.workload] }

  /// Whether the step of `item` does not run again.
  @inline(__always)
  func isLastRun(of item: Item) -> Bool {
    let runs = entries[place(of: item)].runs
    return runs == 1 || item.run + 1 >= (runs > 1 ? runs : drawnRuns(of: item))
  }

  /// Whether a step of `item`, or a run of one, has not begun.
  func hasStepLeft(of item: Item) -> Bool {
    guard item.isSuspended else { return !self[item].isDone }
    return !isLastRun(of: item) || !self[place(of: item) + 1].isDone
  }

  @inline(never)
  private func drawnRuns(of item: Item) -> Int32 {
    Int32(workloads[item.workload].steps[index(of: item)].runs(item: Int(item.number)))
  }

  /// The cost of the result of `item`.
  func resultCost(of item: Item) -> TimeSpan {
    resultCosts[item.workload] ?? workloads[item.workload].resultCost(item: Int(item.number))
  }
}

extension StepTable.Entry {
  /// Whether it only takes time, under a lock that is released behind it. The UI reads snapshots of services in `published`.
  fileprivate func isPlain(_ published: [ServiceIndex]) -> Bool {
    !isDone && runs == 1 && cost >= .zero && wait == .zero && !suspends && !answers
      && hold == .step && !published.contains(service)
  }

  fileprivate func isFollowed(by next: Self) -> Bool {
    lane == next.lane && !next.isSpecial && !next.isSplit
  }

  fileprivate init(_ index: Int, of workload: WorkloadPlan, in plan: RunPlan) {
    let (step, arrangement) = (workload.steps[index], plan.arrangement)
    self.step = Int32(index)
    service = step.service
    lane = step.lane
    lock = step.lock
    hold = step.hold
    events = workload.events(from: index, in: arrangement)
    isSplit = workload.isSplit(at: index, in: arrangement)
    (isFork, joins) = (step.isFork, step.joins)
    (leavesLane, leavesPart) = (step.leavesLane, step.suspension != nil && step.isFork)
    eventsAfterSuspension = workload.eventsAfterSuspension(in: index, in: arrangement)
    isPostedAnew = step.isSpecial && arrangement.lanes[step.lane].splitsSteps
    let isFixed = step.slice == nil
    wait = (isFixed ? step.wait.fixed : nil) ?? TimeSpan(nanoseconds: -1)
    cost =
      isFixed && step.load.duration.fixed != nil
      ? step.cost(item: 0) : TimeSpan(nanoseconds: -1)
    runs = isFixed ? Int32(step.repeats) : 0
    answers = step.answers
    splitsRuns = step.lane != .main && arrangement.lanes[step.lane].splitsSteps
  }

  /// The only step of a part: the forked step of `entry`.
  fileprivate init(part entry: Self, events: Int) {
    step = entry.step
    (service, lane, lock, hold) = (entry.service, entry.lane, entry.lock, entry.hold)
    (wait, cost) = (entry.wait, entry.cost)
    (runs, splitsRuns, answers) = (entry.runs, entry.splitsRuns, entry.answers)
    leavesLane = entry.suspends
    isSplit = false
    self.events = events
    isPart = true
  }

  /// The end of the steps of a workload or of a part.
  fileprivate init(behind step: Int, isPart: Bool = false) {
    self.step = Int32(step)
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
