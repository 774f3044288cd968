internal import SchedulableThreads
public import Foundation

/// An operation that ends with its work, possibly long after the worker that began it has returned.
///
/// On Linux there is no key-value observing: a queue learns of an operation's end only through `didChangeValue(forKey:)`,
/// so each change of state calls it.
public class WorkOperation: Operation, @unchecked Sendable {
  // Sendable: all mutable state is in `inside`, behind a lock, or changes while that lock is held; also in subclasses.
  private let inside = Locked(Inside())
  /// Whether the operation fails, without beginning, if one of its dependencies has failed.
  public let stopsOnFailure: Bool

  private struct Inside {
    var state = WorkState.waiting
    /// Whether `begin` has returned, so that the worker is not running it any more.
    var isPending = false
    /// Whether `end` was called; only the first call counts.
    var isEnding = false
    /// The number of threads that run an `onCancel`.
    var cancelling = 0
    var observers: [WorkObserver] = []
    var cleanUps: [@Sendable (any Error) -> Void] = []
    var onCancel: (@Sendable () -> Void)?
    var waiters: [@Sendable () -> Void] = []
    var dependants = Dependants()

    /// Whether no thread runs the work, and none what its cancellation calls.
    var mayStop: Bool { isPending && cancelling == 0 && !state.isOver }
  }

  init(_ name: String, stopsOnFailure: Bool) {
    self.stopsOnFailure = stopsOnFailure
    super.init()
    self.name = name
  }

  /// The state; readable from any thread.
  public var state: WorkState { inside.withLock { $0.state } }

  /// The error of the operation; nil unless it has failed.
  public var error: (any Error)? {
    if case .failed(let error) = state { error } else { nil }
  }

  /// True, because the operation occupies no thread until its end.
  public final override var isAsynchronous: Bool { true }
  /// Whether the operation has succeeded or failed.
  public final override var isFinished: Bool { state.isOver }
  /// Whether the operation has begun and not ended.
  public final override var isExecuting: Bool {
    if case .executing = state { true } else { false }
  }

  // MARK: Overridden by subclasses

  /// Begins the work, on a worker that need not wait for its end.
  func begin() { end() }

  /// Ends an operation that never begins, because of `error`.
  func refuse(_ error: any Error) { end(error) }

  /// Ends a cancelled operation that has begun. Called when no thread runs it or its `onCancel`.
  func stop() { end(Self.cancelled) }

  // MARK: Beginning and end

  /// Called by the queue.
  public final override func start() {
    if isCancelled { return refuse(Self.cancelled) }
    if stopsOnFailure, let failed = failedDependency {
      return refuse(WorkError.dependencyFailed(failed.name ?? ""))
    }
    for observer in execute() { observer.began(self) }
    begin()
    // A cancellation before this line is handled below; a later one, or one under way, sees `isPending` and calls `stop` itself.
    let mayStop = inside.withLock { inside in
      inside.isPending = true
      return inside.mayStop
    }
    if mayStop, isCancelled { stop() }
  }

  /// Changes the state to executing, and returns the observers to call.
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

