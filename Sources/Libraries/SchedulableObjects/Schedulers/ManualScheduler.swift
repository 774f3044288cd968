internal import SchedulableThreads
internal import Synchronization

/// Runs events when a test calls it, on a clock that only the test moves.
///
/// ```swift
/// let scheduler = ManualScheduler()
/// scheduler.schedule(after: .seconds(3)) { print("three seconds") }
/// scheduler.advance(by: .seconds(5))   // prints at once
/// ```
///
/// Async code runs in `run`, which drives the scheduler until the code has ended:
///
/// ```swift
/// let pages = try await scheduler.run {
///   async let pages = printer.call { $0.pageCount }
///   try await scheduler.clock.sleep(for: .seconds(3600))   // takes no time
///   return try await pages
/// }
/// ```
///
/// A test reads an actor of this scheduler in `run`, or synchronously as its thread. The second form needs both calls: an actor's
/// `assumeIsolated` asks Swift's runtime, which knows the scheduler's thread only within the scheduler's own.
///
/// ```swift
/// let count = try await scheduler.run { await session.count }
/// let same = scheduler.assumeIsolated { _ in session.assumeIsolated { $0.count } }
/// ```
public final class ManualScheduler: Scheduler {
  public let loop: SchedulerLoop
  private let time: ManualTime
  private let loopReference: LoopReference
  // Proof: used only in `owning`, which stops the process if two threads or nested calls are in it.
  private nonisolated(unsafe) var consumer: Consumer
  private let sleeper = MainSleeper()

  /// Creates a scheduler whose clock is at zero.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - options: the queue and the checks.
  public init(name: String = "manual", options: SchedulerOptions = SchedulerOptions()) {
    let time = ManualTime()
    self.time = time
    loop = SchedulerLoop(name: name, options: options, clock: .manual(time), parker: sleeper)
    loopReference = LoopReference(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
    unsafe loopReference.owner = self
  }

  deinit {
    loop.closeAbandoned(.drop)
    loop.owned { unsafe consumer.end() }
  }

  /// The time on the clock since the creation.
  public var now: Duration { .nanoseconds(time.now) }

  /// The clock, for code that takes a clock. Whoever sleeps on it continues when the test moves it.
  public var clock: some Clock<Duration> { ManualClock(loop: loop) }

  /// Moves the clock and runs the events that become due, each at its own time, including those that they send.
  ///
  /// - Returns: the number of events that ran.
  @discardableResult
  public func advance(
    by span: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> Int {
    require(span >= .zero, "time goes forward, not by \(span)", file: file, line: line)
    let end = time.now.addingWithoutWrap(span.wholeNanoseconds)
    return owning(file, line) {
      var count = runAll()
      while let due = unsafe consumer.nextDue, due <= end {
        time.set(due)
        count += runAll()
      }
      time.set(end)
      return count
    }
  }

  /// Runs the events that are due now, without moving the clock.
  @discardableResult
  public func run(file: StaticString = #fileID, line: UInt = #line) -> Int {
    advance(by: .zero, file: file, line: line)
  }

  /// Runs `body` on this scheduler, and the events, calls, actors' jobs and child tasks that it causes, until it has returned.
  ///
  /// Whenever nothing is left to run, the clock moves to the next delayed event or sleep. So time-outs pass at once, in their
  /// order; a wait for something outside of the scheduler takes its time only if no timer waits.
  ///
  /// - Throws: the error of `body`.
  public func run<Result: Sendable>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    time.isBusy.enter(name, file: file, line: line)
    defer { time.isBusy.leave() }
    let isOver = Atomic(false)
    let task = Task(executorPreference: loop) {
      defer { isOver.store(true, ordering: .releasing) }
      return try await body()
    }
    return try await withTaskCancellationHandler {
      // After the end of the scheduler the task continues elsewhere.
      while !isOver.load(ordering: .acquiring), !loop.ended.isOpen { await proceed() }
      return try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs what is due, or else moves the clock to the next timer, or else waits for an event from elsewhere.
  private func proceed() async {
    let (count, due) = loop.owned { (runAll(), unsafe consumer.nextDue) }
    if count > 0 { return }
    if let due {
      time.set(max(due, time.now))
    } else if loop.fallAsleep(evenIfClosed: true) {
      await sleeper.sleep(forNanoseconds: nil)
      loop.wakeUp()
    }
  }

  /// Runs the next event, without moving the clock. Returns false if there is none.
  @discardableResult
  public func runNext(file: StaticString = #fileID, line: UInt = #line) -> Bool {
    owning(file, line) { unsafe consumer.runNext() }
  }

  /// Stops accepting events, and runs or drops the waiting ones according to `mode`.
  public func shutdown(
    _ mode: ShutdownMode = .drain, file: StaticString = #fileID, line: UInt = #line
  ) {
    loop.close(mode)
    owning(file, line) { unsafe consumer.end() }
    loop.ended.open()
  }

  private func runAll() -> Int {
    var count = 0
    while unsafe consumer.runNext() { count += 1 }
    return count
  }

  private func owning<R>(_ file: StaticString, _ line: UInt, _ body: () -> R) -> R {
    time.isBusy.enter(name, file: file, line: line)
    defer { time.isBusy.leave() }
    return loop.owned(body)
  }
}

/// The clock of a ``ManualScheduler``, at zero when that was created.
struct ManualClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  let loop: SchedulerLoop

  var now: Instant { Instant(offset: .nanoseconds(loop.clock.now())) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let waiting = Locked<(event: ScheduledEvent?, isCancelled: Bool)>((nil, false))
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let event = alarm(deadline, continuation)
        let isCancelled = waiting.withLock { waiting in
          waiting.event = event
          return waiting.isCancelled
        }
        loop.post(EventNode(.ticket(event), priority: .normal, traits: .delayed))
        if isCancelled { event.cancel() }
      }
    } onCancel: {
      let event = waiting.withLock { waiting in
        waiting.isCancelled = true
        return waiting.event
      }
      event?.cancel()
    }
  }

  private func alarm(
    _ deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) -> ScheduledEvent {
    ScheduledEvent(due: deadline.offset.wholeNanoseconds, in: loop) {
      continuation.resume()
    } onRefusal: { [loop] reason in
      let error: any Error = reason == .cancelled ? CancellationError() : loop.refusal(reason)
      continuation.resume(throwing: error)
    }
  }
}
