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
/// The main queue has to be served: by an app's run loop, an async `main`, or `dispatchMain()`. After 2 ms of events the main
/// queue's other work has its turn.
public final class MainActorScheduler: Scheduler {
  /// The scheduler of the process.
  public static let shared = MainActorScheduler()

  private static let share = Duration.milliseconds(2)

  public let loop: SchedulerLoop
  private let loopReference: LoopReference
  private let sleeper: MainSleeper
  // Proof: used only in turns of the main queue, which runs one at a time, and in `deinit`.
  private nonisolated(unsafe) var consumer: Consumer

  /// Creates a further scheduler of the main queue.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - options: the queue and the checks.
  public init(name: String = "main queue", options: SchedulerOptions = SchedulerOptions()) {
    let turn = Turn()
    sleeper = MainSleeper(wake: { turn.request() })
    loop = SchedulerLoop(name: name, options: options, parker: sleeper)
    loopReference = LoopReference(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
    unsafe loopReference.owner = self
    unsafe turn.scheduler = self
    _ = loop.fallAsleep()
  }

  deinit {
    loop.closeAbandoned(.drop)
    loop.owned { unsafe consumer.end() }
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
    loopReference.schedule(after: delay, priority: priority, Self.onMain(event))
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
    loopReference.schedule(
      every: period, priority: priority, file: file, line: line, Self.onMain(event))
  }

  /// Stops accepting events, and returns when the waiting ones have run or are dropped, according to `mode`.
  public func shutdown(_ mode: ShutdownMode = .drain) async {
    loop.close(mode)
    await loop.ended.wait()
  }

  private static func onMain(_ event: @escaping @MainActor () -> Void) -> @Sendable () -> Void {
    { MainActor.assumeIsolated { event() } }
  }

  /// Runs events for their share of the time. Only as a turn of the main queue.
  private func runShare() {
    loop.wakeUp()
    loop.owned {
      if loop.isClosed { return unsafe consumer.end() }
      let end = ContinuousClock.now + Self.share
      while unsafe consumer.runNext(), ContinuousClock.now < end {}
    }
    if loop.isClosed {
      loop.owned { unsafe consumer.end() }
      loop.ended.open()
    } else {
      loop.owned { unsafe consumer.rest(waking: sleeper) }
    }
  }

  /// The scheduler's turns of the main queue. It does not keep the scheduler.
  private final class Turn: Sendable {
    // Proof: written once, by the scheduler's initialiser; reading a weak reference is atomic.
    nonisolated(unsafe) weak var scheduler: MainActorScheduler?

    func request() { DispatchQueue.main.async { unsafe self.scheduler?.runShare() } }
  }
}
