internal import SchedulableThreads
internal import Dispatch
internal import Synchronization
#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The common part of all schedulers: the queue, its consumer, and refusals.
///
/// It is also the executor of actors on a scheduler, and of tasks that prefer it. The thread references the loop and never the
/// scheduler, so it does not keep its scheduler alive.
public final class SchedulerLoop: SerialExecutor, TaskExecutor {
  /// For reports and debuggers.
  public let name: String
  let options: SchedulerOptions
  let clock: LoopClock
  let counters = LoopCounters()
  let ended = EndLatch()

  private let queue: any EventQueue
  private let parker: any Parker
  /// Whether the main queue serves it, so that no event runs at the same time as other code there.
  private let isOnMainQueue: Bool
  private let preemption = PreemptionFlags()
  /// The address of the consuming thread's mark; 0 if there is none.
  private let owner = Atomic<UInt>(0)
  /// The time after which a closed loop drops waiting events.
  private let runsUntil = Atomic<Int64>(.max)
  private let coalesced = CoalescedEvents()
  private let cancelledDelays = CancelledDelays()
  /// Whether it was closed because its scheduler was released.
  private let isForgotten = Atomic(false)
  private let home = Locked(Home())
  private let reportedSites = Locked<Set<WrongThread>>([])
  private let lateTasks: DispatchQueue

  init(
    name: String, options: SchedulerOptions = SchedulerOptions(), clock: LoopClock = .machine,
    parker: any Parker = makeParker(), isOnMainQueue: Bool = false
  ) {
    self.name = name
    self.options = options
    self.clock = clock
    self.parker = parker
    self.isOnMainQueue = isOnMainQueue
    queue = makeQueue(options)
    lateTasks = DispatchQueue(label: "\(name) (late)")
  }

  private struct Home {
    weak var loopReference: LoopReference?
  }

  // MARK: Any thread

  /// The part of the scheduler that its objects reference; nil once neither they nor the scheduler reference it.
  var loopReference: LoopReference? {
    get { home.withLock { $0.loopReference } }
    set { home.withLock { $0.loopReference = newValue } }
  }

  /// Whether the caller runs on this loop's scheduler.
  var isCurrent: Bool {
    ownerBits == ThreadMark.currentBits || isOnMainQueue && MainDispatchQueue.isCurrent
  }

  /// The name of the place where its events run, for measurements.
  var place: String { isOnMainQueue ? ObservedWork.mainPlace : name }

  /// The consuming thread's mark; 0 if there is none.
  var ownerBits: UInt { owner.load(ordering: .relaxed) }

  func post(_ node: EventNode) {
    if options.measuresWaiting { node.postedAt = clock.now() }
    let priority = node.priority
    let outcome = queue.push(node)
    preemption.request(for: priority)
    switch outcome {
    case .queued: break
    case .queuedForSleeper: wake()
    case .refused(let node, let reason): refuse(node, reason)
    case .evicted(let node): refuse(node, .evicted)
    }
  }

  @usableFromInline
  func post(_ sent: consuming SentEvent, priority: EventPriority) {
    post(EventNode(.send(sent), priority: priority))
  }

  /// Posts an event that replaces the one with the same key if that still waits.
  func post(
    _ body: sending @escaping () -> Void, key: CoalescedEvents.Key,
    priority: EventPriority
  ) {
    // A late event must not replace one that was sent in time.
    if isClosed { return reportRefusal(.shutDown) }
    let (replaced, turn) = coalesced.insert(body, key: key, priority: priority)
    if replaced { counters.eventCoalesced() }
    if let turn { post(EventNode(.keyed(turn), priority: priority)) }
  }

  /// Posts the loop's own work, to be done after `delay` nanoseconds.
  func post(chore body: @escaping @Sendable () -> Void, after delay: Int64) {
    let chore = ScheduledEvent(due: clock.now().addingWithoutWrap(delay), body: body)
    post(EventNode(.chore(chore), priority: .normal, traits: .delayed))
  }

