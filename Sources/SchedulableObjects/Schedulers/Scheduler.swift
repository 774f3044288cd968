/// Delivers events to one place, where they run strictly one after another.
///
/// Events of one sending thread and one priority run in the order sent. A higher priority overtakes what is queued.
/// `schedule` always enqueues, also from an event of the same scheduler: a silent direct call would reorder. There is
/// no call that blocks until an event has run.
public protocol Scheduler: SerialExecutor {
  /// The queue behind this scheduler. An actor that lives on the scheduler must keep the scheduler alive.
  var loop: SchedulerLoop { get }
}

extension Scheduler {
  /// For reports and debuggers.
  public var name: String { loop.name }

  /// Sends an event. It runs later, or is refused and reported.
  public func schedule(
    priority: EventPriority = .normal, _ event: sending @escaping () -> Void
  ) {
    loop.post(EventNode(.run(event), priority: priority))
  }

  /// Sends an event that is not due before `delay` has passed, and that can be withdrawn.
  ///
  /// Without a delay it is an event like any other in its order, but one that can be withdrawn.
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

  /// Sends an event that takes the place of the one with the same key, if that still waits.
  ///
  /// For events of which only the newest matters, such as a position; so at most one per key waits. Of another priority
  /// than the one that it replaces, it runs among those of its own, as if it alone had been sent.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: sending @escaping () -> Void
  ) {
    loop.post(event, key: CoalescedEvents.Key(key), priority: priority)
  }

  /// Refuses events from now on and returns at once; those that wait end as `mode` says. Also from inside.
  public func beginShutdown(_ mode: ShutdownMode = .drain) { loop.close(mode) }

  /// Whether the caller runs on this scheduler.
  public var isCurrent: Bool { loop.isCurrent }

  /// What this scheduler has done so far.
  public var counters: SchedulerCounters { loop.counters.snapshot }

  /// Runs a job of an actor whose executor this is, as an event; not to be called by hand.
  public func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  public func isIsolatingCurrentContext() -> Bool? { loop.isCurrent }

  public func checkIsolated() { loop.checkIsolated() }
}
