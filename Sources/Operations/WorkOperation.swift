internal import Concurrency
public import Foundation

/// An operation that ends when its work does, which may be long after the worker that began it went on.
///
/// On Linux nobody observes an operation's keys: its queue learns that it has ended through
/// `didChangeValue(forKey:)` alone, so each change of state is announced that way.
public class WorkOperation: Operation, @unchecked Sendable {
  // Sendable: all that changes is in `inside`, behind a lock, or changes while that is held; subclasses keep to the same.
  private let inside = Locked(Inside())
  /// Whether it fails without having begun where something that it depends on has failed.
  public let stopsOnFailure: Bool

  private struct Inside {
    var state = WorkState.waiting
    /// Whether the worker that began it has gone on, so that nothing of it runs there.
    var isPending = false
    /// Whether somebody has ended it, of which only the first counts.
    var isEnding = false
    var observers: [WorkObserver] = []
    var cleanUps: [@Sendable (any Error) -> Void] = []
    var onCancel: (@Sendable () -> Void)?
    var waiters: [@Sendable () -> Void] = []
  }

  init(_ name: String, stopsOnFailure: Bool) {
    self.stopsOnFailure = stopsOnFailure
    super.init()
    self.name = name
  }

  /// Where it is between waiting and its end; from any thread.
  public var state: WorkState { inside.withLock { $0.state } }

  /// Why it failed; nil while it has not.
  public var error: (any Error)? {
    if case .failed(let error) = state { error } else { nil }
  }

  /// True: a queue does not give it a thread to block.
  public final override var isAsynchronous: Bool { true }
  /// Whether it has ended, in whichever way.
  public final override var isFinished: Bool { state.isOver }
  /// Whether it has begun and not ended.
  public final override var isExecuting: Bool {
    if case .executing = state { true } else { false }
  }

  // MARK: What a kind of operation decides

  /// Begins the work, on a worker that need not wait for its end.
  func begin() { end() }

  /// Ends what never begins, because of `error`.
  func refuse(_ error: any Error) { end(error) }

  /// Ends what is under way and cancelled, once no worker is busy with it.
  func stop() { end(Self.cancelled) }

  // MARK: From waiting to over

  /// Called by the queue.
  public final override func start() {
    if isCancelled { return refuse(Self.cancelled) }
    if stopsOnFailure, let failed = failedDependency {
      return refuse(WorkError.dependencyFailed(failed.name ?? ""))
    }
    for observer in execute() { observer.began(self) }
    begin()
    // Who cancelled before this left it to us; who does from now on finds it pending.
    let isOver = inside.withLock { inside in
      inside.isPending = true
      return inside.state.isOver
    }
    if !isOver, isCancelled { stop() }
  }

  /// Says that it executes; returns who is to be told.
  private func execute() -> [WorkObserver] {
    willChangeValue(forKey: "isExecuting")
    let observers = inside.withLock { inside in
      if !inside.state.isOver { inside.state = .executing }
      return inside.observers
    }
    didChangeValue(forKey: "isExecuting")
    return observers
  }

  private var failedDependency: WorkOperation? {
    dependencies.lazy.compactMap { $0 as? WorkOperation }.first { $0.error != nil }
  }

  /// Ends the work; only the first call counts. What cleans up runs before anything that waits for this can begin.
  /// Not before `start`, so a ``Completion`` exists from then on only: a queue starts what it has taken out, over or not, and
  /// would announce the end a second time.
  ///
  /// `keep` is called under the lock, and by the first call alone, before anybody can see the end.
  final func end(_ error: (any Error)? = nil, keeping keep: () -> Void = {}) {
    let isFirst = inside.withLock { inside in
      if inside.isEnding { return false }
      inside.isEnding = true
      keep()
      return true
    }
    guard isFirst else { return }
    if let error {
      for cleanUp in inside.withLock({ $0.cleanUps }) { cleanUp(error) }
    }
    let left = conclude(with: error.map { .failed($0) } ?? .succeeded)
    for observer in left.observers { observer.ended(self, error) }
    // Nobody joins them any more: the state says that it is over.
    for waiter in left.waiters { waiter() }
    // Foundation keeps them for good, which would hold on to a whole chain; and on Linux they point back without owning, so
    // one that ends later would reach for an operation that is gone.
    for dependency in dependencies { removeDependency(dependency) }
  }

  /// Says that it is over, and drops what closures captured; returns what there was until then.
  private func conclude(with state: WorkState) -> Inside {
    willChangeValue(forKey: "isFinished")
    let left = inside.withLock { inside in
      let left = inside
      inside = Inside(state: state, isPending: left.isPending, isEnding: true)
      return left
    }
    didChangeValue(forKey: "isFinished")
    return left
  }

  /// Reads what a subclass keeps, under the lock.
  final func read<Result: Sendable>(_ body: (WorkState) -> Result) -> Result {
    inside.withLock { body($0.state) }
  }

  /// One for all: an error's memory is not for each that is cancelled.
  private static let cancelled: any Error = WorkError.cancelled

  /// Ends it as soon as it can: instead of beginning, else once no worker is busy with it.
  public final override func cancel() {
    super.cancel()
    guard isExecuting else { return }
    inside.withLock { $0.onCancel.take() }?()
    if inside.withLock({ $0.isPending }) { stop() }
  }

  // MARK: What others ask to be told; to be said before it begins

  /// Adds someone who is told of the beginning and the end from now on.
  public func add(_ observer: WorkObserver) { inside.withLock { $0.observers.append(observer) } }

  /// Lets `cleanUp` run once if this fails or is cancelled, before anything that depends on it.
  public func onFailure(_ cleanUp: @escaping @Sendable (any Error) -> Void) {
    inside.withLock { $0.cleanUps.append(cleanUp) }
  }

  /// Lets `body` run once this is over, on the thread that ends it; at once if it is.
  final func whenOver(_ body: @escaping @Sendable () -> Void) {
    let isOver = inside.withLock { inside in
      if !inside.state.isOver { inside.waiters.append(body) }
      return inside.state.isOver
    }
    if isOver { body() }
  }

  /// Lets `body` run when this is cancelled while it is under way; at once if it has been.
  final func onCancel(_ body: @escaping @Sendable () -> Void) {
    inside.withLock { $0.onCancel = body }
    if isCancelled { inside.withLock { $0.onCancel.take() }?() }
  }
}
