internal import FrameBudget

// The main thread's loop: deliver, drain results, run business logic, read state, render.
extension SimulatedApp {
  mutating func nextOfMain(at now: Instant, ready: TimeSpan) -> Operation {
    if frame.isLocking { noteLockTaken(at: now) }
    while true {
      if let operation = goOn(at: now, ready: ready) {
        if case .lock = operation { noteLockWanted(at: now) }
        return operation
      }
    }
  }

  /// Goes on by one stage; nil if that took no operation.
  private mutating func goOn(at now: Instant, ready: TimeSpan) -> Operation? {
    switch frame.stage {
    case .sleeps: sleep()
    case .begins: begin(at: now, ready: ready)
    case .launched: enter(.delivers, .post, at: now)
    case .delivers: deliver()
    case .admits: admit(at: now)
    case .drains: drain(at: now)
    case .chooses: choose(at: now)
    case .works: work(at: now)
    case .ran: ran(at: now)
    case .releases: release()
    case .rests: rest(at: now)
    case .publishes: beginReads(at: now)
    case .reads: read(at: now)
    case .looks: look(at: now)
    case .looked: looked()
    case .renders: render(at: now)
    case .ends: end(at: now, ready: ready)
    }
  }

  // MARK: Begin and end

  private mutating func sleep() -> Operation {
    frame.stage = .begins
    return frame.vsync < frame.last ? .sleep(until: frame.due) : .end
  }

  private mutating func begin(at now: Instant, ready: TimeSpan) -> Operation? {
    frames.begin(vsync: frame.vsync, wokeAt: now)
    frame.begin(at: now, ready: ready)
    if gate.holdsBack { gate.open(vsync: frame.vsync, reserve: reserve) }
    return frame.vsync == 0 ? launch() : nil
  }

  /// The first frame creates what restores on the main thread: that is business logic.
  private mutating func launch() -> Operation? {
    let lanes = plan.arrangement.lanes.indices.filter {
      !plan.arrangement.lanes[$0].restoresInBackground
    }
    let restoring = lanes.reduce(TimeSpan.zero) { $0 + self.restoring(on: $1) }
    guard restoring > .zero else { return nil }
    frame.stage = .launched
    frame.phase = .logic
    return .compute(restoring)
  }

  /// What reads and drawing will take in this frame.
  private var reserve: TimeSpan {
    frame.reads.indices.reduce(plan.renderCost(vsync: frame.vsync)) {
      $0 + plan.readCost($1, vsync: frame.vsync)
    }
  }

  private mutating func end(at now: Instant, ready: TimeSpan) -> Operation? {
    closeAccounts(at: now, ready: ready)
    let shown = frames.end(at: now)
    frame.due = frame.refresh.vsync(shown)
    tellResponses(shownAt: frame.due)
    gate.learn(reserve: now - frame.rested - frame.blockedSince)
    frame.dropped += min(shown, frame.last + 1) - frame.vsync - 1
    frame.vsync = shown
    frame.stage = .sleeps
    return nil
  }

  private mutating func tellResponses(shownAt instant: Instant) {
    guard isWatched else { return items.frameShown(at: instant) }
    var told: [Response] = []
    items.frameShown(at: instant) { told.append($0) }
    responses += told
  }

  // MARK: Arrivals and results

  private mutating func deliver() -> Operation? {
    if let change = renices.next(atOrBefore: frame.due) { return renice(change) }
    while let arrival = arrivals.next(atOrBefore: frame.due) {
      items.arrived(arrival)
      delivered += 1
      let item = Item(arrival)
      if gate.holdsBack && !hasPriority[item.index] {
        heldBack.append(item)
      } else if let operation = start(item) {
        return operation
      }
    }
    frame.stage = .admits
    frame.admissions = gate.admits(heldBack.count)
    return nil
  }

  private func renice(_ change: ReniceSchedule.Change) -> Operation {
    // Lanes that can be given another nice value have one thread.
    let thread = runners.firstIndex { $0.lane == change.lane }
    guard let thread else { preconditionFailure("a thread for each lane") }
    return .renice(thread, to: change.nice)
  }

  /// Puts `item` on the main thread's run queue, or posts it to the lane of its first step.
  private mutating func start(_ item: Item) -> Operation? {
    if steps.lane(of: item) != .main { return post(item) }
    lanes[.main].append(item, hasPriority: hasPriority[item.index])
    return nil
  }

  private mutating func admit(at now: Instant) -> Operation? {
    while frame.admissions > 0, let item = heldBack.popFirst() {
      frame.admissions -= 1
      if let operation = start(item) { return operation }
    }
    frames.waiting(items: delivered - done - executing)
    // What lanes hand over from now on waits for the next frame.
    while let item = inbox.popFirst() {
      lanes[.main].append(item, hasPriority: hasPriority[item.index])
    }
    frame.resultsLeft = results.count
    frame.hasDrained = false
    frame.drainBegan = now
    return enter(.drains, .drain, at: now)
  }

