internal import FrameBudget

// How an item goes from step to step, on whichever thread runs it.
extension SimulatedApp {
  mutating func begin(_ item: Item, on thread: ThreadIndex) {
    executing += 1
    runners[thread].item = item
    runners[thread].holdsItem = true
    runners[thread].stage = .approaches
  }

  /// The item that `thread` has run is somebody else's from now on, or done; the thread may still be busy with what
  /// it left behind: a lock to release, a snapshot to publish.
  mutating func letGo(_ thread: ThreadIndex) {
    executing -= 1
    runners[thread].holdsItem = false
  }

  /// The next operation of the item that `thread` runs; nil between two steps, and when it leaves the lane.
  mutating func advance(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    switch runners[thread].stage {
    case .approaches: approach(thread)
    case .enters: enter(thread, at: now)
    case .blocks: block(thread, at: now)
    case .copies: copy(thread)
    case .changes: change(thread, at: now)
    case .publishes: publish(thread)
    case .sleeps, .restores, .waits, .takes, .leaves, .ended, .drains: nil
    }
  }

  /// Lets go of a lock that the next step does not need, and takes the one it does.
  private mutating func approach(_ thread: ThreadIndex) -> Operation? {
    let held = runners[thread].lock
    let step = steps[runners[thread].item]
    let isHere = step.lane == runners[thread].lane
    let wanted = isHere ? step.lock : .absent
    if held != wanted && held != .absent {
      runners[thread].lock = .absent
      return .unlock(held)
    }
    if nested.isNeeded { return approachNested(thread, wanted, isHere) }
    runners[thread].stage = isHere ? .enters : .leaves
    guard held != wanted else { return nil }
    runners[thread].lock = wanted
    runners[thread].locking = costs.lock.post
    return .lock(wanted)
  }

  /// As `approach`, where locks may be kept until the item leaves: out of line, as hardly any arrangement does that.
  @inline(never)
  private mutating func approachNested(
    _ thread: ThreadIndex, _ wanted: LockIndex, _ isHere: Bool
  ) -> Operation? {
    if !isHere, let lock = nested.popLast(of: thread) { return .unlock(lock) }
    runners[thread].stage = isHere ? .enters : .leaves
    if wanted == runners[thread].lock || nested.contains(wanted, heldBy: thread) { return nil }
    if steps[runners[thread].item].nestsLock {
      nested.append(wanted, heldBy: thread)
    } else {
      runners[thread].lock = wanted
    }
    runners[thread].locking = costs.lock.post
    return .lock(wanted)
  }

  /// A lock that `thread` holds and is to release now; nil if it holds none.
  mutating func releaseLast(of thread: ThreadIndex) -> LockIndex? {
    let lock = runners[thread].lock
    if lock == .absent { return nested.popLast(of: thread) }
    runners[thread].lock = .absent
    return lock
  }

  private mutating func enter(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let step = steps[runners[thread].item]
    runners[thread].stepBegan = now
    if services[step.service].enter() { totals.exclusionViolations += 1 }
    var cost = step.cost < .zero ? drawnCost(of: runners[thread].item) : step.cost
    cost += runners[thread].locking
    runners[thread].locking = .zero
    runners[thread].stage = .blocks
    if step.wait == .zero {
      cost += prepareChange(of: step.service)
      runners[thread].stage = .changes
    }
    return .compute(cost)
  }

  private func drawnCost(of item: Item) -> TimeSpan {
    plan.workloads[item.index].steps[Int(item.step)].cost(item: Int(item.number))
  }

  private mutating func prepareChange(of service: ServiceIndex) -> TimeSpan {
    let span = services[service].prepareChange()
    totals.publishing += span
    return span
  }

  private mutating func block(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    runners[thread].stage = .copies
    return .sleep(until: now + steps[runners[thread].item].wait)
  }

  private mutating func copy(_ thread: ThreadIndex) -> Operation? {
    runners[thread].stage = .changes
    return .compute(prepareChange(of: steps[runners[thread].item].service))
  }

  /// The work of a step is done: the service has changed, and a lock held for a step is released.
  private mutating func change(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps[item]
    if isTraced { noteStep(of: item, on: thread, at: now) }
    services[step.service].leave()
    services[step.service].change()
    if services[step.service].isPublished {
      changes.note(services[step.service].version, of: step.service, on: thread)
    }
    // A lane hands a finished item back before the lock goes; the main thread does it behind that.
    if thread != 0 && steps[item.next].isDone { handBack(item, from: thread, at: now) }
    runners[thread].stage = .publishes
    let lock = runners[thread].lock
    if lock == .absent || step.keepsLock { return nil }
    runners[thread].lock = .absent
    return .unlock(lock)
  }

  @inline(never)
  private mutating func noteStep(of item: Item, on thread: ThreadIndex, at now: Instant) {
    trace?.append(.step(item.place), by: thread, from: runners[thread].stepBegan, to: now)
  }

  private mutating func handBack(_ item: Item, from thread: ThreadIndex, at now: Instant) {
    finish(item, on: thread, at: now)
    results.append(item.atStart)
    letGo(thread)
  }

  private mutating func publish(_ thread: ThreadIndex) -> Operation? {
    runners[thread].stage = .approaches
    let step = steps[runners[thread].item]
    runners[thread].item = runners[thread].item.next
    var cost = splitEvent(thread)
    if let rule = publishRule, services[step.service].isPublished {
      cost += services[step.service].publish(rule, in: frame.vsync)
    }
    return cost > .zero ? .compute(cost) : nil
  }

  /// The next step is an event of its own: ends this one and begins that.
  private mutating func splitEvent(_ thread: ThreadIndex) -> TimeSpan {
    let lane = runners[thread].lane
    guard steps[runners[thread].item].isSplit else { return .zero }
    let bookkeeping = handOffs[lane].perWaiting * lanes[lane].waiting
    lanes[lane].waiting -= 1
    return bookkeeping + handOffs[lane].run
  }

  /// Publishes whatever is unpublished of the services that live on `lane`.
  mutating func publishAll(on lane: LaneIndex) -> TimeSpan {
    var freeing = TimeSpan.zero
    for service in lanes[lane].residents {
      freeing += services[service].publish(nil, in: frame.vsync)
    }
    return freeing
  }

  /// Posts `item` to the lane of its next step.
  mutating func post(_ item: Item) -> Operation {
    let lane = steps.lane(of: item)
    totals.hops += 1
    if isTraced { trace?.posted = item }
    if lane == .main {
      inbox.append(item)
      return .post(lane)
    }
    let before = lanes[lane].waiting
    let events = steps[item].events
    lanes[lane].outstanding += 1
    lanes[lane].waiting += events
    let extra = handOffs[lane].posting(events, behind: before)
    if lanes[lane].post(item, hasPriority: hasPriority[item.index]) {
      return .post(lane, extra: extra)
    }
    return .compute(handOffs[lane].post + extra)
  }

  /// Notes that the last step of `item` has ended.
  mutating func finish(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    done += 1
    items.done(item.index, Int(item.number), at: now)
    for place in changes.published.indices {
      let version = changes.newest(of: item, on: thread, at: place)
      if version > 0 { services[changes.published[place]].done(version, at: now) }
    }
  }
}

extension HandOffCosts {
  /// What posting `events` at once costs beyond the first post, if `waiting` are there already: what waits is walked
  /// through once, however many are posted.
  fileprivate func posting(_ events: Int, behind waiting: Int) -> TimeSpan {
    post * (events - 1) + perWaiting * (waiting + events - 1)
  }
}
