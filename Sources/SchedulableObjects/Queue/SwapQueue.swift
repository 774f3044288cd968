internal import Concurrency

/// The simple queue: a list under a mutex, which the consumer swaps for an empty one.
///
/// It is the usual first design and obviously correct, so it is the reference for the default queue.
final class SwapQueue: EventQueue {
  private struct State {
    var batch = EventBatch()
    var isParked = false
    var isClosed = false
    var hasEnded = false
  }

  private let state = Locked(State())

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func push(_ node: EventNode) -> PushOutcome {
    state.withLock { state in
      if state.isClosed, state.hasEnded || !node.traits.contains(.mustRun) {
        return .refused(node, .shutDown)
      }
      state.batch.append(node)
      let slept = state.isParked
      state.isParked = false
      return slept ? .queuedForSleeper : .queued
    }
  }

  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      let slept = state.isParked
      state.isParked = false
      return slept
    }
  }

  func take() -> EventBatch {
    state.withLock { state in
      let batch = state.batch
      state.batch = EventBatch()
      return batch
    }
  }

  func park() -> Bool {
    state.withLock { state in
      state.isParked = state.batch.events.isEmpty && !state.isClosed
      return state.isParked
    }
  }

  func unpark() { state.withLock { $0.isParked = false } }

  func end() -> Bool {
    state.withLock { state in
      state.hasEnded = state.batch.events.isEmpty
      return state.hasEnded
    }
  }
}
