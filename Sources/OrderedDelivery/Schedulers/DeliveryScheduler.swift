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
      scheduled.letGo(by: self.delay(delay) { scheduled.run() })
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
