internal import SchedulableThreads
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
/// A loop that sleeps until something wakes it, such as that of a toolkit, passes what wakes it:
///
/// ```swift
/// let main = MainScheduler(wake: { toolkit.postEmptyEvent() })
/// toolkit.onEvent = { main.drain(until: .now + .milliseconds(2)) }
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
  private let sleeper: MainSleeper
  // Proof: only code inside `isBusy` accesses it, on the home thread or as the one task that serves it; during `deinit` no
  // other code can.
  private nonisolated(unsafe) var consumer: Consumer
  private let isBusy = BusyFlag()

  /// Creates a scheduler for the calling thread.
  ///
  /// - Parameters:
  ///   - name: the name for reports and debuggers.
  ///   - options: the queue and the checks.
  ///   - wake: makes the thread's own loop call `drain` soon. Called on any thread when an event arrives or becomes due, at most
  ///     once between two drains, and at the end of a drain that leaves events.
  public init(
    name: String = "main", options: SchedulerOptions = SchedulerOptions(),
    wake: (@Sendable () -> Void)? = nil
  ) {
    sleeper = MainSleeper(wake: wake)
    loop = SchedulerLoop(name: name, options: options, parker: sleeper)
    loopReference = LoopReference(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
    loop.own()
    unsafe loopReference.owner = self
    if wake != nil { _ = loop.fallAsleep() }
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
    busy(file, line) { draining { runEvents { ContinuousClock.now < deadline } } }
  }

  /// Runs as many events as wait now. One of a higher priority that is sent meanwhile takes the place of one of these.
  ///
  /// - Returns: the number of events that ran.
  @discardableResult
  public func drain(file: StaticString = #fileID, line: UInt = #line) -> Int {
    busy(file, line) {
      draining {
        var left = unsafe consumer.countReady() - 1
        return runEvents {
          left -= 1
          return left >= 0
        }
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

  /// Runs events for a foreign loop, and arranges for the next drain if the loop has to be woken.
  private func draining(_ body: () -> Int) -> Int {
    guard sleeper.wakesLoop else { return body() }
    loop.wakeUp()
    // Only `shutdown` ends it, so a closed scheduler sleeps too: it still has to run actors' jobs.
    defer { unsafe consumer.rest(waking: sleeper, evenIfClosed: true) }
    return body()
  }

  private func runEvents(while shouldContinue: () -> Bool) -> Int {
    // The thread's own loop may have no pool.
    Platform.drainingAutoreleased {
      var count = 0
      while unsafe consumer.runNext() {
        count += 1
        if !shouldContinue() { break }
      }
      return count
    }
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