  /// Asks the consumer to free the withdrawn delayed events, once there are enough.
  func delayedEventCancelled() {
    // Delayed, because it must not take a real event's place in a bounded queue.
    if cancelledDelays.noteCancelled() {
      post(EventNode(.sweep, priority: .normal, traits: .delayed))
    }
  }

  /// Stops accepting events; the consumer runs or drops the waiting ones according to `mode`.
  func close(_ mode: ShutdownMode) {
    let limit =
      switch mode {
      case .drain: Int64.max
      case .drop: Int64.min
      case .deadline(let span): clock.now().addingWithoutWrap(span.wholeNanoseconds)
      }
    _ = runsUntil.min(limit, ordering: .acquiringAndReleasing)
    let mustWake = queue.close()
    preemption.requestClosing()
    if mustWake { wake() }
  }

  /// Closes because the scheduler was released, so that events that still wait are reported.
  func closeAbandoned(_ mode: ShutdownMode) {
    if !isClosed { isForgotten.store(true, ordering: .releasing) }
    close(mode)
  }

  /// Ends a node without running it, and informs a waiting caller.
  func refuse(_ node: EventNode, _ reason: Refusal.Reason) {
    switch node.takePayload() {
    case .run: reportRefusal(reason)
    case .send: reportRefusal(reason)
    case .ticket(let ticket):
      switch ticket.finish(reason) {
      case nil: break
      case true?: counters.eventRefused()
      case false?: reportRefusal(reason)
      }
    case .call(let call): call.finish(reason) { counters.eventRefused() }
    case .keyed(let turn): if coalesced.refuse(turn) { reportRefusal(reason) }
    case .chore(let chore): _ = chore.finish(reason)
    case .sweep: break
    // The thread has ended, so no other code can access the object.
    case .releaseObject(let release): release.finish()
    case .job(let job): runLate(job)
    }
  }

  func refusal(_ reason: Refusal.Reason) -> Refusal { Refusal(scheduler: name, reason: reason) }

  private func reportRefusal(_ reason: Refusal.Reason) {
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

  /// Makes a test the consumer of a manual loop that runs no event, for code that assumes to be there.
  ///
  /// - Returns: the former owner, for `leaveManual`; nil if nothing has changed.
  func enterManual(_ file: StaticString, _ line: UInt) -> UInt? {
    guard case .manual(let time) = clock, !isCurrent else { return nil }
    time.isBusy.enter(name, asVisit: true, file: file, line: line)
    return owner.exchange(ThreadMark.currentBits, ordering: .acquiringAndReleasing)
  }

  /// The outcome of `visitManual`.
  enum ManualVisit {
    /// With the former owner, for `leaveManual`.
    case entered(UInt)
    /// Other code is there for a moment, and runs no events afterwards.
    case isVisited
  }

  /// Like `enterManual`, for code that can also be sent as an event: nil if somebody runs events, also while they wait for some.
  func visitManual() -> ManualVisit? {
    guard case .manual(let time) = clock, !isCurrent else { return nil }
    switch time.isBusy.visit() {
    case .entered:
      return .entered(
        owner.exchange(ThreadMark.currentBits, ordering: .acquiringAndReleasing))
    case .isVisited: return .isVisited
    case .isBusy: return nil
    }
  }

  func leaveManual(_ before: UInt?) {
    guard let before, case .manual(let time) = clock else { return }
    owner.store(before, ordering: .releasing)
    time.isBusy.leave()
  }

  /// Makes the calling thread this loop's consumer permanently.
  func own() { owner.store(ThreadMark.currentBits, ordering: .releasing) }

  /// Removes the consumer, until a thread becomes one again.
  func clearOwner() { owner.store(0, ordering: .releasing) }

  func take() -> EventBatch { queue.take() }

  /// Reports events that wait although the scheduler was released.
  func reportForgotten(waiting: () -> Int) {
    guard isForgotten.exchange(false, ordering: .acquiring) else { return }
    let count = waiting()
    if count > 0 { options.report(.forgotten(scheduler: name, waiting: count)) }
  }

  /// Removes and returns the event that owns this turn, if any.
  func take(_ turn: KeyedTurn) -> (() -> Void)? { coalesced.take(turn) }

  /// Sets the number of waiting delayed events.
  func note(delayed count: Int) { cancelledDelays.note(waiting: count) }

  /// Whether to sweep out the withdrawn events now.
  func beginSweep() -> Bool { cancelledDelays.begin() }

  /// Whether an event of a higher priority, or the closing, may have arrived; clears the marks if so.
  func mustYield(above priority: EventPriority) -> Bool { preemption.take(above: priority) }

  var isClosed: Bool { queue.isClosed }

  /// Whether a closed loop still runs waiting events.
  var stillRuns: Bool {
    let limit = runsUntil.load(ordering: .acquiring)
    return limit == .max || (limit != .min && clock.now() < limit)
  }

  /// Ends the loop, unless an event is in the queue.
  func end() -> Bool { queue.end() }

  /// Sleeps until an event arrives or `due` is reached. Returns false at once if the queue has an event.
  @discardableResult
  func park(until due: Int64?) -> Bool {
    guard queue.park() else { return false }
    parker.park(forNanoseconds: due.map { max(0, $0 - clock.now()) })
    queue.unpark()
    return true
  }

  /// Marks the consumer as sleeping, unless the queue has an event, for consumers that sleep by other means.
  ///
  /// With `evenIfClosed` a closed loop does not prevent it until the end.
  func fallAsleep(evenIfClosed: Bool = false) -> Bool { queue.park(evenIfClosed: evenIfClosed) }

  func wakeUp() { queue.unpark() }

  // MARK: Actors

  public func enqueue(_ job: consuming ExecutorJob) {
    let priority = EventPriority(job.priority)
    post(EventNode(.job(UnownedJob(job)), priority: priority, traits: .mustRun))
  }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  public func checkIsolated() {
    require(isCurrent, "this code belongs to scheduler '\(name)'")
  }

  func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }

