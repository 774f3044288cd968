internal import Concurrency
internal import Dispatch

/// Opens once, when a scheduler has run its last event; lets tasks and threads wait for that.
final class EndLatch: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let opened = DispatchSemaphore(value: 0)

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    opened.signal()
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    // So that the thread sanitizer sees it too where the continuation is resumed before it is awaited.
    state.withLock { _ in }
  }

  func waitBlocking() {
    opened.wait()
    opened.signal()  // for the next one who waits
  }
}
