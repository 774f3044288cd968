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
  public var scheduler: any Scheduler { residence }
  private let residence: Residence
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
    residence = loop.residence ?? Residence(of: loop, keepsThread: false)
    residence.moveIn()
    unsafe resident = .allocate(capacity: 1)
    unsafe resident.initialize(to: Resident(value: object))
  }

  deinit {
    // No other code can reach the object any more: this handle was the only value that referenced it.
    let resident = unsafe resident
    let sent = priorities.load(ordering: .relaxed)
    let burial = Burial(in: residence, after: sent) {
      unsafe resident.deinitialize(count: 1)
      unsafe resident.deallocate()
    }
    if sent == 0, loop.isCurrent { burial.finish() } else { burial.proceed(on: loop) }
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
