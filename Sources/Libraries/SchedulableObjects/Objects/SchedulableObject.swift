internal import SchedulableThreads
internal import Dispatch
internal import Synchronization

/// A handle for an object that belongs to one scheduler.
///
/// The object need not be thread-safe or `Sendable`; the handle is. You can send an event to the object from anywhere:
///
/// ```swift
/// let printer = SchedulableObject(Printer(), on: scheduler)
/// printer.schedule { $0.print("hello") }
/// let pages = try await printer.call { $0.pageCount }
/// ```
///
/// The compiler keeps the object on its scheduler: it cannot be returned, stored elsewhere or captured by a task. When the
/// last handle is gone, the object is released on its scheduler, after the events sent to it.
@safe
public final class SchedulableObject<Object>: Sendable {
  /// The object's scheduler. The handle keeps the scheduler's thread, but not the scheduler: once that is released, this is
  /// another one with the same name and thread.
  public var scheduler: any Scheduler { unsafe loopReference.owner ?? loopReference }
  private let loopReference: LoopReference
  @usableFromInline let loop: SchedulerLoop
  private let kind: SentEventKind.Type = ObjectEvent<Object>.self
  /// The bits of the priorities that events were sent with: the object's release waits at each of them.
  private let priorities = Atomic<UInt8>(0)
  // Proof: the pointer never changes. The object behind it is accessed only on its scheduler; every access enqueues or
  // checks that. A pointer, so that releasing the handle does not release the object on the releasing thread.
  @usableFromInline nonisolated(unsafe) let resident: UnsafeMutablePointer<Resident<Object>>

  /// Sends an object to a scheduler. Its creator cannot access it afterwards.
  public convenience init(_ object: consuming sending Object, on scheduler: any Scheduler) {
    self.init(bound: object, to: scheduler)
  }

  init(bound object: consuming Object, to scheduler: any Scheduler) {
    loop = scheduler.loop
    loopReference = loop.loopReference ?? LoopReference(of: loop, keepsThread: false)
    loopReference.addObject()
    unsafe resident = .allocate(capacity: 1)
    unsafe resident.initialize(to: Resident(value: object))
  }

  deinit {
    // No other code can reach the object any more: this handle was the only value that referenced it.
    let resident = unsafe resident
    let sent = priorities.load(ordering: .relaxed)
    let release = DeferredRelease(in: loopReference, after: sent) {
      unsafe resident.deinitialize(count: 1)
      unsafe resident.deallocate()
    }
    if sent == 0, loop.isCurrent { release.finish() } else { release.proceed(on: loop) }
  }

  // MARK: From elsewhere: an event

  /// Sends an event to the object. The event always queues, also if sent from the same scheduler.
  public func schedule(
    priority: EventPriority = .normal, _ event: consuming sending @escaping (Object) -> Void
  ) {
    note(priority)
    let sent = unsafe SentEvent(event, to: resident, kind: kind)
    loop.post(EventNode(.send(sent), priority: priority))
  }

  /// Sends an event with a value to the object. Without an allocation, if the value is small and the closure captures nothing.
  ///
  /// ```swift
  /// printer.schedule(with: page) { $0.print($1) }
  /// ```
  ///
  /// For frequent events: the captures of a closure are memory that one thread allocates and another one frees, which takes
  /// longer than the rest of the hand-off. A value of up to two words is sent without, see <doc:HandOffCosts>. Otherwise the
  /// event is the same as without a value.
  // Inlinable, because the general form takes as long as an allocation.
  @inlinable
  public func schedule<Value>(
    with value: sending Value, priority: EventPriority = .normal,
    _ event: sending @escaping (Object, Value) -> Void
  ) {
    guard let function = SentEvent.function(of: event) else {
      return schedule(event, with: value, priority)
    }
    note(priority)
    let sent = unsafe SentEvent(
      function, with: value, to: resident, kind: ObjectValueEvent<Object, Value>.self)
    loop.post(sent, priority: priority)
  }

