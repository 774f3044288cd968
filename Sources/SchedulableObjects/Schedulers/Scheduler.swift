internal import Concurrency

/// Runs events strictly one after another.
///
/// Events of one sending thread and one priority run in the order sent. A higher priority overtakes queued events.
/// `schedule` always enqueues, also from an event of the same scheduler, because a direct call would reorder. No call
/// blocks until an event has run.
public protocol Scheduler: SerialExecutor {
  /// The queue behind this scheduler. An actor that lives on the scheduler must keep the scheduler alive.
  var loop: SchedulerLoop { get }
}

extension Scheduler {
  /// The name for reports and debuggers.
  public var name: String { loop.name }

  /// Sends an event. It runs later, or is refused and reported.
  public func schedule(
    priority: EventPriority = .normal, _ event: sending @escaping () -> Void
  ) {
    loop.post(EventNode(.run(event), priority: priority))
  }

  /// Sends an event that is due after `delay` and can be withdrawn.
  ///
  /// Without a delay it is ordered like any other event.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: sending @escaping () -> Void
  ) -> ScheduledEvent {
    let now = loop.clock.now()
    let due = delay > .zero ? now.addingWithoutWrap(delay.wholeNanoseconds) : nil
    let ticket = ScheduledEvent(due: due, in: due == nil ? nil : loop, body: event)
    let traits: EventTraits = due == nil ? [] : .delayed
    loop.post(EventNode(.ticket(ticket), priority: priority, traits: traits))
    return ticket
  }

  /// Sends an event that replaces the waiting event with the same key, if there is one.
  ///
  /// Use it for events of which only the newest matters, such as a position; at most one per key waits. If its priority
  /// differs from that of the replaced event, it runs at its own priority, as if it alone had been sent.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: sending @escaping () -> Void
  ) {
    loop.post(event, key: CoalescedEvents.Key(key), priority: priority)
  }

  /// Refuses events from now on and returns at once; the waiting ones run or are dropped according to `mode`. Also callable
  /// from an event of this scheduler.
  public func beginShutdown(_ mode: ShutdownMode = .drain) { loop.close(mode) }

  /// Whether the caller runs on this scheduler.
  public var isCurrent: Bool { loop.isCurrent }

  /// The counters of this scheduler.
  public var counters: SchedulerCounters { loop.counters.snapshot }

  /// Runs a job of an actor on this executor, as an event. The Swift runtime calls it.
  public func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  public func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }

  public func checkIsolated() { loop.checkIsolated() }
}

extension Scheduler {
  /// Creates objects on this scheduler, and returns their handles.
  ///
  /// ```swift
  /// let (options, printer) = try await scheduler.assemble { here in
  ///   let options = PrintOptions()
  ///   return (here.bind(options), here.bind(Printer(options)))
  /// }
  /// ```
  ///
  /// - Throws: ``CallError`` with the error of `build`, or with the refusal of the event.
  public func assemble<Result: Sendable, Failure: Error>(
    priority: EventPriority = .normal,
    _ build: sending @escaping (Here) throws(Failure) -> Result
  ) async throws(CallError<Failure>) -> Result {
    return try await answer(priority: priority) { () throws(Failure) -> Result in
      try build(Here(scheduler: self))
    }
  }

  /// Passes a ``Here`` to code that runs on this scheduler. `SchedulerOptions.wrongThread` decides whether this is checked.
  public func assumeIsolated<Result: Sendable, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (Here) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    preconditionIsolated("code", file: file, line: line)
    return try body(Here(scheduler: self))
  }

  /// Checks that the caller runs on this scheduler: for any code and any object that belongs here.
  ///
  /// `SchedulerOptions.wrongThread` decides what happens otherwise.
  ///
  /// - Parameters:
  ///   - subject: the name of the checked code or object, for the message.
  ///   - file: the file of the call.
  ///   - line: the line of the call.
  public func preconditionIsolated(
    _ subject: @autoclosure () -> String = "code", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let check = loop.options.wrongThread
    if check == .off || loop.isCurrent { return }
    let error = WrongThread(
      scheduler: loop.name, subject: subject(), file: "\(file)", line: line)
    require(check != .trap, error.mistake, file: file, line: line)
    loop.reportOnce(error)
  }

  /// Sends an event and waits for its answer.
  func answer<Result, Failure: Error>(
    priority: EventPriority,
    _ body: sending @escaping () throws(Failure) -> sending Result
  ) async throws(CallError<Failure>) -> sending Result {
    let call = PendingCall<Result, Failure>(loop: loop)
    return try await call.answer(priority: priority, body).get()
  }
}
