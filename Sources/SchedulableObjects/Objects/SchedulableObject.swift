internal import Synchronization

/// A handle for an object that belongs to one scheduler.
///
/// The object need not be thread-safe, nor `Sendable`; the handle is. From anywhere, an event is sent to the object:
///
/// ```swift
/// let printer = SchedulableObject(Printer(), on: scheduler)
/// printer.schedule { $0.print("hello") }
/// let pages = try await printer.call { $0.pageCount }
/// ```
///
/// The compiler sees to it that the object itself stays where it belongs: it cannot be returned, stored elsewhere or
/// captured by a task. When the last handle is gone, the object dies on its scheduler, after the events sent to it.
@safe
public final class SchedulableObject<Object>: Sendable {
  /// Where the object lives, under the scheduler's name. It keeps a thread, but not the scheduler that owns that.
  public var scheduler: any Scheduler { residence }
  private let residence: Residence
  private let loop: SchedulerLoop
  private let kind: SentEventKind.Type = SentEventOf<Object>.self
  /// The priorities that events were sent with, as bits: where the object's end has to wait.
  private let priorities = Atomic<UInt8>(0)
  // Proof: the pointer never changes. The object behind it is touched on its scheduler only; every way to it enqueues
  // or checks that. A pointer, so that the last reference to the object is not dropped by whoever drops the handle.
  private nonisolated(unsafe) let resident: UnsafeMutablePointer<Resident<Object>>

  /// Sends an object to a scheduler. Its creator cannot touch it afterwards.
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
    // Nobody else can reach it any more: this was the last reference to the one value that knew it.
    let resident = unsafe resident
    let sent = priorities.load(ordering: .relaxed)
    let burial = Burial(in: residence, after: sent) {
      unsafe resident.deinitialize(count: 1)
      unsafe resident.deallocate()
    }
    if sent == 0, loop.isCurrent { burial.finish() } else { burial.proceed(on: loop) }
  }

  // MARK: From elsewhere: an event

  /// Sends an event to the object. It always waits its turn, also if sent from the same scheduler.
  public func schedule(
    priority: EventPriority = .normal, _ event: consuming sending @escaping (Object) -> Void
  ) {
    // Looked at first, so that senders only read a line of memory that they share.
    if priorities.load(ordering: .relaxed) & priority.bit == 0 {
      priorities.bitwiseOr(priority.bit, ordering: .relaxed)
    }
    let sent = unsafe SentEvent(consume event, to: resident, kind: kind)
    loop.post(EventNode(.send(sent), priority: priority))
  }

  /// Sends an event to the object that is not due before `delay` has passed, and that can be withdrawn.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) -> ScheduledEvent {
    scheduler.schedule(after: delay, priority: priority) {
      unsafe event(self.resident.pointee.value)
    }
  }

  /// Sends an event that takes the place of the one with the same key, if that still waits.
  ///
  /// The key is the scheduler's, not the object's.
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
  /// It is answered exactly once. If the waiting task is cancelled before the event begins, the event is withdrawn;
  /// later, `Task.isCancelled` is true in `body` from then on.
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
  /// - Throws: what `body` throws, or that the event was refused.
  public func call<Result, Failure: Error>(
    priority: EventPriority = .normal,
    _ body: sending @escaping (Object) throws(Failure) -> sending Result
  ) async throws(CallError<Failure>) -> sending Result {
    return try await scheduler.answer(priority: priority) { () throws(Failure) -> Result in
      try unsafe body(self.resident.pointee.value)
    }
  }

  // MARK: On the same scheduler: directly

  /// Calls the object directly, where the compiler can see that the code runs on a scheduler.
  ///
  /// That it is the object's own one is checked, as `SchedulerOptions.wrongThread` says.
  public func withDirect<Result, Failure: Error>(
    _ here: Here, file: StaticString = #fileID, line: UInt = #line,
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    scheduler.preconditionIsolated("\(Object.self)", file: file, line: line)
    return try unsafe body(resident.pointee.value)
  }

  /// Calls the object directly, where the programmer knows that the code runs on its scheduler.
  ///
  /// It is checked, as `SchedulerOptions.wrongThread` says.
  public func assumeIsolated<Result, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (Object) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    scheduler.preconditionIsolated("\(Object.self)", file: file, line: line)
    return try unsafe body(resident.pointee.value)
  }
}
