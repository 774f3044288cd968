internal import SchedulableThreads

/// Runs events strictly one after another.
///
/// Events of one sending thread and one priority run in the order sent. A higher priority overtakes queued events.
/// `schedule` always enqueues, also from an event of the same scheduler, because a direct call would reorder. No call
/// blocks until an event has run.
///
/// A scheduler is an executor: actors live on it, see ``Schedulable``, and tasks run on it that prefer it, by
/// `Task(executorPreference: scheduler)` or `withTaskExecutorPreference(scheduler)`.
///
/// For a queue or loop of another library use a ``HostedScheduler``. A type of your own has one:
///
/// ```swift
/// final class FileScheduler: Scheduler {
///   private let host: HostedScheduler
///   var loop: SchedulerLoop { host.loop }
/// }
/// ```
public protocol Scheduler: SerialExecutor, TaskExecutor {
  /// The queue behind this scheduler. An actor that lives on the scheduler must keep the scheduler alive.
  var loop: SchedulerLoop { get }
}

extension Scheduler {
  /// The name for reports and debuggers.
  public var name: String { loop.name }

  // Disfavoured, so that a scheduler of the MainActor can offer the same for its isolated closures.

  /// Sends an event. It runs later, or is refused and reported.
  @_disfavoredOverload
  public func schedule(
    priority: EventPriority = .normal, _ event: sending @escaping () -> Void
  ) {
    loop.post(EventNode(.run(event), priority: priority))
  }

  /// Sends an event with a value. Without an allocation, if the value is small and the closure captures nothing.
  ///
  /// ```swift
  /// scheduler.schedule(with: (meter, sample)) { meter, sample in meter.add(sample) }
  /// ```
  ///
  /// For frequent events: the captures of a closure are memory that one thread allocates and another one frees, which takes
  /// longer than the rest of the hand-off. A value of up to three words is sent without, see <doc:HandOffCosts>. Otherwise the
  /// event is the same as without a value.
  // Inlinable, because the general form takes as long as an allocation.
  @inlinable
  public func schedule<Value>(
    with value: sending Value, priority: EventPriority = .normal,
    _ event: sending @escaping (Value) -> Void
  ) {
    guard let function = SentEvent.function(of: event) else {
      return schedule(event, with: value, priority)
    }
    let sent = SentEvent(function, with: value, kind: ValueEvent<Value>.self)
    loop.post(sent, priority: priority)
  }

  /// Apart, because a value that a closure may capture is allocated at once.
  @usableFromInline
  func schedule<Value>(
    _ event: sending @escaping (Value) -> Void, with value: sending Value,
    _ priority: EventPriority
  ) {
    loop.post(EventNode(.run({ event(value) }), priority: priority))
  }

  /// Sends an event that is due after `delay` and can be withdrawn.
  ///
  /// Without a delay it is ordered like any other event.
  @discardableResult
  @_disfavoredOverload
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
  @_disfavoredOverload
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: sending @escaping () -> Void
  ) {
    loop.post(event, key: CoalescedEvents.Key(key), priority: priority)
  }

  /// Stops accepting events and returns at once; the waiting ones run or are dropped according to `mode`. Also callable
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
  /// A ``ManualScheduler`` that runs no event builds them at once.
  ///
  /// - Throws: the error of `build`, a ``Refusal``, or `CancellationError`.
  public func assemble<Result: Sendable>(
    priority: EventPriority? = nil, _ build: sending @escaping (SchedulerContext) throws -> Result
  ) async throws -> Result {
    while let visit = loop.visitManual() {
      guard case .entered(let before) = visit else {
        await Task.yield()
        continue
      }
      defer { loop.leaveManual(before) }
      return try build(SchedulerContext(scheduler: self))
    }
    return try await answer(priority: priority) { try build(SchedulerContext(scheduler: self)) }
  }

  /// Passes a ``SchedulerContext`` to code that runs on this scheduler. `SchedulerOptions.wrongThread` decides whether this
  /// is checked. On a ``ManualScheduler`` that runs no event, the calling test is the scheduler's thread meanwhile.
  public func assumeIsolated<Result: Sendable, Failure: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: sending (SchedulerContext) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let visit = loop.enterManual(file, line)
    defer { loop.leaveManual(visit) }
    preconditionIsolated("code", file: file, line: line)
    return try body(SchedulerContext(scheduler: self))
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
  func answer<Result: Sendable>(
    priority: EventPriority?, isolation: isolated (any Actor)? = #isolation,
    _ body: sending @escaping () throws -> Result
  ) async throws -> Result {
    let call = PendingCall(loop: loop, priority: priority)
    // Proof: the closure was sent here, and only the one event uses it, once.
    nonisolated(unsafe) let body = body
    return try await withTaskCancellationHandler {
      // Isolated like the caller, so that the task goes from there to the scheduler and back without a third thread.
      _ = isolation
      return try await call.perform { try unsafe body() }
    } onCancel: {
      call.withdraw()
    }
  }
}

