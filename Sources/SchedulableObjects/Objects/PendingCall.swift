internal import Concurrency

/// One pending `call`. It is answered exactly once: when it has run, is refused, or is withdrawn.
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
    // Sendable: the members that the handle shares with `Task` may be used from any thread while the task runs, and the
    // state holds it no longer than that.
    private let handle: UnsafeCurrentTask

    init(_ handle: UnsafeCurrentTask) { unsafe self.handle = handle }

    func cancel() { unsafe handle.cancel() }
  }

  private let loop: SchedulerLoop
  private let state = Locked(State.new)

  init(loop: SchedulerLoop) { self.loop = loop }

  /// Sends `body` as an event and waits for its answer. Called once.
  func answer(
    priority: EventPriority, _ body: sending @escaping () throws(Failure) -> sending Value
  ) async -> sending Outcome {
    // Proof: the closure was sent here, and only the one event below uses it, once.
    nonisolated(unsafe) let body = body
    // The event took this lock before it answered, which shows the thread sanitizer the order. The sanitizer does not see
    // the order of a continuation that is resumed before it is awaited.
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

  /// Runs the event as its own task, so that `Task.isCancelled` is the same there as in the caller's task.
  ///
  /// The task starts at once and never waits, so it is over when this returns.
  private func run(
    _ body: sending @escaping () throws(Failure) -> sending Value
  ) -> sending Outcome {
    // Proof: only the task below accesses these, on this thread, while this function waits for it.
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
      // Inside the lock, because the task must not end meanwhile. It has no cancellation handlers, since its code never
      // waits, so no code of it runs here.
      case .running(let task): task.cancel()
      case .over, .withdrawn: break
      }
      return nil
    }
    event?.cancel()
  }
}

/// The error of a `call` without a result: the closure never ran, or it threw.
public enum CallError<Failure: Error>: Error {
  /// The closure never ran, because the scheduler refused the event.
  case refused(Refusal)
  /// The closure ran and threw this error.
  case failed(Failure)
}

extension CallError: Equatable where Failure: Equatable {}

extension CallError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let refusal): "\(refusal)"
    case .failed(let error): "\(error)"
    }
  }
}