  private mutating func drain(at now: Instant) -> Operation? {
    if case .coalesced = frame.returning { return drainTogether(at: now) }
    while frame.resultsLeft > 0 {
      if case .drained(let budget) = frame.returning, frame.hasDrained,
        now - frame.drainBegan >= budget
      {
        break
      }
      guard let item = results.popFirst() else { break }
      frame.resultsLeft -= 1
      frame.hasDrained = true
      frames.handled(items: 1)
      let cost = showResult(of: item)
      if cost > .zero { return .compute(cost) }
    }
    return enter(.chooses, .logic, at: now)
  }

  /// All results of a workload are one update, at the cost of the first.
  private mutating func drainTogether(at now: Instant) -> Operation? {
    while frame.resultsLeft > 0, let item = results.popFirst() {
      frame.resultsLeft -= 1
      items.resultRan(item.index, Int(item.number))
      frames.handled(items: 1)
      if frame.updates[item.index] < 0 { frame.updates[item.index] = item.number }
    }
    for workload in frame.updates.indices where frame.updates[workload] >= 0 {
      let item = Int(frame.updates[workload])
      frame.updates[workload] = -1
      return .compute(resultCost(of: workload, item: item))
    }
    return enter(.chooses, .logic, at: now)
  }

  private func resultCost(of workload: WorkloadIndex, item: Int) -> TimeSpan {
    resultCosts[workload] ?? plan.workloads[workload].resultCost(item: item)
  }

  private mutating func showResult(of item: Item) -> TimeSpan {
    items.resultRan(item.index, Int(item.number))
    return resultCost(of: item.index, item: Int(item.number))
  }

  // MARK: Business logic

  private mutating func choose(at now: Instant) -> Operation? {
    if let item = lanes[.main].popFirst() {
      frame.wasHeldBack = false
      beginOnMain(item)
    } else if gate.fillsFrames, let item = heldBack.first, fits(item, at: now) {
      _ = heldBack.popFirst()
      frame.wasHeldBack = true
      beginOnMain(item)
    } else {
      frame.stage = .rests
    }
    return nil
  }

  private mutating func beginOnMain(_ item: Item) {
    begin(item, on: 0)
    frame.begun = item
    frames.handled(items: 1)
    frame.stage = .works
  }

  private mutating func fits(_ item: Item, at now: Instant) -> Bool {
    gate.starts(item.index, step: Int(item.step), item: Int(item.number), of: plan, at: now)
  }

  private mutating func work(at now: Instant) -> Operation? {
    if gate.fillsFrames, hasEndedStep { return judge(runners[0].item, at: now) }
    if let operation = advance(0, at: now) { return operation }
    return runners[0].stage == .leaves ? leave(runners[0].item, at: now) : nil
  }

  /// Whether the item that runs is through with a step, all that it published included, and nobody has looked at that.
  private var hasEndedStep: Bool {
    runners[0].stage == .approaches && runners[0].item != frame.begun
  }

  /// Learns what a step took, and puts `item` aside if its next one does not fit into this frame.
  private mutating func judge(_ item: Item, at now: Instant) -> Operation? {
    frame.begun = item
    gate.learn(item.index, step: Int(item.step) - 1, took: now - runners[0].stepBegan)
    let mayStay = !frame.wasHeldBack || !gate.slicesSteps || steps[item].isDone
    return mayStay || fits(item, at: now) ? nil : putAside(item)
  }

  /// Leaves `item` in front of those that are held back.
  private mutating func putAside(_ item: Item) -> Operation? {
    letGo(0)
    runners[0].stage = .ended
    changes.carry(item, from: 0)
    heldBack.prepend(item)
    frame.stage = .releases
    return nil
  }

  /// Lets go of all that the item held which was put aside.
  private mutating func release() -> Operation? {
    if let lock = releaseLast(of: 0) { return .unlock(lock) }
    frame.stage = .rests
    return nil
  }

  /// The item has no further step on the main thread: its result runs at once, or it is posted.
  private mutating func leave(_ item: Item, at now: Instant) -> Operation? {
    letGo(0)
    runners[0].stage = .ended
    frame.stage = .ran
    if steps[item].isDone {
      finish(item, on: 0, at: now)
      account(for: .drain, at: now)
      return .compute(showResult(of: item))
    }
    changes.carry(item, from: 0)
    account(for: .post, at: now)
    return post(item)
  }

  /// The item is through with the main thread: shown there, or posted to a lane.
  private mutating func ran(at now: Instant) -> Operation? {
    if gate.fillsFrames { gate.learn(runners[0].item.index, resultTook: now - frame.since) }
    return enter(.chooses, .logic, at: now)
  }

  /// The main lane has nothing left that it may run in this frame.
  private mutating func rest(at now: Instant) -> Operation? {
    frame.rested = now
    frame.blockedSince = .zero
    let freeing = publishAll(on: .main)
    frame.stage = .publishes
    return freeing > .zero ? .compute(freeing) : nil
  }
}
