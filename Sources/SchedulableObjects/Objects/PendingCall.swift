internal import Concurrency

/// One `call` on its way: answered exactly once, whether it runs, is refused or withdrawn.
final class PendingCall<Value, Failure: Error>: Sendable {
  typealias Outcome = Result<Value, CallError<Failure>>

  private enum State {
    case new
    case sent(ScheduledEvent)
    case running(RunningTask)
    case over
    case withdrawn
  }

  /// The task that an event runs as.
  @safe
  private struct RunningTask: @unchecked Sendable {
    // Sendable: what a handle of this kind shares with `Task` may be used from anywhere as long as its task runs; it is
    // in the state for no longer.
    private let handle: UnsafeCurrentTask

    init(_ handle: UnsafeCurrentTask) { unsafe self.handle = handle }

    func cancel() { unsafe handle.cancel() }
  }

  private let loop: SchedulerLoop
  private let state = Locked(State.new)

  init(loop: SchedulerLoop) { self.loop = loop }

  /// Sends `body` as an event and waits for what becomes of it. Called once.
  func answer(
    priority: EventPriority, _ body: sending @escaping () throws(Failure) -> sending Value
  ) async -> sending Outcome {
    // Proof: the closure was sent here and is used below once, by the one event that it is sent on with.
    nonisolated(unsafe) let body = body
    // The event has been inside before it answered. The thread sanitizer sees this order; that of a continuation which
    // is resumed before it is awaited it does not.
    defer { state.withLock { _ in } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event = ScheduledEvent { [self] in
          continuation.resume(returning: unsafe run(body))
        } onRefusal: { [loop] reason in
          continuation.resume(returning: .failure(.refused(loop.refusal(reason))))
        }
        send(event, priority: priority)
      }
    } onCancel: {
      withdraw()
    }
  }

  /// Runs the event as a task of its own, so that `Task.isCancelled` says there what it says in the caller's.
  ///
  /// That task begins at once and never waits, so it is over when this returns.
  private func run(
    _ body: sending @escaping () throws(Failure) -> sending Value
  ) -> sending Outcome {
    // Proof: the task below is the only one to touch these, on this thread, while this waits for it.
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var outcome: Outcome?
    Task.immediate { [self] in
      unsafe withUnsafeCurrentTask { task in
        if let task = unsafe task { unsafe begin(RunningTask(task)) }
        unsafe outcome = Self.outcome(of: body)
        end()
      }
    }
    guard let outcome = unsafe outcome else { fatalError("a task without a wait ends at once") }
    return outcome
  }

  private func begin(_ task: RunningTask) {
    let isWithdrawn = state.withLock { state in
      if case .withdrawn = state { return true }
      state = .running(task)
      return false
    }
    if isWithdrawn { task.cancel() }
  }

  private func end() { state.withLock { $0 = .over } }

  private static func outcome(
    of body: () throws(Failure) -> sending Value
  ) -> sending Outcome {
    do throws(Failure) {
      return .success(try body())
    } catch {
      return .failure(.failed(error))
    }
  }

  private func send(_ event: ScheduledEvent, priority: EventPriority) {
    let isWithdrawn = state.withLock { state in
      if case .withdrawn = state { return true }
      state = .sent(event)
      return false
    }
    if isWithdrawn { event.cancel() }
    loop.post(EventNode(.ticket(event), priority: priority))
  }

  private func withdraw() {
    let event: ScheduledEvent? = state.withLock { state in
      switch state {
      case .new: state = .withdrawn
      case .sent(let event):
        state = .withdrawn
        return event
      // Within the lock, because the task may not end meanwhile. Its code does not wait, so nothing of it is called.
      case .running(let task): task.cancel()
      case .over, .withdrawn: break
      }
      return nil
    }
    event?.cancel()
  }
}
