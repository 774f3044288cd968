internal import SchedulableThreads
internal import Synchronization

/// Runs a loop's events one after another. Belongs to the thread that runs them.
struct Consumer: ~Copyable {
  private let loop: SchedulerLoop
  private var ready = ReadyEvents()
  private var overtaking = Overtaking()
  private var delayed = DelayedEvents()
  private var leftBehind = 0
  private var isClosing = false
  private var isAboveHighWater = false
  private let highWater: Int

  init(_ loop: SchedulerLoop) {
    self.loop = loop
    if case .unbounded(let mark?) = loop.options.capacity {
      highWater = mark
    } else {
      highWater = .max
    }
  }

  /// When the next delayed event is due, on the loop's clock.
  var nextDue: Int64? { delayed.nextDue }

  /// Runs events until the loop is closed and empty; sleeps while there is none.
  mutating func runUntilEnded() {
    while true {
      runReady()
      if loop.isClosed { return end() }
      loop.park(until: delayed.nextDue)
    }
  }

  /// Runs or drops the waiting events of a closed loop, until no event can arrive any more.
  mutating func end() {
    absorb()
    noticeClosing()
    repeat {
      runReady()
      refuseDelayed()
    } while !loop.end()
  }

  /// Runs the next event. Returns false if there is none.
  mutating func runNext() -> Bool {
    guard let node = next() else { return false }
    Self.execute(node, on: loop, isClosing: isClosing)
    return true
  }

  /// Counts the events that may run now.
  mutating func countReady() -> Int {
    absorb()
    collectDue()
    return ready.count + leftBehind
  }

  /// Lets another loop run until it is woken: by the next event or delayed event, or at once if events are left.
  ///
  /// If the loop was closed, it is woken at once too, so that it can end this one; with `evenIfClosed` by the next event that a
  /// closed loop accepts.
  mutating func rest(waking sleeper: MainSleeper, evenIfClosed: Bool) {
    if countReady() > 0 {
      sleeper.unpark()
    } else if loop.fallAsleep(evenIfClosed: evenIfClosed) {
      if !delayed.isEmpty, !loop.isClosed {
        sleeper.setAlarm(delayed.nextDue.map { max(0, $0 - loop.clock.now()) })
      }
    } else if !loop.ended.isOpen {
      sleeper.unpark()
    }
  }

  private mutating func runReady() {
    #if canImport(ObjectiveC)
      // A thread that always has events would never drain a pool around all of them.
      while Platform.drainingAutoreleased({ runSome() }) {}
    #else
      while let node = next() { Self.execute(node, on: loop, isClosing: isClosing) }
    #endif
  }

  #if canImport(ObjectiveC)
    /// Runs at most a pool's worth of events. Returns whether there may be more.
    private mutating func runSome() -> Bool {
      for _ in 0..<256 {
        if !runNext() { return false }
      }
      return true
    }
  #endif

  private mutating func next() -> EventNode? {
    if let highest = ready.highest {
      if loop.mustYield(above: highest) {
        absorb()
        if loop.isClosed { noticeClosing() }
      }
    } else {
      absorb()
    }
    if !delayed.isEmpty { collectDue() }
    return ready.popFirst(&overtaking)
  }

  /// Static, because a method would copy the consumer's state for each event.
  private static func execute(_ node: EventNode, on loop: SchedulerLoop, isClosing: Bool) {
    if isClosing, !node.traits.contains(.mustRun), !loop.stillRuns {
      return loop.refuse(node, .shutDown)
    }
    if loop.options.measuresWaiting {
      loop.counters.eventWaited(nanoseconds: loop.clock.now() - node.postedAt)
    }
    let item = node.item
    guard item != 0 else { return run(node, on: loop) }
    let isUrgent = node.priority == .user
    ObservedWork.measured(
      item, at: loop.place, posted: 0, isUrgent: isUrgent, nice: Platform.nice(thread: 0)
    ) { run(node, on: loop) }
  }

  private static func run(_ node: EventNode, on loop: SchedulerLoop) {
    switch node.takePayload() {
    case .run(let body): body()
    case .send(let event): event.run()
    case .releaseObject(let release): if !release.proceed(on: loop) { return }
    case .job(let job): loop.run(job)
    case .ticket(let ticket): if !ticket.run() { return }
    case .call(let call): if !call.run() { return }
    case .keyed(let turn):
      guard let body = loop.take(turn) else { return }
      body()
    case .chore(let chore):
      _ = chore.run()
      return
    case .sweep: return
    }
    loop.counters.eventRan()
  }

