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
  /// The object's scheduler, under its name. This reference keeps the scheduler's thread, but not the scheduler that owns it.
  public var scheduler: any Scheduler { loopReference }
  private let loopReference: LoopReference
  private let loop: SchedulerLoop
  private let kind: SentEventKind.Type = SentEventOf<Object>.self
  /// The bits of the priorities that events were sent with: the object's release waits at each of them.
  private let priorities = Atomic<UInt8>(0)
  // Proof: the pointer never changes. The object behind it is accessed only on its scheduler; every access enqueues or
  // checks that. A pointer, so that releasing the handle does not release the object on the releasing thread.
  private nonisolated(unsafe) let resident: UnsafeMutablePointer<Resident<Object>>

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
    // Read first, so that senders usually only read this shared cache line.
    if priorities.load(ordering: .relaxed) & priority.bit == 0 {
      priorities.bitwiseOr(priority.bit, ordering: .relaxed)
    }
    let sent = unsafe SentEvent(consume event, to: resident, kind: kind)
    loop.post(EventNode(.send(sent), priority: priority))
  }

  /// Sends an event to the object that is due after `delay` and can be withdrawn.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) -> ScheduledEvent {
    scheduler.schedule(after: delay, priority: priority) {
      unsafe event(self.resident.pointee.value)
    }
  }

  /// Sends an event that replaces the waiting event with the same key, if there is one.
  ///
  /// Keys belong to the scheduler, not to the object.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) {
    scheduler.schedule(replacing: key, priority: priority) {
      unsafe event(self.resident.pointee.value)
    }
  }

  /// Sends an event and waits for its result, without blocking a thread.
  ///
  /// The call is answered exactly once. If the waiting task is cancelled before the event begins, the event is withdrawn.
  /// If it is cancelled later, `Task.isCancelled` becomes true in `body`.
  ///
  /// ```swift
  /// do throws(CallError<OutOfPaper>) {
  ///   try await printer.call { printer throws(OutOfPaper) in try printer.print("hello") }
  /// } catch {
  ///   switch error {
  ///   case .failed(let outOfPaper): show(outOfPaper)
  ///   case .refused(let refusal): show(refusal)
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: ``CallError`` with the error of `body`, or with the refusal of the event.
  public func call<Result, Failure: Error>(
    priority: EventPriority = .normal,
    _ body: sending @escaping (Object) throws(Failure) -> sending Result
  ) async throws(CallError<Failure>) -> sending Result {
    return try await scheduler.answer(priority: priority) { () throws(Failure) -> Result in
      try unsafe body(self.resident.pointee.value)
    }
  }

  // MARK: On the same scheduler: directly

  /// Calls the object directly, in code that the compiler knows to run on a scheduler.
  ///
  /// `SchedulerOptions.wrongThread` decides whether a check verifies that it is the object's own scheduler.
  public func withDirect<Result, Failure: Error>(
    _ here: Here, file: StaticString = #fileID, line: UInt = #line,
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    scheduler.preconditionIsolated("\(Object.self)", file: file, line: line)
    return try unsafe body(resident.pointee.value)
  }

  /// Calls the object directly, in code that you know to run on its scheduler.
  ///
  /// `SchedulerOptions.wrongThread` decides whether this is checked.
  public func assumeIsolated<Result, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (Object) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    scheduler.preconditionIsolated("\(Object.self)", file: file, line: line)
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

  init(of loop: SchedulerLoop, keepsThread: Bool) {
    self.loop = loop
    self.keepsThread = keepsThread
    loop.loopReference = self
  }

  deinit {
    if keepsThread { loop.closeForgotten(.drain) }
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
