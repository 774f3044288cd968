internal import Concurrency

/// Runs events on a thread that somebody else made: the scheduler of a main thread.
///
/// It either serves that thread until the program is over,
///
/// ```swift
/// let main = MainScheduler()
/// main.run()                        // in an async main: await main.run()
/// ```
///
/// or is asked by a loop that the thread has already:
///
/// ```swift
/// while let frame = display.next() {
///   main.drain(until: frame.begin + .milliseconds(2))
///   draw(frame)
/// }
/// ```
///
/// It belongs to the thread that creates it. Events that nobody drains wait, at no cost to that thread; `drain` serves
/// events alone, not the `MainActor` or the run loop. See <doc:TheMainThread>.
public final class MainScheduler: Scheduler {
  /// For how long events run before the run loop and the `MainActor` have their turn.
  private static let share = Duration.milliseconds(2)

  public let loop: SchedulerLoop
  private let home = ThreadMark.current
  private let residence: Residence
  private let sleeper = MainSleeper()
  // Proof: only who has entered `isBusy` gets at it, on the home thread or as the one task that serves it; `deinit` has
  // no rival.
  private nonisolated(unsafe) var consumer: Consumer
  private let isBusy = BusyFlag()

  /// - Parameters:
  ///   - name: for reports and debuggers.
  ///   - options: how events wait, and what is checked.
  public init(name: String = "main", options: SchedulerOptions = SchedulerOptions()) {
    loop = SchedulerLoop(name: name, options: options, parker: sleeper)
    residence = Residence(of: loop, keepsThread: false)
    unsafe consumer = Consumer(loop)
    loop.own()
  }

  deinit {
    loop.closeForgotten(.drop)
    loop.owned { unsafe consumer.end() }
  }

  // MARK: Asked by another loop

  /// Runs events until none waits or the deadline is reached, at least one in any case.
  ///
  /// The deadline is looked at between events, so the last one may overrun it.
  ///
  /// - Returns: how many ran.
  @discardableResult
  public func drain(
    until deadline: ContinuousClock.Instant, file: StaticString = #fileID, line: UInt = #line
  ) -> Int {
    busy(file, line) { runEvents { ContinuousClock.now < deadline } }
  }

  /// Runs the events that wait now, and none that is sent meanwhile.
  ///
  /// - Returns: how many ran.
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

  /// Refuses events from now on and runs or drops those that wait, as `mode` says. Not from an event of its own, which
  /// calls `beginShutdown`; and while `run` serves it that is what ends it, too.
  public func shutdown(
    _ mode: ShutdownMode = .drain, file: StaticString = #fileID, line: UInt = #line
  ) {
    busy(file, line) {
      loop.close(mode)
      end()
    }
  }

  // MARK: Serving the thread

  /// Serves the main thread until the scheduler is shut down: runs events, and in between what the `MainActor`, the
  /// main dispatch queue and the run loop have to do. Sleeps while there is nothing.
  ///
  /// `beginShutdown` ends it, from anywhere. It has to be called on the process's main thread; in an async `main`, use
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
  /// On Linux such a program has no main thread any more once it has awaited something: the `MainActor` runs on
  /// whichever thread is free. So do these events then, still one after another, and nobody serves the run loop.
  ///
  /// `beginShutdown` ends it, from anywhere; a cancellation of the calling task does not.
  @MainActor
  public func run(file: StaticString = #fileID, line: UInt = #line) async {
    isBusy.enter(name, file: file, line: line)
    defer { isBusy.leave() }
    loop.disown()
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

  /// Runs events for its share of the time; whether others are left.
  private func runShare() -> Bool {
    let end = ContinuousClock.now + Self.share
    var isOver = false
    _ = runEvents {
      isOver = ContinuousClock.now >= end
      return !isOver
    }
    return isOver
  }

  private func runEvents(while mayGoOn: () -> Bool) -> Int {
    var count = 0
    while unsafe consumer.runNext() {
      count += 1
      if !mayGoOn() { break }
    }
    return count
  }

  private func end() {
    unsafe consumer.end()
    loop.ended.open()
  }

  /// Runs `body` on the home thread, and nothing else of this scheduler meanwhile.
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
