internal import Synchronization

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