  /// Runs a task's step after the thread has ended, still one at a time.
  private func runLate(_ job: UnownedJob) {
    options.report(.lateTask(scheduler: name))
    lateTasks.async { [self] in
      ended.waitBlocking()
      owned { run(job) }
    }
  }
}

extension EventPriority {
  /// The event priority that corresponds to a task's.
  init(_ priority: JobPriority) {
    if priority.rawValue > TaskPriority.medium.rawValue {
      self = .user
    } else {
      self = priority.rawValue < TaskPriority.utility.rawValue ? .background : .normal
    }
  }
}

/// The options of a scheduler.
public struct SchedulerOptions: Sendable {
  /// The queue for events from other threads.
  public var queue: QueueKind = .stack
  /// The number of events that may wait, and what happens beyond it.
  public var capacity: Capacity = .unbounded()
  /// What happens if an object is used on a wrong thread.
  public var wrongThread: WrongThreadCheck = .trap
  /// Whether the counters include the waiting time of events, which costs two clock readings per event.
  public var measuresWaiting = false
  /// Receives reports of otherwise silent problems; called on any thread, with no lock held.
  public var report: @Sendable (Report) -> Void = Report.toStandardError

  /// The defaults: an unbounded stack that stops the process on a wrong thread.
  public init() {}

  /// A copy with some options changed.
  public func with(_ change: (inout SchedulerOptions) -> Void) -> SchedulerOptions {
    var copy = self
    change(&copy)
    return copy
  }
}

/// What a shutdown does with the waiting events. Later events are always refused.
///
/// Delayed events that are not due by then are refused too. A second shutdown can only make the first one faster.
public enum ShutdownMode: Sendable, Equatable {
  /// All of them run.
  case drain
  /// None of them runs; the running one completes.
  case drop
  /// They run until this time has passed; then the rest is dropped.
  case deadline(Duration)
}

/// The clock of a loop, in nanoseconds: the machine's, or one that a test sets.
enum LoopClock: Sendable {
  case machine
  case manual(ManualTime)