/// A problem that a scheduler reports because it would otherwise be silent.
public enum Report: Sendable, Equatable, CustomStringConvertible {
  /// An event will never run. A `call` throws its error instead.
  case refused(Refusal)
  /// Code that belongs to a scheduler ran elsewhere. Reported once for each call site.
  case wrongThread(WrongThread)
  /// More events wait than the high-water mark allows. Reported again after the queue was half empty.
  case highWater(scheduler: String, waiting: Int)
  /// A scheduler was released without a shutdown while `waiting` events waited. On a thread the events that are due still
  /// run, unless the process ends first; the others are refused.
  case forgotten(scheduler: String, waiting: Int)
  /// For a second only its own objects have referenced a scheduler. Its thread stays as long as they do: until the process ends
  /// if an object references its own handle, or objects reference each other's.
  case keptByObjects(scheduler: String, objects: Int)
  /// A task's actor lives on a scheduler whose thread has ended; the task continues elsewhere, one step at a time.
  case lateTask(scheduler: String)

  public var description: String {
    switch self {
    case .refused(let refusal): "event refused: \(refusal)"
    case .wrongThread(let error): error.description
    case .highWater(let scheduler, let waiting):
      "scheduler '\(scheduler)' is behind: \(waiting) events wait"
    case .forgotten(let scheduler, let waiting):
      "scheduler '\(scheduler)' was dropped without a shutdown; events that waited: \(waiting)"
    case .keptByObjects(let scheduler, let objects):
      "scheduler '\(scheduler)' was dropped without a shutdown; objects there that keep its thread: \(objects)"
    case .lateTask(let scheduler):
      "a task outlived scheduler '\(scheduler)', which its actor lives on"
    }
  }

  /// Writes a report to standard error.
  public static func toStandardError(_ report: Report) {
    Platform.writeToStandardError("SchedulableObjects: \(report)")
  }
}

/// The reason why an event did not run.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// Why an event was refused.
  public enum Reason: Sendable, Equatable {
    /// It was sent after the scheduler was shut down, or the shutdown dropped it.
    case shutDown
    /// The queue was full and drops the newest.
    case full
    /// It was the oldest in a full queue that drops the oldest.
    case evicted
    /// It was withdrawn before it began.
    case cancelled
  }

  /// The scheduler's name.
  public let scheduler: String
  /// Why the event was refused.
  public let reason: Reason

  /// Creates a refusal, for tests that expect one.
  public init(scheduler: String, reason: Reason) {
    self.scheduler = scheduler
    self.reason = reason
  }

  public var description: String {
    switch reason {
    case .shutDown: "scheduler '\(scheduler)' is shut down"
    case .full: "the queue of scheduler '\(scheduler)' is full"
    case .evicted: "an event of scheduler '\(scheduler)' made room for a newer one"
    case .cancelled: "an event of scheduler '\(scheduler)' was cancelled"
    }
  }
}

/// Code that ran on a wrong thread.
public struct WrongThread: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The name of the scheduler that the code belongs to.
  public let scheduler: String
  /// The object that was accessed, as the caller named it.
  public let subject: String
  /// The file of the call.
  public let file: String
  /// The line of the call in that file.
  public let line: UInt

  public var description: String { "\(file):\(line): \(mistake)" }

  /// The message without the place.
  var mistake: String {
    "\(subject) belongs to scheduler '\(scheduler)' and was used on another thread"
  }
}

/// What happens when code that belongs to a scheduler runs elsewhere.
public enum WrongThreadCheck: Sendable, CaseIterable {
  /// Nothing is checked.
  case off
  /// Each call site is reported once, and the code continues: for releases in which a crash is worse than a race.
  case report
  /// The process stops at the first violation; the default.
  case trap
}
