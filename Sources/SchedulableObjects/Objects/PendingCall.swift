/// One `call` on its way: answered exactly once, whether it runs, is refused or withdrawn.
final class PendingCall<Value, Failure: Error>: Sendable {
  typealias Outcome = Result<Value, CallError<Failure>>

  private enum State {
    case new
    case sent(ScheduledEvent)
    case withdrawn
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
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event = ScheduledEvent {
          continuation.resume(returning: unsafe Self.run(body))
        } onRefusal: { [loop] reason in
          continuation.resume(returning: .failure(.refused(loop.refusal(reason))))
        }
        send(event, priority: priority)
      }
    } onCancel: {
      withdraw()
    }
  }

  private static func run(_ body: () throws(Failure) -> sending Value) -> sending Outcome {
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
      defer { state = .withdrawn }
      if case .sent(let event) = state { return event }
      return nil
    }
    event?.cancel()
  }
}