  func now() -> Int64 {
    switch self {
    case .machine: Platform.now()
    case .manual(let time): time.now
    }
  }
}

/// A clock that moves only when a test sets it.
final class ManualTime: Sendable {
  private let nanoseconds = Atomic<Int64>(0)
  /// Whether a thread runs events by this time.
  let isBusy = BusyFlag()

  var now: Int64 { nanoseconds.load(ordering: .acquiring) }

  func set(_ now: Int64) { nanoseconds.store(now, ordering: .releasing) }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to the 292 years that fit into 64 bits.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingWithoutWrap(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// The sum, clamped to the type's range.
  func addingWithoutWrap(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

/// System functions that a loop needs besides threads.
extension Platform {
  /// Nanoseconds on a monotonic clock with an arbitrary zero.
  static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Runs `body` in an autorelease pool, where Objective-C exists.
  static func drainingAutoreleased<R>(_ body: () -> R) -> R {
    #if canImport(ObjectiveC)
      return autoreleasepool(invoking: body)
    #else
      return body()
    #endif
  }

  static func writeToStandardError(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { unsafe _ = write(2, $0.baseAddress, $0.count) }
  }
}

/// The counters of one loop.
///
/// The consumer is the only writer of its counters, so a plain load and store is enough; only rare events need an atomic
/// addition.
final class LoopCounters: Sendable {
  private let events = Atomic(0)
  private let batches = Atomic(0)
  private let deepest = Atomic(0)
  private let waitingTotal = Atomic<Int64>(0)
  private let waitingLongest = Atomic<Int64>(0)
  private let wakeUps = Atomic(0)
  private let refused = Atomic(0)
  private let coalesced = Atomic(0)

  /// Consumer only.
  func eventRan() {
    events.store(events.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  /// Consumer only.
  func batchTaken(waiting: Int) {
    batches.store(batches.load(ordering: .relaxed) + 1, ordering: .relaxed)
    if waiting > deepest.load(ordering: .relaxed) { deepest.store(waiting, ordering: .relaxed) }
  }

  /// Consumer only.
  func eventWaited(nanoseconds: Int64) {
    let total = waitingTotal.load(ordering: .relaxed) + nanoseconds
    waitingTotal.store(total, ordering: .relaxed)
    if nanoseconds > waitingLongest.load(ordering: .relaxed) {
      waitingLongest.store(nanoseconds, ordering: .relaxed)
    }
  }

  func threadWoken() { wakeUps.add(1, ordering: .relaxed) }

  func eventRefused() { refused.add(1, ordering: .relaxed) }

  func eventCoalesced() { coalesced.add(1, ordering: .relaxed) }

  var snapshot: SchedulerCounters {
    SchedulerCounters(
      events: events.load(ordering: .relaxed),
      batches: batches.load(ordering: .relaxed),
      wakeUps: wakeUps.load(ordering: .relaxed),
      deepest: deepest.load(ordering: .relaxed),
      refused: refused.load(ordering: .relaxed),
      coalesced: coalesced.load(ordering: .relaxed),
      waitingTotal: .nanoseconds(waitingTotal.load(ordering: .relaxed)),
      waitingLongest: .nanoseconds(waitingLongest.load(ordering: .relaxed)))
  }
}

/// Counters of a scheduler since its creation. Readable at any time, from any thread.
public struct SchedulerCounters: Sendable, Equatable {
  /// Events that ran.
  public var events = 0
  /// Batches: how often the consumer found events after it had none.
  public var batches = 0
  /// How often a sleeping thread was woken.
  public var wakeUps = 0
  /// The largest number of waiting events, counted whenever a batch is taken.
  public var deepest = 0
  /// Events that will never run.
  public var refused = 0
  /// Events that replaced a queued one with the same key.
  public var coalesced = 0
  /// The total waiting time of events; zero unless the scheduler measures it.
  public var waitingTotal = Duration.zero
  /// The longest waiting time of an event; zero unless the scheduler measures it.
  public var waitingLongest = Duration.zero
}
