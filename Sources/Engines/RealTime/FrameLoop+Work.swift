internal import FrameBudget

// A frame's work before drawing.

extension FrameLoop {
  // MARK: Arrivals

  /// Launches the lanes in the first frame. That is business logic, as when an app starts.
  mutating func launchLanes() {
    frames.enter(.logic)
    for lane in app.lanes.all { lane.launch() }
    frames.enter(.post)
  }

  /// Delivers the arrivals up to `due`, this frame's vsync, like touches or callbacks.
  mutating func deliver(by due: Instant) {
    renice(by: due)
    if let watch { queue.takeAdditions(from: watch, clock: clock) }
    if app.newest == nil {
      while let (item, _) = queue.nextArrival(receivedAt: due, &items) { start(item) }
    } else {
      receiveAll(by: due)
    }
    for item in queue.admitted() { start(item) }
    watch?.delivered(queue.delivered)
    frames.enter(.drain)
    frames.ledger.waiting(items: queue.waiting(besides: app.itemsEndedOrRunning))
  }

  /// Receives everything before the first item starts, because a newer one may replace it.
  private mutating func receiveAll(by due: Instant) {
    var arrived: [LiveItem] = []
    while let (item, _) = queue.nextArrival(receivedAt: due, &items) {
      arrived.append(item)
    }
    while let item = queue.nextReleased(at: due) { arrived.append(item) }
    for item in arrived { start(item) }
  }

  /// Applies the changes of nice values that are due.
  mutating func renice(by due: Instant) {
    while let change = renices.next(atOrBefore: due) {
      if !app.lanes.renice(change) { renices.skip(with: change) }
    }
  }

  private mutating func start(_ item: LiveItem) {
    if dropIfReplaced(item) { return }
    // If the first step is here, the handlers begin when it runs.
    if item.nextStep(in: plan)?.lane != .main { beginHandlers(of: item) }
    let item = app.forkOff(item, on: .main, &frames.trace)
    // Whether it must wait for its forks is checked when it runs.
    if item.nextStep(in: plan)?.lane == .main { return queue.append(item) }
    forward(item)
    endHandlers(of: item)
  }

  /// Records the start of an input's handlers, before the main thread posts or runs a step.
  mutating func beginHandlers(of item: LiveItem) {
    guard plan.workloads[item.workload].workload.isInput else { return }
    items.handlersBegan(item.workload, item.number, at: clock.now)
  }

  /// Records the end of an input's handlers for now.
  mutating func endHandlers(of item: LiveItem) {
    guard plan.workloads[item.workload].workload.isInput else { return }
    let now = clock.now
    if items.handlersEnded(item.workload, item.number, at: now) { inputEnded = now }
  }

  private mutating func forward(_ item: LiveItem) {
    guard let item = app.continued(item, from: .main, &frames.trace) else { return }
    guard let step = item.nextStep(in: plan) else { return queue.append(item) }
    app.post(item, to: step.lane, &frames.trace)
  }

  // MARK: Results

  /// Runs the results of items that ended on other lanes, within the arrangement's limit.
  mutating func drain() {
    for (item, _) in app.takeMainInbox() { queue.append(item) }
    takeReturned(by: end)
    showResults()
    frames.enter(.logic)
  }

  mutating func showResults() {
    results.open(at: clock.now)
    var handled = 0
    while let (item, isUpdate) = results.next(at: clock.now) {
      handled += 1
      showResult(of: item, isUpdate: isUpdate)
    }
    frames.ledger.handled(items: handled)
  }

  private mutating func showResult(of item: LiveItem, isUpdate: Bool = true) {
    if isUpdate { Burner.burn(plan.workloads[item.workload].resultCost(item: item.number)) }
    items.resultRan(item.workload, item.number)
  }

  mutating func takeReturned(by end: Instant) {
    results.take(from: app.returns, by: end, &items)
  }

  // MARK: Business logic

  /// Runs the ready items, then the held-back items that fit into the frame.
  mutating func runLogic() {
    var handled = 0
    while !isOver, let turn = nextTurn(at: clock.now) {
      if dropIfReplaced(turn.item) { continue }
      handled += 1
      let left = advance(turn.item, onlyOneStep: turn.wasHeldBack && queue.gate.slicesSteps)
      if let left { queue.putBack(left, after: turn) }
    }
    frames.ledger.handled(items: handled)
  }

  /// The next item to run; held-back items that a newer one has replaced do not count.
  mutating func nextTurn(at now: Instant) -> MainQueue.Turn? {
    while let item = queue.firstHeldBack, dropIfReplaced(item) { queue.dropFirstHeldBack() }
    return queue.next(of: plan, at: now)
  }

  /// Runs the item's steps on the main thread. Returns the item if it continues there later.
  mutating func advance(
    _ item: LiveItem, onlyOneStep: Bool, yielding: Yielding? = nil
  ) -> LiveItem? {
    var item = item
    beginHandlers(of: item)
    defer { endHandlers(of: item) }
    var grip = ItemLocks(on: .main, watch: watch)
    let continues = runSteps(of: &item, onlyOneStep: onlyOneStep, yielding, grip: &grip)
    // Before the item moves on: its next lane may wait for the same lock.
    grip.release(app, &frames.trace)
    if continues { return item }
    moveOn(item)
    return nil
  }

