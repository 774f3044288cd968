internal import Concurrency
internal import Dispatch
internal import Synchronization

/// Runs actions asynchronously.
///
/// Actions begin in the order in which they were scheduled; on a serial scheduler each one ends before the next begins.
public protocol DeliveryScheduler: Sendable {
  /// Runs an action soon, never within this call.
  func perform(_ action: @escaping @Sendable () -> Void)
  /// Runs an action once `delay` has passed.
  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void)
  /// The same for an action that can be withdrawn. The returned closure withdraws it and releases it before its time.
  func delay(
    _ delay: Duration, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void
}

extension DeliveryScheduler {
  /// The default for schedulers that cannot release an action early: a withdrawn action still runs, and does nothing.
  public func delay(
    _ delay: Duration, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    perform(after: delay, action)
    return {}
  }

  /// Schedules an action that can be withdrawn until it begins.
  ///
  /// ```swift
  /// let reminder = scheduler.schedule(after: .seconds(5)) { print("still waiting") }
  /// reminder.dispose()
  /// ```
  public func schedule(
    after delay: Duration = .zero, _ action: @escaping @Sendable () -> Void
  ) -> ScheduledAction {
    let scheduled = ScheduledAction(action)
    if delay > .zero {
      scheduled.onDisposal(self.delay(delay) { scheduled.run() })
    } else {
      perform { scheduled.run() }
    }
    return scheduled
  }

  /// Schedules an action that may schedule itself again, with another state: a loop that lets other actions run in between
  /// and does not grow the stack.
  ///
  /// ```swift
  /// let countdown = scheduler.scheduleRecursively(10) { seconds, again in
  ///   print(seconds)
  ///   if seconds > 0 { again(seconds - 1, after: .seconds(1)) }
  /// }
  /// ```
  public func scheduleRecursively<State: Sendable>(
    _ state: State, _ body: @escaping @Sendable (State, Recursion<State>) -> Void
  ) -> Recursion<State> {
    let recursion = Recursion(on: self, body)
    recursion(state)
    return recursion
  }
}

/// A delayed closure that is released when it is cancelled.
///
/// `DispatchQueue.asyncAfter` keeps its closure until its time, even if it is not needed any more.
final class Delay: Sendable {
  private let timer: Locked<Timer?>

  // Sendable: only `cancel` of the dispatch source is used, which any thread may call.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
  }

  init(_ delay: Duration, then body: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource()
    timer = Locked(Timer(source: source))
    source.setEventHandler { [self] in
      body()
      cancel()
    }
    source.schedule(deadline: .after(delay))
    source.activate()
  }

  /// Cancels and releases the source, which releases its handler.
  func cancel() { timer.withLock { $0.take() }?.source.cancel() }
}

extension DispatchTime {
  /// The time `delay` from now; `distantFuture` if the clock cannot represent it.
  static func after(_ delay: Duration) -> DispatchTime {
    let (seconds, attoseconds) = delay.components
    guard seconds < Int64.max / 2_000_000_000 else { return .distantFuture }
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    return .now() + DispatchTimeInterval.nanoseconds(Int(nanoseconds))
  }
}

/// An action that can schedule itself again, until it is disposed of.
public final class Recursion<State: Sendable>: Disposable {
  private let scheduler: any DeliveryScheduler
  private let body: @Sendable (State, Recursion<State>) -> Void
  private let isOver = Atomic(false)

  init(
    on scheduler: any DeliveryScheduler,
    _ body: @escaping @Sendable (State, Recursion<State>) -> Void
  ) {
    self.scheduler = scheduler
    self.body = body
  }

  /// Schedules the action again.
  public func callAsFunction(_ state: State, after delay: Duration = .zero) {
    let action: @Sendable () -> Void = { if !self.isDisposed { self.body(state, self) } }
    if delay > .zero {
      scheduler.perform(after: delay, action)
    } else {
      scheduler.perform(action)
    }
  }

  public func dispose() { isOver.store(true, ordering: .releasing) }

  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }
}
