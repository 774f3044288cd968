internal import Concurrency
internal import Dispatch
internal import Foundation

/// The scheduler of a main thread: runs events on an existing thread.
///
/// It either serves that thread until the program ends,
///
/// ```swift
/// let main = MainScheduler()
/// main.run()                        // in an async main: await main.run()
/// ```
///
/// or is drained by the thread's own loop:
///
/// ```swift
/// while let frame = display.next() {
///   main.drain(until: frame.begin + .milliseconds(2))
///   draw(frame)
/// }
/// ```
///
/// It belongs to the thread that creates it. Events wait until they are drained, at no cost to that thread. `drain` runs
/// events only, and does not serve the `MainActor` or the run loop. See <doc:TheMainThread>.
public final class MainScheduler: Scheduler {
  /// The time for events before the run loop and the `MainActor` have their turn.
  private static let share = Duration.milliseconds(2)

  public let loop: SchedulerLoop
  private let home = ThreadMark.current
  private let loopReference: LoopReference
  private let sleeper = MainSleeper()
  // Proof: only code inside `isBusy` accesses it, on the home thread or as the one task that serves it; during `deinit` no
  // other code can.
  private nonisolated(unsafe) var consumer: Consumer
  private let isBusy = BusyFlag()

  /// Creates a scheduler for the calling thread.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - options: the queue and the checks.
  public init(name: String = "main", options: SchedulerOptions = SchedulerOptions()) {
    loop = SchedulerLoop(name: name, options: options, parker: sleeper)
    loopReference = LoopReference(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
    loop.own()
  }

  deinit {
    loop.closeAbandoned(.drop)
    loop.owned { unsafe consumer.end() }
  }

  // MARK: Asked by another loop

  /// Runs events until none waits or the deadline is reached, but at least one.
  ///
  /// The deadline is checked between events, so the last one may overrun it.
  ///
  /// - Returns: the number of events that ran.
  @discardableResult
  public func drain(
    until deadline: ContinuousClock.Instant, file: StaticString = #fileID, line: UInt = #line
  ) -> Int {
    busy(file, line) { runEvents { ContinuousClock.now < deadline } }
  }

  /// Runs the events that wait now, and none that is sent meanwhile.
  ///
  /// - Returns: the number of events that ran.
  @discardableResult
  public func drain(file: StaticString = #fileID, line: UInt = #line) -> Int {
    busy(file, line) {
      var left = unsafe consumer.countReady() - 1
      return runEvents {
        left -= 1
        return left >= 0
      }
    }
  }

  /// Stops accepting events, and runs or drops the waiting ones according to `mode`. Events of this scheduler, and any
  /// code while `run` serves it, call `beginShutdown` instead.
  public func shutdown(
    _ mode: ShutdownMode = .drain, file: StaticString = #fileID, line: UInt = #line
  ) {
    busy(file, line) {
      loop.close(mode)
      end()
    }
  }

  // MARK: Serving the thread

  /// Serves the main thread until the scheduler is shut down: runs events, and in between the work of the `MainActor`, the
  /// main dispatch queue and the run loop. Sleeps while there is no work.
  ///
  /// Call `beginShutdown` from anywhere to end it. Call `run` on the process's main thread; in an async `main`, use
  /// `await run()`.
  @available(*, noasync, message: "use 'await run()': an async function keeps no thread")
  public func run(file: StaticString = #fileID, line: UInt = #line) {
    require(
      MainSleeper.isMainThread, "run() serves the main thread, and was called on another one",
      file: file, line: line)
    busy(file, line) {
      while !loop.isClosed {
        if runShare() {
          MainSleeper.serveRunLoop(forNanoseconds: 0)
        } else if !loop.park(until: unsafe consumer.nextDue) {
          MainSleeper.serveRunLoop(forNanoseconds: 0)
        }
      }
      end()
    }
  }

  /// Serves as a part of the `MainActor` until the scheduler is shut down: for an async `main`.
  ///
  /// On Linux an async program has no main thread any more after its first `await`: the `MainActor` runs on any free
  /// thread. These events then do too, still one after another, and the run loop is not served.
  ///
  /// Call `beginShutdown` from anywhere to end it; cancelling the calling task does not.
  @MainActor
  public func run(file: StaticString = #fileID, line: UInt = #line) async {
    isBusy.enter(name, file: file, line: line)
    defer { isBusy.leave() }
    loop.clearOwner()
    while !loop.isClosed {
      if loop.owned({ runShare() }) {
        await Task.yield()
      } else if loop.fallAsleep() {
        await sleeper.sleep(forNanoseconds: untilNextDue)
        loop.wakeUp()
      }
    }
    loop.owned { end() }
  }

  // MARK: Its parts

  private var untilNextDue: Int64? {
    unsafe consumer.nextDue.map { max(0, $0 - loop.clock.now()) }
  }

  /// Runs events for its share of the time. Returns whether more are left.
  private func runShare() -> Bool {
    let end = ContinuousClock.now + Self.share
    var isOver = false
    _ = runEvents {
      isOver = ContinuousClock.now >= end
      return !isOver
    }
    return isOver
  }

  private func runEvents(while shouldContinue: () -> Bool) -> Int {
    var count = 0
    while unsafe consumer.runNext() {
      count += 1
      if !shouldContinue() { break }
    }
    return count
  }

  private func end() {
    unsafe consumer.end()
    loop.ended.open()
  }

  /// Runs `body` on the home thread; no other event of this scheduler runs meanwhile.
  private func busy<R>(_ file: StaticString, _ line: UInt, _ body: () -> R) -> R {
    require(
      home.bits == ThreadMark.currentBits,
      "scheduler '\(name)' runs its events on the thread that created it only. An async main, which goes from thread "
        + "to thread, lets 'await run()' do it",
      file: file, line: line)
    isBusy.enter(name, file: file, line: line)
    defer { isBusy.leave() }
    return body()
  }
}

/// Lets a main thread sleep in its run loop, and a task without a thread, until an event arrives.
final class MainSleeper: Parker {
  private enum State {
    case awake
    /// Woken before it fell asleep.
    case woken
    case asleep(CheckedContinuation<Void, Never>)
  }

