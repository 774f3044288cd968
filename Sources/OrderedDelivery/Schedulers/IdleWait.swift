internal import Dispatch

/// The wait until a scheduler's actions have ended, which none of them can: it would wait for itself.
final class IdleWait: Sendable {
  let working = DispatchGroup()
  private let mark = DispatchSpecificKey<Bool>()

  init(for queue: DispatchQueue) { queue.setSpecific(key: mark, value: true) }

  /// Blocks until nothing runs or waits any more; stops the process, with the place of the call, where that is never.
  func wait(_ file: StaticString, _ line: UInt) {
    if DispatchQueue.getSpecific(key: mark) != nil, working.wait(timeout: .now()) == .timedOut {
      fatalError("an action cannot wait until its own scheduler is idle", file: file, line: line)
    }
    working.wait()
  }

  /// The same without keeping a thread.
  func wait() async {
    await withCheckedContinuation { continuation in
      working.notify(queue: .global()) { continuation.resume() }
    }
  }
}
