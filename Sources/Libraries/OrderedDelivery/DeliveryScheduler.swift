internal import SchedulableThreads
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

/// A stage or action that can be stopped. Disposing of it again has no effect.
///
/// Called on a serial scheduler, `dispose` is final: no stopped action begins on that scheduler afterwards. Called from
/// elsewhere, it does not stop an action that has begun or begins at that moment.
public protocol Disposable: Sendable {
  /// Stops it, and releases waiting elements and actions.
  func dispose()
  /// Whether `dispose` was called.
  var isDisposed: Bool { get }
}

/// Disposes of several members together, such as the stages of a chain.
///
/// A member that is added after the disposal is disposed of at once, so callers need no check.
public final class Disposables: Disposable {
  /// Nil after the disposal.
  private let members: Locked<[any Disposable]?>

  /// - Parameter members: the members to dispose of together.
  public init(_ members: any Disposable...) { self.members = Locked(members) }

  /// Adds a member, which is disposed of at once if the others have been.
  public func add(_ member: any Disposable) {
    let isKept = members.withLock { members in
      members?.append(member)
      return members != nil
    }
    if !isKept { member.dispose() }
  }

  public func dispose() {
    // Outside the lock, because a member may run any code.
    for member in members.withLock({ $0.take() }) ?? [] { member.dispose() }
  }

  public var isDisposed: Bool { members.withLock { $0 == nil } }
}

/// A waiting action, which can be withdrawn until it begins. Disposing of it releases its closure at once.
public final class ScheduledAction: Disposable {
  private enum State {
    case waiting(@Sendable () -> Void, remove: @Sendable () -> Void)
    case begun
    case disposed
  }

  private let state: Locked<State>

  init(_ body: @escaping @Sendable () -> Void) { state = Locked(.waiting(body, remove: {})) }

  public func dispose() { leave(for: .disposed)?.remove() }

  public var isDisposed: Bool {
    state.withLock { if case .disposed = $0 { true } else { false } }
  }

  func run() { leave(for: .begun)?.body() }

  /// Sets the closure that removes the action from its place if it is disposed of before its time.
  func onDisposal(_ remove: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock { state in
      guard case .waiting(let body, _) = state else { return false }
      state = .waiting(body, remove: remove)
      return true
    }
    if !isWaiting { remove() }
  }

  /// Removes the body, so that one thread runs or releases it, outside the lock.
  private func leave(
    for next: State
  ) -> (body: @Sendable () -> Void, remove: @Sendable () -> Void)? {
    state.withLock { state in
      guard case .waiting(let body, let remove) = state else { return nil }
      state = next
      return (body, remove)
    }
  }
}
