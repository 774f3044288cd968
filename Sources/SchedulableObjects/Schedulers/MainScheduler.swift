/// Runs events when its thread asks for it: the scheduler of a main thread that has a loop of its own.
///
/// ```swift
/// let main = MainScheduler()
/// while let frame = display.next() {
///   main.drain(until: frame.begin + .milliseconds(2))
///   draw(frame)
/// }
/// ```
///
/// It belongs to the thread that creates it. Events wait, at no cost to that thread, until it drains them.
public final class MainScheduler: Scheduler {
  public let loop: SchedulerLoop
  private let home = ThreadMark.current
  // Proof: only the home thread gets at it, each method checks that first; `deinit` has no rival.
  private nonisolated(unsafe) var consumer: Consumer
  private let isBusy = BusyFlag()

  public init(name: String = "main", options: SchedulerOptions = SchedulerOptions()) {
    loop = SchedulerLoop(name: name, options: options)
    unsafe consumer = Consumer(loop)
    loop.own()
  }

  deinit {
    loop.close(.drop)
    loop.owned { unsafe consumer.end() }
  }

  /// Runs events until none waits or the deadline is reached, at least one in any case.
  ///
  /// The deadline is looked at between events, so the last one may overrun it.
  ///
  /// - Returns: how many ran.
  @discardableResult
  public func drain(until deadline: ContinuousClock.Instant) -> Int {
    drain { ContinuousClock.now < deadline }
  }

  /// Runs the events that wait now, and none that is sent meanwhile.
  ///
  /// - Returns: how many ran.
  @discardableResult
  public func drain() -> Int {
    checkHome()
    var left = unsafe consumer.countReady() - 1
    return drain {
      left -= 1
      return left >= 0
    }
  }

  /// Refuses events from now on and runs or drops those that wait, as `mode` says.
  public func shutdown(_ mode: ShutdownMode = .drain) {
    checkHome()
    isBusy.enter(name)
    defer { isBusy.leave() }
    loop.close(mode)
    unsafe consumer.end()
    loop.ended.open()
  }

  private func drain(while mayGoOn: () -> Bool) -> Int {
    checkHome()
    isBusy.enter(name)
    defer { isBusy.leave() }
    var count = 0
    while unsafe consumer.runNext() {
      count += 1
      if !mayGoOn() { break }
    }
    return count
  }

  private func checkHome() {
    precondition(home.bits == ThreadMark.currentBits, "'\(name)' is drained on its own thread only")
  }
}