  /// Apart, because a value that a closure may capture is allocated at once.
  @usableFromInline
  func schedule<Value>(
    _ event: sending @escaping (Object, Value) -> Void, with value: sending Value,
    _ priority: EventPriority
  ) {
    schedule(priority: priority) { event($0, value) }
  }

  /// Notes that the object's release must wait for an event of this priority.
  @usableFromInline
  func note(_ priority: EventPriority) {
    // Read first, so that senders usually only read this shared cache line.
    if priorities.load(ordering: .relaxed) & priority.bit == 0 {
      priorities.bitwiseOr(priority.bit, ordering: .relaxed)
    }
  }

  /// Sends an event to the object that is due after `delay` and can be withdrawn.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) -> ScheduledEvent {
    loopReference.schedule(after: delay, priority: priority) {
      unsafe event(self.resident.pointee.value)
    }
  }

  /// Sends an event that replaces the waiting event with the same key, if there is one.
  ///
  /// Keys belong to the object: events of other objects, or of the scheduler, with an equal key are not replaced.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) {
    // The waiting event retains this handle, so meanwhile no other object has this address.
    let key = CoalescedEvents.Key(key, of: unsafe UInt(bitPattern: resident))
    loop.post({ unsafe event(self.resident.pointee.value) }, key: key, priority: priority)
  }

  /// Sends an event to the object repeatedly, for the first time after `period`, until it is cancelled or the object's last
  /// handle is gone.
  ///
  /// - Parameters:
  ///   - period: the time from one turn to the next, above zero.
  ///   - priority: the priority of each turn.
  ///   - file: the file of the call.
  ///   - line: the line of the call.
  ///   - event: the closure to run.
  /// - Returns: a handle that cancels the repetition.
  @discardableResult
  public func schedule(
    every period: Duration, priority: EventPriority = .normal, file: StaticString = #fileID,
    line: UInt = #line, _ event: sending @escaping (Object) -> Void
  ) -> RepeatedEvent {
    loopReference.repeating(every: period, priority, file, line) { [weak self] in
      guard let self else { return false }
      unsafe event(resident.pointee.value)
      return true
    }
  }

  /// Sends an event and waits for its result, without blocking a thread.
  ///
  /// The closure runs in the waiting task: with its task-local values, its priority and its cancellation. If the task is
  /// cancelled before the event begins, the event is withdrawn, and the call throws at once.
  ///
  /// ```swift
  /// do {
  ///   try await printer.call { try $0.print("hello") }
  /// } catch let outOfPaper as OutOfPaper {
  ///   show(outOfPaper)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: the priority of the event; nil for the one that corresponds to the task's. An event of a higher priority
  ///     overtakes events that were scheduled before.
  ///   - body: the closure to run with the object.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`, a ``Refusal`` if the scheduler refused the event, or `CancellationError` if it was
  ///   withdrawn.
  public func call<Result: Sendable>(
    priority: EventPriority? = nil, _ body: sending @escaping (Object) throws -> Result
  ) async throws -> Result {
    try await loopReference.answer(priority: priority) {
      try unsafe body(self.resident.pointee.value)
    }
  }

  // MARK: On the same scheduler: directly

  /// Whether the caller runs on the object's scheduler.
  var isHere: Bool { loop.isCurrent }

  /// Calls the object directly, without a check. Only where `isHere`.
  func direct<Result, Failure: Error>(
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(resident.pointee.value)
  }

  /// Calls the object directly, in code that the compiler knows to run on a scheduler.
  ///
  /// `SchedulerOptions.wrongThread` decides whether a check verifies that it is the object's own scheduler.
  public func withDirect<Result, Failure: Error>(
    _ here: SchedulerContext, file: StaticString = #fileID, line: UInt = #line,
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    loopReference.preconditionIsolated("\(Object.self)", file: file, line: line)
    return try unsafe body(resident.pointee.value)
  }

  /// Calls the object directly, in code that you know to run on its scheduler.
  ///
  /// `SchedulerOptions.wrongThread` decides whether this is checked. On a ``ManualScheduler`` that runs no event, the calling
  /// test is the scheduler's thread meanwhile.
  public func assumeIsolated<Result, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (Object) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let visit = loop.enterManual(file, line)
    defer { loop.leaveManual(visit) }
    loopReference.preconditionIsolated("\(Object.self)", file: file, line: line)
    return try unsafe body(resident.pointee.value)
  }
}

