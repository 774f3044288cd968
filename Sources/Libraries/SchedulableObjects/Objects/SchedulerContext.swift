internal import SchedulableThreads

/// Proof that the code currently runs on a scheduler.
///
/// It is not `Sendable`, and only the library can create one, so the compiler keeps it on its scheduler. An object may keep it,
/// to send events to itself:
///
/// ```swift
/// final class Clock {
///   private let here: SchedulerContext
///   private var ticking: RepeatedEvent?
///
///   init(_ here: SchedulerContext) {
///     self.here = here
///     ticking = here.schedule(every: .seconds(1)) { [unowned self] in tick() }
///   }
///
///   deinit { ticking?.cancel() }
/// }
///
/// let clock = try await scheduler.assemble { here in here.bind(Clock(here)) }
/// ```
///
/// What captures the object `unowned` is cancelled in its `deinit`; an event that may outlive it captures it `weak`.
public struct SchedulerContext {
  /// The scheduler that the code runs on.
  public let scheduler: any Scheduler

  /// Binds an object that was created on this scheduler to it.
  ///
  /// Create objects that reference each other together and bind them one by one; each gets its own handle.
  public func bind<Object>(_ object: Object) -> SchedulableObject<Object> {
    SchedulableObject(bound: object, to: scheduler)
  }

  // MARK: Events of the same scheduler, which may use its objects

  /// Sends an event to this scheduler. It runs later, or is refused and reported.
  public func schedule(priority: EventPriority = .normal, _ event: @escaping () -> Void) {
    loop.post(EventNode(.run(event), priority: priority))
  }

  /// Sends an event to this scheduler that is due after `delay` and can be withdrawn.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal, _ event: @escaping () -> Void
  ) -> ScheduledEvent {
    // Proof: only this scheduler uses it, and so does the caller, see `loop`.
    nonisolated(unsafe) let event = event
    return scheduler.schedule(after: delay, priority: priority) { unsafe event() }
  }

  /// Sends an event to this scheduler that replaces the scheduler's waiting event with the same key, if there is one.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: @escaping () -> Void
  ) {
    // Proof: as above.
    nonisolated(unsafe) let event = event
    loop.post({ unsafe event() }, key: CoalescedEvents.Key(key), priority: priority)
  }

  /// Sends an event to this scheduler repeatedly, for the first time after `period`, which is above zero.
  ///
  /// - Returns: a handle that cancels the repetition.
  @discardableResult
  public func schedule(
    every period: Duration, priority: EventPriority = .normal, file: StaticString = #fileID,
    line: UInt = #line, _ event: @escaping () -> Void
  ) -> RepeatedEvent {
    // Proof: as above.
    nonisolated(unsafe) let event = event
    return scheduler.schedule(every: period, priority: priority, file: file, line: line) {
      unsafe event()
    }
  }

  /// The loop of the scheduler. The compiler keeps this proof, and what an event captures, on that scheduler.
  private var loop: SchedulerLoop { scheduler.loop }
}

@available(*, unavailable)
extension SchedulerContext: Sendable {}
