internal import Dispatch

/// Opens once, at the end of an object with threads, and lets tasks and threads wait for that.
package final class EndLatch: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let opened = DispatchSemaphore(value: 0)

  package init() {}

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    opened.signal()
    for continuation in waiting { continuation.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    // Shows the thread sanitizer the order also if the continuation is resumed before it is awaited.
    state.withLock { _ in }
  }

  package func waitBlocking() {
    opened.wait()
    opened.signal()  // for the next waiter
  }
}
