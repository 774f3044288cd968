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
  // Proof: the pointer never changes. The object behind it is touched on its scheduler only; every way to it enqueues
  // or checks that. A pointer, so that the last reference to the object is not dropped by whoever drops the handle.
  private nonisolated(unsafe) let object: UnsafeMutablePointer<Object>

  /// Sends an object to a scheduler. Its creator cannot touch it afterwards.
  public convenience init(_ object: consuming sending Object, on scheduler: any Scheduler) {
    self.init(bound: object, to: scheduler)
  }

  init(bound object: consuming Object, to scheduler: any Scheduler) {
    loop = scheduler.loop
    residence = loop.residence ?? Residence(of: loop, keepsThread: false)
    residence.moveIn()
    unsafe self.object = .allocate(capacity: 1)
    unsafe self.object.initialize(to: object)
  }

  deinit {
    residence.moveOut()
    if loop.isCurrent { return unsafe Self.end(object) }
    // Nobody else can reach it any more: this was the last reference to the one value that knew it.
    nonisolated(unsafe) let object = unsafe object
    loop.post(EventNode(.bury { unsafe Self.end(object) }, priority: .normal, traits: .mustRun))
  }

  private static func end(_ object: UnsafeMutablePointer<Object>) {
    unsafe object.deinitialize(count: 1)
    unsafe object.deallocate()
  }

  // MARK: From elsewhere: an event

  /// Sends an event to the object. It always waits its turn, also if sent from the same scheduler.
  public func schedule(
    priority: EventPriority = .normal, _ event: sending @escaping (Object) -> Void
  ) {
    loop.post(EventNode(.run { unsafe event(self.object.pointee) }, priority: priority))
  }

  /// Sends an event to the object that is not due before `delay` has passed, and that can be withdrawn.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) -> ScheduledEvent {
    scheduler.schedule(after: delay, priority: priority) {
      unsafe event(self.object.pointee)
    }
  }

  /// Sends an event that takes the place of the one with the same key, if that still waits.
  ///
  /// The key is the scheduler's, not the object's.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: sending @escaping (Object) -> Void
  ) {
    scheduler.schedule(replacing: key, priority: priority) { unsafe event(self.object.pointee) }
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
      try unsafe body(self.object.pointee)
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
    return try unsafe body(object.pointee)
  }

  /// Calls the object directly, where the programmer knows that the code runs on its scheduler.
  ///
  /// It is checked, as `SchedulerOptions.wrongThread` says.
  public func assumeIsolated<Result, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (Object) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    scheduler.preconditionIsolated("\(Object.self)", file: file, line: line)
    return try unsafe body(object.pointee)
  }
}
