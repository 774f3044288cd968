internal import DequeModule
internal import FrameBudget

// What a frame does before it draws.

extension FrameLoop {
  // MARK: What arrived

  /// Delivers what arrived by this frame's vsync, as a touch or a callback is delivered.
  mutating func deliver(_ vsync: Int) {
    if vsync == 0 {
      enter(.logic)
      for lane in app.lanes { lane.launch() }
      enter(.post)
    }
    renice(vsync)
    watch?.takeAdditions(into: &arrivals, clock: clock)
    while let arrival = arrivals.next(atOrBefore: refresh.vsync(vsync)) {
      items.arrived(arrival)
      delivered += 1
      let item = LiveItem(arrival)
      if gate.holdsBack && !plan.workloads[item.workload].hasPriority {
        heldBack.append(item)
      } else {
        admit(item)
      }
    }
    for _ in 0..<gate.admits(heldBack.count) { admit(heldBack.removeFirst()) }
    watch?.delivered(delivered)
    enter(.drain)
    frames.waiting(items: max(0, delivered - app.itemsEndedOrRunning))
  }

  /// Gives lanes the nice values that they have from this frame on.
  private mutating func renice(_ vsync: Int) {
    while let change = renices.next(atOrBefore: refresh.vsync(vsync)) {
      if !app.renice(change) { renices.skip(with: change) }
    }
  }

  private mutating func admit(_ item: LiveItem) {
    let lane = plan.workloads[item.workload].firstLane
    if lane == .main { ready.append(item) } else { app.post(item, to: lane, &trace) }
  }

  // MARK: Results

  /// Runs results of items that ended on other lanes, as many as the arrangement says.
  mutating func drain() {
    ready.append(contentsOf: app.takeMainInbox())
    takeReturned(by: end)
    let before = results.count
    switch plan.arrangement.returning {
    case .inPlace: while let item = results.popFirst() { runResult(item) }
    case .drained(let budget): drain(within: budget)
    case .coalesced: coalesce()
    }
    frames.handled(items: before - results.count)
    enter(.logic)
  }

  private mutating func drain(within budget: TimeSpan) {
    let began = clock.now
    while let item = results.popFirst() {
      runResult(item)
      if clock.now - began >= budget { return }
    }
  }

  /// One UI update for each workload, however many of its items ended.
  private mutating func coalesce() {
    var updated = Set<WorkloadIndex>()
    while let item = results.popFirst() {
      if updated.insert(item.workload).inserted {
        runResult(item)
      } else {
        items.resultRan(item.workload, item.number)
      }
    }
  }

  private mutating func runResult(_ item: LiveItem) {
    Burner.burn(plan.workloads[item.workload].resultCost(item: item.number))
    items.resultRan(item.workload, item.number)
  }

  /// Records what lanes handed back. What ended after the run did is pending: the run stops between steps.
  mutating func takeReturned(by end: Instant) {
    app.returns.take(into: &returned)
    var done = 0
    for entry in returned {
      let item = entry.item
      if case .done(let instant) = entry.outcome, instant <= end {
        items.done(item.workload, item.number, at: instant)
        results.append(item)
        done += 1
      } else {
        items.pending(item.workload, item.number)
      }
    }
    progress.itemsEnded(done)
  }

  // MARK: Business logic

  /// Runs what is on the main thread, then what is held back and fits into the frame.
  mutating func runLogic() {
    var handled = 0
    while !isOver, let item = ready.popFirst() {
      handled += 1
      if let left = advance(item) { ready.prepend(left) }
    }
    while gate.fillsFrames, !isOver, let item = heldBack.first, starts(item) {
      handled += 1
      heldBack.removeFirst()
      if let left = advance(item, onlyOneStep: gate.slicesSteps) { heldBack.prepend(left) }
    }
    frames.handled(items: handled)
  }

  /// Publishes what main's services have changed; returns how long that took.
  mutating func publish() -> TimeSpan {
    let began = clock.now
    app.publishAll(of: .main)
    enter(.reads)
    return clock.now - began
  }

  private mutating func starts(_ item: LiveItem) -> Bool {
    gate.starts(item.workload, step: item.step, item: item.number, of: plan, at: clock.now)
  }

  /// Runs the item's steps on the main thread; returns it if it is to go on there later.
  private mutating func advance(_ item: LiveItem, onlyOneStep: Bool = false) -> LiveItem? {
    var item = item
    var grip = LockGrip(on: .main, watch: watch)
    let steps = plan.workloads[item.workload].steps
    defer { grip.release(app, &trace) }
    while item.step < steps.count {
      checkForEnd()
      if isOver { return item }
      if steps[item.step].lane != .main {
        handOver(item)
        return nil
      }
      guard perform(item, grip: &grip) else { return item }
      item.step += 1
      if onlyOneStep && item.step < steps.count { return item }
    }
    grip.release(app, &trace)
    finish(item)
    return nil
  }

  /// Runs the item's next step and publishes what that changed; false if the run ended while it waited for a lock.
  private mutating func perform(_ item: LiveItem, grip: inout LockGrip) -> Bool {
    let step = plan.workloads[item.workload].steps[item.step]
    let began = clock.now
    let realWork = step.task.map { _ in RealWorkClock() }
    let taking = app.perform(item, grip: &grip, &trace)
    waited(taking)
    guard taking.isTaken else { return false }
    slept(step.wait)
    if let realWork { slept(realWork.slept(blocked: taking.blocked)) }
    app.stepEnded(step, grip: &grip, &trace)
    if gate.fillsFrames {
      gate.learn(item.workload, step: item.step, took: clock.now - began - taking.blocked)
    }
    return true
  }

  private mutating func handOver(_ item: LiveItem) {
    enter(.post)
    app.post(item, to: item.lane(in: plan), &trace)
    enter(.logic)
  }

  /// Ends an item on the main thread, where its result runs at once.
  private mutating func finish(_ item: LiveItem) {
    items.done(item.workload, item.number, at: app.noteDone(item))
    progress.itemsEnded(1)
    enter(.drain)
    let began = clock.now
    runResult(item)
    if gate.fillsFrames { gate.learn(item.workload, resultTook: clock.now - began) }
    enter(.logic)
  }
}
