/// The main loop: the choice of the main thread's next work, and the work of a frame.
extension ScreenOracle {
  /// The main thread of an event loop is free. Returns whether it starts any work.
  mutating func startOnMain() -> Bool {
    if handlesInput || fault == .deferralByEveryTask && mainEndedAt == now { deferTasks() }
    if isDeferring { endUnwantedDeferral() }
    let hasRest = !rests.isEmpty && (!isDeferring || fault == .deferralWithoutRests)
    if hasRest {
      if leftInTurn == 0 { turns += 1 }
      perform(rests.removeFirst(), on: 0)
      return true
    }
    noticeTimers()
    receive()
    if leftInTurn > 0 {
      leftInTurn -= 1
      performNext(on: 0)
    } else if let event, now < drawn.instant(outcome.lastVsync), isFirst(event.postedAt) {
      self.event = nil
      isBehindFrame = true
      let isNew = event.postedAt >= deferredSince
      if isNew || fault == .deferralToDueFrame { deferredUntil = nil }
      beginFrame(isNewest ? drawn.vsync(atOrBefore: now) : event.vsync)
    } else if let place = nextPlace {
      beginTurn()
      threads[0].queue.insert(threads[0].queue.remove(at: place), at: 0)
      performNext(on: 0)
    } else {
      if fault != .idleForgotten { isBehindFrame = false }
      return false
    }
    return true
  }

  // MARK: Behind an input

  /// The first task of an input is over: the main thread looks at what has arrived, and whether a frame is wanted.
  private mutating func deferTasks() {
    handlesInput = false
    guard let deferral = drawn.deferral, fault != .deferralForgotten else { return }
    noticeTimers()
    receive()
    guard isFrameWanted || fault == .deferralWithoutFrame else { return }
    deferredSince = now
    deferredUntil = fault == .deferralUnlimited ? drawn.duration : now + deferral
  }

  /// Tasks wait until the next vsync if no frame is wanted any more.
  private mutating func endUnwantedDeferral() {
    noticeTimers()
    receive()
    let vsync = drawn.instant(drawn.vsync(atOrAfter: deferredSince))
    let waits = now < vsync && fault != .deferralToUnwanted
    if !isFrameWanted, !waits, fault != .deferralWithoutFrame { deferredUntil = nil }
  }

  private var isFrameWanted: Bool {
    let next = drawn.vsync(atOrAfter: now)
    let isKnown = drawn.requests[nextRequest...].contains { drawn.vsync(atOrAfter: $0) <= next }
    return !drawn.isOnDemand || !pending.isEmpty || pendingRest != nil || isKnown
  }

  /// Whether tasks wait for a frame.
  var isDeferring: Bool { deferredUntil.map { now < $0 } ?? false }

  /// Whether it is an entry for the first task of an input.
  func isNewInput(_ task: Task) -> Bool {
    guard case .chain(let item, 0) = task, items[item].runs[0] == nil else { return false }
    return workload(of: item).isInput
  }

  /// The place in the queue of the first task that may run: only new inputs do while tasks wait.
  private var nextPlace: Int? {
    guard isDeferring else { return threads[0].queue.indices.first }
    if fault == .deferralOfInputs { return nil }
    return threads[0].queue.firstIndex { isNewInput($0.task) }
  }

  /// Timers that are due wait behind all that was posted so far.
  private mutating func noticeTimers() {
    for item in due {
      threads[0].queue.append((.chain(item: item, step: 0), now))
      unreceived.insert(item)
    }
    due = []
  }

  /// Serves the queue: one task, or all that wait now.
  private mutating func beginTurn() {
    turns += 1
    isBehindFrame = false
    leftInTurn = drawn.isQueued != (fault == .batchSwapped) ? threads[0].queue.count - 1 : 0
  }

  private var isNewest: Bool { (drawn.frameTime == .newest) != (fault == .frameTimeSwapped) }

  /// Whether a frame event that was posted at `time` goes before all waiting tasks.
  private func isFirst(_ time: Int64) -> Bool {
    guard let waiting = nextPlace.map({ threads[0].queue[$0] }) else { return true }
    if fault == .itemFirstOnTie && waiting.postedAt == time { return false }
    if drawn.loop == .alternate && fault != .alternateGoesFirst { return !isBehindFrame }
    let takesTurn = (drawn.loop == .fifo) != (fault == .fifoSwapped)
    return !takesTurn || waiting.postedAt >= time
  }

  /// The main thread of a frame loop is free at `vsync`. Returns whether it begins a frame.
  mutating func beginAtVsync(_ vsync: Int) -> Bool {
    guard vsync < outcome.lastVsync, frame == nil, hasRoom(at: vsync) else { return false }
    beginFrame(vsync)
    return true
  }