  /// Ends the work; only the first call counts. Clean-ups run before any operation that waits for this one can begin.
  ///
  /// Must not be called before `start`: a queue starts each operation that it dequeues, even a finished one, and the end would
  /// be announced twice. So a ``Completion`` exists only after the start.
  ///
  /// Only the first call calls `keep`, under the lock, before the end becomes visible.
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
    // No waiter can be added any more, because the work has ended.
    for waiter in left.waiters { waiter() }
    // Foundation never releases dependencies, nor the whole chain behind them. On Linux they have unowned references back, so one
    // that ends later would access a released operation.
    for dependency in dependencies { removeDependency(dependency) }
  }

  /// Changes the state to ended and releases all closures. Returns the previous contents.
  private func conclude(with state: WorkState) -> Inside {
    willChangeValue(forKey: "isFinished")
    let left = inside.withLock { inside in
      var left = inside
      inside = Inside(
        state: state, isPending: left.isPending, isEnding: true, cancelling: left.cancelling,
        dependants: left.dependants)
      left.dependants = Dependants()
      return left
    }
    // On Linux Foundation has unowned references to them, and uses them here.
    keepDependants()
    didChangeValue(forKey: "isFinished")
    // Released outside the lock.
    _ = inside.withLock { $0.dependants.close() }
    return left
  }

  /// Reads a subclass's state, under the lock.
  final func read<Result: Sendable>(_ body: (WorkState) -> Result) -> Result {
    inside.withLock { body($0.state) }
  }

  /// Shared, because each boxed error is an allocation.
  private static let cancelled: any Error = WorkError.cancelled

  /// Ends the operation as soon as possible: instead of beginning, or once no worker runs it.
  public final override func cancel() {
    super.cancel()
    guard isExecuting else { return }
    cancelExecuting()
  }

  /// Calls `onCancel`, unless another thread does. The last of those threads and the worker stops the work.
  private func cancelExecuting() {
    let body = inside.withLock { inside in
      if inside.onCancel != nil { inside.cancelling += 1 }
      return inside.onCancel.take()
    }
    body?()
    let mayStop = inside.withLock { inside in
      if body != nil { inside.cancelling -= 1 }
      return inside.mayStop
    }
    if mayStop { stop() }
  }

  // MARK: Dependencies

  /// Makes the operation wait for another one, which may be on another queue.
  public final override func addDependency(_ operation: Operation) {
    // Before Foundation refers to this one.
    (operation as? WorkOperation)?.note(dependant: self)
    super.addDependency(operation)
  }

  /// Ends the wait for an operation.
  public final override func removeDependency(_ operation: Operation) {
    super.removeDependency(operation)
    (operation as? WorkOperation)?.forget(dependant: self)
  }

  deinit { leaveDependencies() }

  /// Removes the dependencies that are left, if this is released without having been enqueued. Called at the start of each
  /// `deinit`: what a subclass releases may end a dependency, whose end waits for this.
  final func leaveDependencies() {
    // Released behind the loop, for the same reason.
    let dependencies = dependencies
    for dependency in dependencies { removeDependency(dependency) }
  }

  private func note(dependant: WorkOperation) {
    inside.withLock { $0.dependants.add(dependant) }
  }

  private func forget(dependant: WorkOperation) {
    let id = ObjectIdentifier(dependant)
    // Released outside the lock.
    _ = inside.withLock { $0.dependants.remove(id) }
  }

  /// Keeps the dependants, and waits for those that are being released: they still have to leave.
  private func keepDependants() {
    while !inside.withLock({ $0.dependants.keepAll() }) { sched_yield() }
  }

  // MARK: Callbacks, to be added before the operation begins

  /// Adds an observer of the beginning and the end.
  public func add(_ observer: WorkObserver) { inside.withLock { $0.observers.append(observer) } }

  /// Runs `cleanUp` once if the operation fails or is cancelled, before any operation that depends on it.
  public func onFailure(_ cleanUp: @escaping @Sendable (any Error) -> Void) {
    inside.withLock { $0.cleanUps.append(cleanUp) }
  }

  /// Runs `body` when the operation is over, on the thread that ends it; at once if it is over already.
  final func whenOver(_ body: @escaping @Sendable () -> Void) {
    let isOver = inside.withLock { inside in
      if !inside.state.isOver { inside.waiters.append(body) }
      return inside.state.isOver
    }
    if isOver { body() }
  }

  /// Runs `body` when the operation is cancelled while it executes; at once if it is cancelled already.
  final func onCancel(_ body: @escaping @Sendable () -> Void) {
    // The previous closure is released outside the lock: it may hold the last completion, whose release ends the work.
    _ = inside.withLock { inside in
      defer { inside.onCancel = body }
      return inside.onCancel
    }
    if isCancelled { cancelExecuting() }
  }
}

/// The work that waits for an operation, so that none is released while Foundation uses an unowned reference to it.
///
/// They are referenced weakly until the operation ends: otherwise a chain that never begins would keep itself in memory.
private struct Dependants {
  private struct Entry {
    weak var work: WorkOperation?
    /// The same during the end.
    var kept: WorkOperation?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Whether Foundation may use its references now.
  private var areKept = false
  private var isClosed = false

  mutating func add(_ work: WorkOperation) {
    if isClosed { return }
    entries[ObjectIdentifier(work)] = Entry(work: work, kept: areKept ? work : nil)
  }

  /// Returns what it kept.
  mutating func remove(_ id: ObjectIdentifier) -> WorkOperation? {
    entries.removeValue(forKey: id)?.kept
  }

