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