  private mutating func beginFrame(_ vsync: Int) {
    let place = outcome.frames.count
    var begun = ScreenOutcome.Frame(vsync: vsync, begin: now)
    begun.isStuffed = isStuffed
    begun.asked = fault == .askedAtBegin ? vsync : asked ?? vsync
    asked = nil
    wasFull = false
    let time = drawn.instant(vsync)
    let isServed = { [readings] (request: Int64) in readings.serves == .begin || request <= time }
    let served = pending.filter(isServed)
    pending.removeAll(where: isServed)
    let servedRest = pendingRest.flatMap { isServed($0) ? $0 : nil }
    if servedRest != nil { pendingRest = nil }
    begun.firstRequest = (served + [servedRest].compactMap(\.self)).min()
    let needsParts = !drawn.isOnDemand || !served.isEmpty || fault == .restNeedsNew
    outcome.frames.append(begun)
    inFlight.append(place)
    for item in unshown { items[item].frame = place }
    unshown = []
    frame = place
    stage = .drain
    partsLeft = fault == .partForgotten ? [] : takeParts(of: vsync, needsParts)
    if fault != .preparedBehindArrivals { handOverParts(of: vsync) }
    drainBegan = nil
    updated = []
    taken = results
    results = []
    if drawn.loop == .frame { deliver() }
    if fault == .preparedBehindArrivals { handOverParts(of: vsync) }
    continueFrame()
  }

  var isStuffed: Bool { wasFull && fault != .stuffedForgotten }

  /// Items whose first step is on a lane are posted there; the rest waits for this frame's logic.
  private mutating func deliver() {
    let received = arrived.filter { receives($0, since: outcome.items[$0].arrival) }
    arrived = []
    for item in received + startWaiting() where !dropIfReplaced(item) { deliver(item) }
    ready += threads[0].queue.map(\.task)
    threads[0].queue = []
  }

  private mutating func deliver(_ item: Int) {
    let steps = workload(of: item).steps
    for (place, step) in steps.enumerated() {
      if step.lane == 0 { return ready.append(.chain(item: item, step: place)) }
      if step.joins && items[item].openForks > 0 && fault != .joinDoesNotWait {
        items[item].waitingStep = place
        return
      }
      guard step.isFork && fault != .forkAwaited else {
        return post(.chain(item: item, step: place), to: step.lane, from: 0)
      }
      items[item].openForks += 1
      post(.fork(item: item, step: place), to: step.lane, from: 0)
    }
    items[item].isChainOver = true
  }

  mutating func continueFrame() {
    switch stage {
    case .drain: drain()
    case .logic:
      if !ready.isEmpty { return perform(ready.removeFirst(), on: 0) }
      stage = .reads
      continueFrame()
    case .reads:
      stage = .parts
      let cost = drawn.reads.map(\.cost).reduce(0, +)
      if cost > 0 { begin(.reads, on: 0, for: cost) } else { continueFrame() }
    case .parts:
      if !partsLeft.isEmpty { return beginPiece(partsLeft.removeFirst()) }
      stage = .prepared
      if let vsync = frame.map({ outcome.frames[$0].vsync }), !isPrepared(vsync) {
        return begin(.awaitParts(vsync: vsync), on: 0, for: drawn.duration * 2)
      }
      continueFrame()
    case .prepared:
      stage = .render
      continueFrame()
    case .render:
      stage = .end
      begin(.render, on: 0, for: drawn.render)
    case .end: endFrame()
    }
  }

  private mutating func beginPiece(_ next: (part: Int, cost: Int64)) {
    learn(next.part, next.cost)
    begin(.render, on: 0, for: next.cost)
  }

  private mutating func drain() {
    let began = drainBegan ?? now
    var continues = drainBegan == nil || fault == .drainUnlimited
    if let budget = drawn.drain {
      continues = continues || now - began < budget
    } else {
      continues = true
    }
    drainBegan = began
    while continues && !taken.isEmpty {
      let item = taken.removeFirst()
      let isFirst = updated.insert(outcome.items[item].workload).inserted
      let isUpdate = isFirst || !drawn.coalesces || fault == .coalescedOneByOne
      if isUpdate { return beginResult(of: item) }
      show(item)
    }
    stage = .logic
    continueFrame()
  }

  private mutating func endFrame() {
    guard let place = frame else { return }
    frame = nil
    justEnded = place
    outcome.frames[place].workEnd = now
    putOff(place)
    if !taken.isEmpty { request() }
    results = taken + results
    taken = []
    if drawn.compositor == nil {
      outcome.frames[place].ready = now
    } else if fault == .stagesOverlap {
      beginStage(place)
    } else {
      forStage.append(place)
    }
  }
}