  /// Takes the events from the queue.
  private mutating func absorb() {
    let batch = loop.take()
    leftBehind = batch.leftBehind
    if loop.beginSweep() { sweep() }
    if batch.events.isEmpty { return }
    if let priority = batch.onlyPriority {
      ready.append(batch.events, priority: priority)
    } else {
      sort(batch.events)
    }
    if loop.isClosed { noticeClosing() }
    loop.counters.batchTaken(waiting: ready.count + leftBehind)
    checkHighWater()
  }

  /// Sorts events of which some may be delayed.
  ///
  /// Events become ready in the order of their times, so one whose time has passed already waits for those that were due before
  /// it: earlier ones, and later ones of the batch. It stays behind what was sent before it, and before what was sent after it
  /// unless it has to wait.
  private mutating func sort(_ events: EventChain) {
    let now = loop.clock.now()
    var events = events
    var later = events.earliestDuesBehind()
    while let node = events.popFirst() {
      guard let due = node.due else {
        ready.append(node)
        continue
      }
      delay(node, until: due)
      makeReady(dueBy: min(now, later.removeLast()))
    }
  }

  private mutating func delay(_ node: EventNode, until due: Int64) {
    // Withdrawn before it arrived here, so no sweep would find it.
    if node.isOver {
      _ = node.takePayload()
    } else {
      delayed.insert(node, due: due)
      loop.note(delayed: delayed.count)
    }
  }

  private mutating func sweep() {
    delayed.removeCancelled()
    loop.note(delayed: delayed.count)
  }

  private mutating func collectDue() {
    guard let due = delayed.nextDue else { return }
    let now = loop.clock.now()
    if due > now { return }
    // One that was due before it may still be in the queue.
    absorb()
    makeReady(dueBy: now)
  }

  private mutating func makeReady(dueBy time: Int64) {
    while let node = delayed.popDue(at: time) { ready.append(node) }
  }

  /// Refuses the events that may not run after the loop was closed.
  private mutating func noticeClosing() {
    isClosing = true
    loop.reportForgotten { ready.missedCount + delayed.missedCount + leftBehind }
  }

  private mutating func refuseDelayed() {
    while let node = delayed.popDue(at: .max) { loop.refuse(node, .shutDown) }
  }

  private mutating func checkHighWater() {
    let waiting = ready.count
    if waiting > highWater, !isAboveHighWater {
      isAboveHighWater = true
      loop.options.report(.highWater(scheduler: loop.name, waiting: waiting))
    } else if waiting <= highWater / 2 {
      isAboveHighWater = false
    }
  }
}

/// Tells the consumer during a batch that an event of higher priority arrived, or that the loop was closed.
///
/// It has one bit per priority and one for closing. It is a hint and never decides whether an event is seen, only how
/// soon: the pusher sets a bit after its push, and the consumer clears the bits before it takes from the queue.
struct PreemptionFlags: ~Copyable {
  private static let closing: UInt8 = 0x80
  private let bits = Atomic<UInt8>(0)

  func request(for priority: EventPriority) {
    let bit = priority.bit
    if priority > .background, bits.load(ordering: .sequentiallyConsistent) & bit == 0 {
      bits.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    }
  }

  func requestClosing() { bits.bitwiseOr(Self.closing, ordering: .sequentiallyConsistent) }

  /// Whether a bit above this priority is set; if so, clears all bits.
  func take(above priority: EventPriority) -> Bool {
    let wanted = priority.bitsAbove | Self.closing
    // Acquiring: who sees the closing bit sees the queue closed.
    if bits.load(ordering: .acquiring) & wanted == 0 { return false }
    bits.store(0, ordering: .sequentiallyConsistent)
    return true
  }
}

/// Counts the events that have overtaken others of a lower priority.
///
/// After each hundred, one lower event runs, so that events which send further ones cannot starve the rest. A hundred is many
/// more than a user's action causes, and few enough for the lower events to progress.
struct Overtaking {
  private static let most: UInt8 = 100
  private var byUser: UInt8 = 0
  private var byNormal: UInt8 = 0

  mutating func userMay() -> Bool { Self.may(&byUser) }
  mutating func normalMay() -> Bool { Self.may(&byNormal) }

  private static func may(_ count: inout UInt8) -> Bool {
    count = count == most ? 0 : count + 1
    return count != 0
  }
}
