internal import Concurrency

/// Runs events when a test calls it, on a clock that only the test moves.
///
/// ```swift
/// let scheduler = ManualScheduler()
/// scheduler.schedule(after: .seconds(3)) { print("three seconds") }
/// scheduler.advance(by: .seconds(5))   // prints at once
/// ```
public final class ManualScheduler: Scheduler {
  public let loop: SchedulerLoop
  private let time: ManualTime
  private let loopReference: LoopReference
  // Proof: used only in `owning`, which stops the process if two threads or nested calls are in it.
  private nonisolated(unsafe) var consumer: Consumer
  private let isBusy = BusyFlag()

  /// Creates a scheduler whose clock is at zero.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - options: the queue and the checks.
  public init(name: String = "manual", options: SchedulerOptions = SchedulerOptions()) {
    let time = ManualTime()
    self.time = time
    loop = SchedulerLoop(name: name, options: options, clock: .manual(time))
    loopReference = LoopReference(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
  }

  deinit {
    loop.closeForgotten(.drop)
    loop.owned { unsafe consumer.end() }
  }

  /// The time on the clock since the creation.
  public var now: Duration { .nanoseconds(time.now) }

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

  /// Runs the next event, without moving the clock. Returns false if there is none.
  @discardableResult
  public func runNext(file: StaticString = #fileID, line: UInt = #line) -> Bool {
    owning(file, line) { unsafe consumer.runNext() }
  }

  /// Refuses events from now on, and runs or drops the waiting ones according to `mode`.
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
    isBusy.enter(name, file: file, line: line)
    defer { isBusy.leave() }
    return loop.owned(body)
  }
}