/// An actor that lives on a scheduler. Conform to it to make an object itself schedulable.
///
/// ```swift
/// actor Printer: Schedulable {
///   nonisolated let scheduler: any Scheduler
///   private var pages = 0
///   init(on scheduler: any Scheduler) { self.scheduler = scheduler }
///   func print(_ line: String) { pages += 1 }
/// }
/// printer.schedule { $0.print("hello") }   // an event, in order
/// await printer.print("hello")             // or as with any actor
/// ```
///
/// Actors on one scheduler call each other without a thread hop.
public protocol Schedulable: Actor {
  /// The actor's scheduler. It must never change.
  nonisolated var scheduler: any Scheduler { get }
}

extension Schedulable {
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe scheduler.asUnownedSerialExecutor()
  }

  /// Sends an event to the actor. Unlike tasks, events of one sender keep their order.
  public nonisolated func schedule(
    priority: EventPriority = .normal, _ event: @escaping @Sendable (isolated Self) -> Void
  ) {
    scheduler.schedule(priority: priority) { self.assumeIsolated { event($0) } }
  }

  /// Sends an event to the actor that is due after `delay` and can be withdrawn.
  @discardableResult
  public nonisolated func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: @escaping @Sendable (isolated Self) -> Void
  ) -> ScheduledEvent {
    scheduler.schedule(after: delay, priority: priority) { self.assumeIsolated { event($0) } }
  }

  /// Sends an event to the actor repeatedly, for the first time after `period`, which is above zero. It keeps the actor until
  /// it is cancelled.
  ///
  /// - Returns: a handle that cancels the repetition.
  @discardableResult
  public nonisolated func schedule(
    every period: Duration, priority: EventPriority = .normal, file: StaticString = #fileID,
    line: UInt = #line, _ event: @escaping @Sendable (isolated Self) -> Void
  ) -> RepeatedEvent {
    scheduler.schedule(every: period, priority: priority, file: file, line: line) {
      self.assumeIsolated { event($0) }
    }
  }
}

/// The part of a scheduler that its objects reference: enough to send events to it and to keep its thread, if it has one.
///
/// They do not reference the scheduler itself, so the library can tell when no other code does. A scheduler without a
/// thread then ends, because no code is left to drain it. For one with a thread the library reports that only its objects
/// keep it.
final class LoopReference: Scheduler {
  let loop: SchedulerLoop
  private let keepsThread: Bool
  private let objects = Atomic(0)
  // Proof: written once, by the owner's initialiser, before any object has this reference; reading a weak reference is atomic.
  nonisolated(unsafe) weak var owner: (any Scheduler)?

  init(of loop: SchedulerLoop, keepsThread: Bool) {
    self.loop = loop
    self.keepsThread = keepsThread
    loop.loopReference = self
  }

  deinit {
    if keepsThread { loop.closeAbandoned(.drain) }
  }

  func addObject() { objects.add(1, ordering: .relaxed) }
  func removeObject() { objects.subtract(1, ordering: .relaxed) }

  /// Called when the scheduler is released. Reports a second later that only objects keep the thread, if that is still
  /// so; objects that are released together with the scheduler are gone by then.
  func schedulerWasDropped() {
    guard objects.load(ordering: .relaxed) > 0, !loop.isClosed else { return }
    loop.post(chore: { [weak self] in self?.reportObjects() }, after: 1_000_000_000)
  }

  private func reportObjects() {
    let count = objects.load(ordering: .relaxed)
    if count > 0 { loop.options.report(.keptByObjects(scheduler: loop.name, objects: count)) }
  }
}

/// Releases an object whose last handle is gone, after the events that were sent to it.
///
/// Events do not retain the object, so its release queues behind them. The queue keeps the order within a priority, so the
/// release takes one turn at each priority that the events had, the highest first.
final class DeferredRelease {
  private let loopReference: LoopReference
  private let end: () -> Void
  private var turns: [EventPriority]