  private let state = Locked(State.awake)
  /// One timer for all sleeps, because timers of interrupted sleeps would pile up.
  private let alarm = Locked<(any DispatchSourceTimer)?>(nil)

  deinit { alarm.withLock { $0?.cancel() } }

  static var isMainThread: Bool { Thread.isMainThread }

  // MARK: In the run loop

  func park(forNanoseconds nanoseconds: Int64?) {
    Self.serveRunLoop(forNanoseconds: nanoseconds)
  }

  /// Runs the due work of the run loop, the main queue and the `MainActor`, and waits if there is none.
  static func serveRunLoop(forNanoseconds nanoseconds: Int64?) {
    let end = nanoseconds.map { Date(timeIntervalSinceNow: Double($0) / 1e9) }
    _ = RunLoop.main.run(mode: .default, before: end ?? .distantFuture)
  }

  // MARK: As a task

  func sleep(forNanoseconds nanoseconds: Int64?) async {
    setAlarm(nanoseconds)
    await withCheckedContinuation { continuation in
      let isWoken = state.withLock { state in
        if case .woken = state {
          state = .awake
          return true
        }
        state = .asleep(continuation)
        return false
      }
      if isWoken { continuation.resume() }
    }
  }

  private func setAlarm(_ nanoseconds: Int64?) {
    let deadline = nanoseconds.map { DispatchTime.now() + .nanoseconds(Int(clamping: $0)) }
    alarm.withLock { alarm in
      if alarm == nil, deadline != nil {
        alarm = DispatchSource.makeTimerSource()
        alarm?.setEventHandler { [weak self] in self?.unpark() }
        alarm?.schedule(deadline: deadline ?? .distantFuture)
        alarm?.activate()
      } else {
        alarm?.schedule(deadline: deadline ?? .distantFuture)
      }
    }
  }

  // MARK: Any thread

  func unpark() {
    let sleeping = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if case .asleep(let continuation) = state {
        state = .awake
        return continuation
      }
      state = .woken
      return nil
    }
    if let sleeping {
      sleeping.resume()
    } else {
      // The run loop returns once it has served the main queue.
      DispatchQueue.main.async {}
    }
  }
}