  /// Returns whether the item continues here later: after a single step, when its task yields, or when the run is over.
  private mutating func runSteps(
    of item: inout LiveItem, onlyOneStep: Bool, _ yielding: Yielding?, grip: inout ItemLocks
  ) -> Bool {
    if item.isSuspended {
      app.leave(item)
      let step = plan.workloads[item.workload].steps[item.step]
      let hasEnded = item.resume(behind: step)
      if hasEnded && step.answers { show(item) }
      if hasEnded && item.isFork && !endPart(&item) { return false }
    }
    let began = clock.now
    var hasRun = false
    while item.nextStep(in: plan) != nil {
      checkForEnd()
      if isOver { return true }
      if app.endsEarly(item) {
        item = app.atEnd(item)
        if item.isFork && !endPart(&item) { return false }
        continue
      }
      forkOff(&item)
      guard runsOnMain(item) else { return false }
      if hasRun && (onlyOneStep || yielding?.ends(after: clock.now - began) ?? false) {
        return true
      }
      guard perform(item, grip: &grip) else {
        // Nothing would have ended the step that waited for the lock.
        item = item.suspended
        return true
      }
      hasRun = true
      let step = plan.workloads[item.workload].steps[item.step]
      if item.isSuspended(after: step) {
        item = item.suspended
        return false
      }
      if step.suspension != nil {
        app.suspendPart(of: item)
        item = item.at(item.step + 1)
        continue
      }
      guard item.moveOn(behind: step) else { continue }
      if step.answers { show(item) }
      if item.isFork && !endPart(&item) { return false }
    }
    return false
  }

  /// Ends `item`, or a part of it, that no thread runs, if a newer one has been received.
  mutating func dropIfReplaced(_ item: LiveItem) -> Bool {
    // A suspended item counts as running until a thread takes it.
    guard !item.isSuspended, app.endsEarly(item) else { return false }
    let end = app.atEnd(item)
    switch app.ended(end) {
    case .nothing: break
    case .resumes(let step): _ = dropIfReplaced(item.at(step))
    case .isDone: if app.takeReplaced(item) { items.replaced(item.workload, item.number) }
    }
    return true
  }

  /// Whether the next step of `item` is on the main thread and can run now.
  private func runsOnMain(_ item: LiveItem) -> Bool {
    item.nextStep(in: plan)?.lane == .main && !app.hasToWait(item)
  }

  /// Posts the item's next forks. That is a hand-off, not logic.
  private mutating func forkOff(_ item: inout LiveItem) {
    guard let step = item.nextStep(in: plan), step.isFork, step.lane != .main else { return }
    frames.enter(.post)
    item = app.forkOff(item, on: .main, &frames.trace)
    frames.enter(.logic)
  }

  /// Ends a fork. Returns whether the item continues here; otherwise other lanes continue it.
  private mutating func endPart(_ part: inout LiveItem) -> Bool {
    switch app.ended(part) {
    case .nothing: return false
    case .resumes(let step): part = part.at(step)
    case .isDone: part = part.at(plan.workloads[part.workload].steps.count)
    }
    return true
  }

  /// Runs the item's next step and publishes its changes; false if the run ended during a wait for a lock.
  private mutating func perform(_ item: LiveItem, grip: inout ItemLocks) -> Bool {
    let step = plan.workloads[item.workload].steps[item.step]
    let began = clock.now
    let realWork = step.task.map { _ in RealWorkClock() }
    let acquisition = app.perform(item, grip: &grip, &frames.trace)
    waited(acquisition)
    guard acquisition.isTaken else { return false }
    frames.slept(step.wait(item: item.number, run: item.run))
    if let realWork { frames.slept(realWork.slept(blocked: acquisition.blocked)) }
    app.stepEnded(step, grip: &grip, &frames.trace)
    if queue.gate.fillsFrames {
      let took = clock.now - began - acquisition.blocked
      queue.gate.learn(item.workload, step: item.step, took: took)
    }
    return true
  }

  /// Moves the item on after its last step here: it ends, continues on another lane, or waits for its forks.
  private mutating func moveOn(_ item: LiveItem) {
    if item.isSuspended {
      app.enter(item)
      return app.suspend(item)
    }
    // A finished fork needs nothing more.
    if item.isFork { return }
    guard item.nextStep(in: plan) != nil else {
      if app.ended(item) == .isDone { finish(item) }
      return
    }
    frames.enter(.post)
    // Its forks may have ended by now: then it continues.
    let left = app.continued(item, from: .main, &frames.trace)
    if let left, let step = left.nextStep(in: plan) { app.post(left, to: step.lane, &frames.trace) }
    frames.enter(.logic)
    if let left, left.nextStep(in: plan) == nil { finish(left) }
  }

  /// Ends an item on the main thread, where its result runs at once. An item that ends after the run is not done.
  private mutating func finish(_ item: LiveItem) {
    if app.takeReplaced(item) { return items.replaced(item.workload, item.number) }
    let done = app.noteDone(item)
    guard done <= end else {
      return items.pending(item.workload, item.number, hasStepLeft: false)
    }
    items.done(item.workload, item.number, at: done)
    if plan.workloads[item.workload].answer == nil { show(item) }
  }

  /// Runs the result of an item that is on the main thread: at once, or with those of the next frame.
  private mutating func show(_ item: LiveItem) {
    if plan.workloads[item.workload].workload.shows { frames.ledger.request(at: clock.now) }
    if results.coalesces { return results.append(item) }
    frames.enter(.drain)
    let began = clock.now
    showResult(of: item)
    if queue.gate.fillsFrames {
      queue.gate.learn(item.workload, resultTook: clock.now - began)
    }
    frames.enter(.logic)
  }
}