  // Keeps the loop, and with it the thread that the events need, until the release. `priorities` has the bits of all
  // events that were sent to the object.
  init(in loopReference: LoopReference, after priorities: UInt8, end: @escaping () -> Void) {
    self.loopReference = loopReference
    self.end = end
    let sent = priorities == 0 ? EventPriority.normal.bit : priorities
    turns = EventPriority.allCases.sorted().filter { $0.bit & sent != 0 }
  }

  /// Queues for the next turn, or releases the object after the last one.
  ///
  /// - Returns: whether it released the object.
  @discardableResult
  func proceed(on loop: SchedulerLoop) -> Bool {
    guard let next = turns.popLast() else {
      finish()
      return true
    }
    loop.post(EventNode(.releaseObject(self), priority: next, traits: .mustRun))
    return false
  }

  /// Releases the object now. Only when no other code can access it.
  func finish() {
    end()
    loopReference.removeObject()
  }
}

/// One pending `call`: an actor on an executor of its own, whose only job is an event of the loop.
///
/// So the closure runs in the caller's task, and the event waits, is refused or is withdrawn like any other. It is answered
/// exactly once: when it has run, is refused, or is withdrawn.
@safe
actor PendingCall: SerialExecutor {
  private enum State {
    static let new: UInt8 = 0
    static let sent: UInt8 = 1
    static let withdrawn: UInt8 = 2
    static let over: UInt8 = 3
  }

  private nonisolated let loop: SchedulerLoop
  private nonisolated let priority: EventPriority?
  private nonisolated let state = Atomic(State.new)
  // Proof: written before `state` becomes `sent`, and read by the one thread that changes it to `over`.
  private nonisolated(unsafe) var job: UnownedJob?
  // Proof: written by that thread before it runs the job, which alone reads it.
  private nonisolated(unsafe) var refusal: Refusal.Reason?

  init(loop: SchedulerLoop, priority: EventPriority?) {
    self.loop = loop
    self.priority = priority
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// Runs `body` as the event of this call. Called once.
  func perform<Result: Sendable>(
    _ body: sending () throws -> Result
  ) throws -> Result {
    switch unsafe refusal {
    case nil: return try body()
    case .cancelled?: throw CancellationError()
    case let reason?: throw loop.refusal(reason)
    }
  }

  /// Whether it has begun, or will never run.
  nonisolated var isOver: Bool { state.load(ordering: .relaxed) >= State.withdrawn }

  /// Sends the event. The Swift runtime calls it when the task has arrived at `perform`.
  nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let priority = priority ?? EventPriority(job.priority)
    unsafe self.job = UnownedJob(job)
    if change(State.new, to: State.sent) {
      loop.post(EventNode(.call(self), priority: priority))
    } else {
      answer(.cancelled)
    }
  }

  /// Runs the event, unless it is over. Only on its scheduler.
  nonisolated func run() -> Bool {
    guard change(State.sent, to: State.over) else { return false }
    if let job = unsafe job { unsafe job.runSynchronously(on: unownedExecutor) }
    return true
  }

  /// Ends the event without running it, if it still waits, and calls `note` before the task continues. Returns whether it did.
  @discardableResult
  nonisolated func finish(_ reason: Refusal.Reason, _ note: () -> Void = {}) -> Bool {
    guard change(State.sent, to: State.over) else { return false }
    note()
    answer(reason)
    return true
  }

  nonisolated func withdraw() {
    if !finish(.cancelled) { _ = change(State.new, to: State.withdrawn) }
  }

  /// Lets the task continue with an error, on another thread: the caller may hold locks, or be the task itself.
  private nonisolated func answer(_ reason: Refusal.Reason) {
    unsafe refusal = reason
    guard let job = unsafe job else { return }
    DispatchQueue.global().async { unsafe job.runSynchronously(on: self.unownedExecutor) }
  }

  private nonisolated func change(_ old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
