internal import Dispatch

/// The scheduler of the main queue: runs events on the `MainActor`, among everything else that an app does there.
///
/// ```swift
/// let main = MainActorScheduler.shared
/// files.schedule {
///   let names = list(folder)
///   main.schedule { view.show(names) }   // `view` belongs to the MainActor
/// }
/// ```
///
/// Code on the `MainActor` may use its objects directly, by `assumeIsolated`: no event runs at the same time.
///
/// The main queue has to be served: by an app's run loop, an async `main`, or `dispatchMain()`. After 2 ms of events the main
/// queue's other work has its turn.
public final class MainActorScheduler: Scheduler {
  /// The scheduler of the process.
  public static let shared = MainActorScheduler()

  private let host: HostedScheduler

  public var loop: SchedulerLoop { host.loop }

  /// Creates a further scheduler of the main queue.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - options: the queue and the checks.
  public init(name: String = "main queue", options: SchedulerOptions = SchedulerOptions()) {
    host = HostedScheduler(name: name, options: options, isOnMainQueue: true) {
      DispatchQueue.main.async(execute: $0)
    }
    host.serve(self)
  }

  /// Sends an event to the `MainActor`. It runs later, or is refused and reported.
  public func schedule(
    priority: EventPriority = .normal, _ event: @escaping @MainActor () -> Void
  ) {
    loop.post(EventNode(.run(Self.onMain(event)), priority: priority))
  }

  /// Sends an event to the `MainActor` that is due after `delay` and can be withdrawn.
  @discardableResult
  public func schedule(
    after delay: Duration, priority: EventPriority = .normal,
    _ event: @escaping @MainActor () -> Void
  ) -> ScheduledEvent {
    host.schedule(after: delay, priority: priority, Self.onMain(event))
  }

  /// Sends an event to the `MainActor` that replaces the waiting event with the same key, if there is one.
  public func schedule(
    replacing key: some Hashable & Sendable, priority: EventPriority = .normal,
    _ event: @escaping @MainActor () -> Void
  ) {
    loop.post(Self.onMain(event), key: CoalescedEvents.Key(key), priority: priority)
  }

  /// Sends an event to the `MainActor` repeatedly, for the first time after `period`.
  ///
  /// Each turn is an ordinary event: a full queue or a shutdown may refuse it. A refusal is reported, and ends the repetition.
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
    line: UInt = #line, _ event: @escaping @MainActor () -> Void
  ) -> RepeatedEvent {
    host.schedule(
      every: period, priority: priority, file: file, line: line, Self.onMain(event))
  }

  /// Stops accepting events, and returns when the waiting ones have run or are dropped, according to `mode`.
  public func shutdown(_ mode: ShutdownMode = .drain) async { await host.shutdown(mode) }

  private static func onMain(_ event: @escaping @MainActor () -> Void) -> @Sendable () -> Void {
    { MainActor.assumeIsolated { event() } }
  }
}
