internal import Dispatch

/// Waits until a scheduler's actions have ended. The actions themselves must not wait, because they would wait for ever.
final class IdleWait: Sendable {
  let working = DispatchGroup()
  private let mark = DispatchSpecificKey<Bool>()

  init(for queue: DispatchQueue) { queue.setSpecific(key: mark, value: true) }

  /// Blocks until no action runs or waits. Called from an action it stops the process, and prints the place of the call.
  func wait(_ file: StaticString, _ line: UInt) {
    if DispatchQueue.getSpecific(key: mark) != nil, working.wait(timeout: .now()) == .timedOut {
      fatalError("an action cannot wait until its own scheduler is idle", file: file, line: line)
    }
    working.wait()
  }

  /// The same without blocking a thread.
  func wait() async {
    await withCheckedContinuation { continuation in
      working.notify(queue: .global()) { continuation.resume() }
    }
  }
}