  /// Returns false if some are being released and have not left yet; to be called again.
  mutating func keepAll() -> Bool {
    areKept = true
    var isComplete = true
    for (id, var entry) in entries where entry.kept == nil {
      entry.kept = entry.work
      entries[id] = entry
      if entry.kept == nil { isComplete = false }
    }
    return isComplete
  }

  /// Returns what it kept.
  mutating func close() -> [WorkOperation] {
    isClosed = true
    defer { entries = [:] }
    return entries.values.compactMap(\.kept)
  }
}

/// Ends work; only the first call counts. Work whose completion is released without a call fails with ``WorkError/forgotten``:
/// otherwise it would occupy its queue for ever.
public struct Completion<Output: Sendable>: Sendable {
  private let end: CompletionEnd<Output>
  private var work: Work<Output> { end.work }

  init(work: Work<Output>) { end = CompletionEnd(work) }

  /// Whether the work was cancelled.
  public var isCancelled: Bool { work.isCancelled }
  /// Ends the work with its output.
  public func succeed(_ output: Output) { end(with: .success(output)) }
  /// Ends the work with an error.
  public func fail(_ error: any Error) { end(with: .failure(error)) }
  /// Ends the work. Only the first end counts; later ones do nothing.
  public func end(with result: Result<Output, any Error>) { work.end(with: result) }
  /// Runs `body` when the work is cancelled, so that it can stop; runs it at once if the work is cancelled already.
  public func onCancel(_ body: @escaping @Sendable () -> Void) { work.onCancel(body) }
}

/// Ends the work when no completion of it is left.
private final class CompletionEnd<Output: Sendable>: Sendable {
  let work: Work<Output>

  init(_ work: Work<Output>) { self.work = work }

  deinit { work.end(work.isCancelled ? WorkError.cancelled : WorkError.forgotten) }
}

/// Ends when an operation and all before it in its categories have ended.
///
/// The next operations wait for this instead of for the operation. A cancelled operation ends before its turn, and would let
/// the next one overtake an operation that still runs. A failed operation must not stop the next one.
final class Turn: Operation, @unchecked Sendable {
  // Sendable: all properties are constants.
  private let exclusion: Exclusion
  private let categories: Set<String>

  init(
    of operation: Operation, after previous: [Turn], in exclusion: Exclusion,
    _ categories: Set<String>
  ) {
    self.exclusion = exclusion
    self.categories = categories
    super.init()
    name = "turn of \(operation.name ?? "unnamed")"
    for dependency in previous + [operation] { addDependency(dependency) }
  }

  override func main() {
    exclusion.end(self, categories)
    // Foundation never releases dependencies, which would keep all earlier turns in memory.
    for dependency in dependencies { removeDependency(dependency) }
  }
}

/// Mutual exclusion: no two operations of one category run at once, even on different queues.
public final class Exclusion: Sendable {
  private let newest = Locked<[String: Turn]>([:])
  private let turns = OperationQueue()

  /// Creates an exclusion without operations.
  public init() {}

  /// Adds `operation` to `queue`, behind all operations that were added before with one of the same `categories`.
  ///
  /// - Throws: `DependencyCycle` if one of those waits for `operation`; then nothing is added.
  public func add(
    _ operation: Operation, to queue: OperationQueue, categories: Set<String>
  ) throws(DependencyCycle) {
    let outcome = newest.withLock { newest -> Result<Turn, DependencyCycle> in
      let previous = categories.compactMap { newest[$0] }
      if let cycle = operation.connect(to: previous) { return .failure(cycle) }
      // Not before: a turn that is released without a beginning would leave an unowned reference behind.
      let turn = Turn(of: operation, after: previous, in: self, categories)
      for category in categories { newest[category] = turn }
      return .success(turn)
    }
    turns.enqueue(try outcome.get())
    queue.enqueue(operation)
  }

  func end(_ turn: Turn, _ categories: Set<String>) {
    newest.withLock { newest in
      for category in categories where newest[category] === turn { newest[category] = nil }
    }
  }
}

extension OperationQueue {
  /// Like `addOperation`, but safe if a dependency of `operation` ends at the same moment.
  ///
  /// On Linux a queue asks whether the operation is ready and stores the answer later. If the last dependency ends in
  /// between, the stored answer overwrites its notification, and the operation never begins although it is ready. Nothing
  /// overwrites a notification once the operation is in the queue, so this method sends it again.
  public func enqueue(_ operation: Operation) {
    addOperation(operation)
    if operation.isReady { operation.didChangeValue(forKey: "isReady") }
  }
}
