internal import Dispatch
internal import Synchronization

/// The part that all schedulers share: the queue, who consumes it, and what is refused.
///
/// It is also the executor that actors on a scheduler run on. The thread holds the loop, never the scheduler; so the
/// thread does not keep its scheduler alive.
public final class SchedulerLoop: SerialExecutor {
  public let name: String
  let options: SchedulerOptions
  let clock: LoopClock
  let counters = LoopCounters()
  let ended = EndLatch()

  private let queue: any EventQueue
  private let parker: any Parker
  private let attention = Attention()
  /// The address of the mark of the thread that consumes, 0 if none does.
  private let owner = Atomic<UInt>(0)
  /// The time after which a closed loop drops what waits.
  private let runsUntil = Atomic<Int64>(.max)
  private let coalesced = CoalescedEvents()
  private let reportedSites = Locked<Set<WrongThread>>([])
  private let lateTasks: DispatchQueue

  init(
    name: String, options: SchedulerOptions = SchedulerOptions(), clock: LoopClock = .machine,
    parker: any Parker = makeParker()
  ) {
    self.name = name
    self.options = options
    self.clock = clock
    self.parker = parker
    queue = makeQueue(options)
    lateTasks = DispatchQueue(label: "\(name) (late)")
  }

  // MARK: Any thread

  /// Whether the caller runs on this loop's scheduler.
  var isCurrent: Bool { owner.load(ordering: .relaxed) == ThreadMark.currentBits }

  func post(_ node: EventNode) {
    if options.measuresWaiting { node.postedAt = clock.now() }
    let priority = node.priority
    let outcome = queue.push(node)
    attention.call(for: priority)
    switch outcome {
    case .queued: break
    case .queuedForSleeper: wake()
    case .refused(let node, let reason): refuse(node, reason)
    case .evicted(let node): refuse(node, .evicted)
    }
  }

  /// Posts an event that replaces the one with the same key if that still waits.
  func post(
    _ body: sending @escaping () -> Void, key: CoalescedEvents.Key,
    priority: EventPriority
  ) {
    guard coalesced.insert(body, key: key) else { return counters.eventCoalesced() }
    let ticket = ScheduledEvent(
      body: { [coalesced] in coalesced.remove(key)?() },
      onRefusal: { [self] reason in
        _ = coalesced.remove(key)
        tellRefusal(reason)
      })
    post(EventNode(.ticket(ticket), priority: priority))
  }

  /// Refuses events from now on, and lets the consumer end with those that wait as `mode` says.
  func close(_ mode: ShutdownMode) {
    let limit =
      switch mode {
      case .drain: Int64.max
      case .drop: Int64.min
      case .deadline(let span): clock.now().addingWithoutWrap(span.wholeNanoseconds)
      }
    _ = runsUntil.min(limit, ordering: .acquiringAndReleasing)
    let mustWake = queue.close()
    attention.callForClosing()
    if mustWake { wake() }
  }

  /// Ends a node's life without running it, so that whoever waits for it knows.
  func refuse(_ node: EventNode, _ reason: Refusal.Reason) {
    switch node.takePayload() {
    case .run: tellRefusal(reason)
    case .ticket(let ticket):
      switch ticket.finish(reason) {
      case nil: break
      case true?: counters.eventRefused()
      case false?: tellRefusal(reason)
      }
    case .bury(let body): body()  // the thread has ended, so nobody else can touch the object
    case .job(let job): runLate(job)
    }
  }

  func refusal(_ reason: Refusal.Reason) -> Refusal { Refusal(scheduler: name, reason: reason) }

  private func tellRefusal(_ reason: Refusal.Reason) {
    counters.eventRefused()
    options.report(.refused(refusal(reason)))
  }

  private func wake() {
    counters.threadWoken()
    parker.unpark()
  }

  /// Reports a call site once.
  func reportOnce(_ error: WrongThread) {
    let isNew = reportedSites.withLock { $0.insert(error).inserted }
    if isNew { options.report(.wrongThread(error)) }
  }

  // MARK: The consumer only

  /// Makes the calling thread this loop's consumer, for as long as `body` runs.
  func owned<R>(_ body: () -> R) -> R {
    let before = owner.exchange(ThreadMark.currentBits, ordering: .acquiringAndReleasing)
    defer { owner.store(before, ordering: .releasing) }
    return body()
  }

  /// Makes the calling thread this loop's consumer for good.
  func own() { owner.store(ThreadMark.currentBits, ordering: .releasing) }

  func take() -> EventBatch { queue.take() }

  /// Whether something may have come that goes before an event of this priority; clears that mark.
  func wasCalled(above priority: EventPriority) -> Bool { attention.answer(above: priority) }

  var isClosed: Bool { queue.isClosed }

  /// Whether a closed loop still runs the events that wait.
  var stillRuns: Bool {
    let limit = runsUntil.load(ordering: .acquiring)
    return limit == .max || (limit != .min && clock.now() < limit)
  }

  /// Ends the loop, unless an event is there.
  func end() -> Bool { queue.end() }

  /// Sleeps until an event comes or `due` is reached; returns at once if one is there.
  func park(until due: Int64?) {
    guard queue.park() else { return }
    parker.park(forNanoseconds: due.map { max(0, $0 - clock.now()) })
    queue.unpark()
  }

  // MARK: Actors

  public func enqueue(_ job: consuming ExecutorJob) {
    let priority = EventPriority(job.priority)
    post(EventNode(.job(UnownedJob(job)), priority: priority, traits: .mustRun))
  }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  public func checkIsolated() {
    precondition(isCurrent, "this code belongs to scheduler '\(name)'")
  }

  func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }

  /// Runs a task's step though the thread has ended; one at a time, as ever.
  private func runLate(_ job: UnownedJob) {
    options.report(.lateTask(scheduler: name))
    lateTasks.async { [self] in
      ended.waitBlocking()
      owned { run(job) }
    }
  }
}

extension EventPriority {
  /// The event priority that fits a task's.
  init(_ priority: JobPriority) {
    if priority.rawValue > TaskPriority.medium.rawValue {
      self = .user
    } else {
      self = priority.rawValue < TaskPriority.utility.rawValue ? .background : .normal
    }
  }
}
