#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Runs one closure on its own thread, with a name, a nice value and processors.
///
/// The initialiser returns when the thread has its settings. It throws if the system refuses one; then the closure does not
/// run. A thread that was not joined is detached when this object is released.
package final class PlatformThread: Sendable {
  package let name: String
  /// The native id, for `/proc` and `setpriority`.
  package let id: Int32
  private let handle: Locked<ThreadHandle?>

  package init(
    name: String, nice: Int? = nil, processors: [Int]? = nil,
    body: sending @escaping () -> Void
  ) throws(ThreadError) {
    let start = ThreadStart(name: name, nice: nice, processors: processors, body: body)
    let handle = try start.launch()
    let answer = start.waitForAnswer()
    self.name = name
    self.id = answer.id
    self.handle = Locked(handle)
    if let refusal = answer.refusal {
      join()
      throw refusal
    }
  }

  deinit { handle.withLock { $0.take()?.detach() } }

  /// The nice value that the thread has now, read from the system.
  package var nice: Int { Platform.nice(thread: id) }

  /// Whether the caller runs on this thread. Meaningless after `join`, because the system may reuse the id.
  package var isCurrent: Bool { Platform.threadID() == id }

  /// Changes the nice value; without privilege it can be raised but not lowered again.
  package func setNice(_ nice: Int) throws(ThreadError) {
    let error = Platform.setNice(nice, thread: id)
    if error != 0 { throw .niceRefused(thread: name, nice: nice, error: error) }
  }

  /// Blocks until the thread has ended. May be called again, and by several threads.
  package func join() {
    // The lock is held while waiting, so that a second caller waits as well; the thread itself never takes it.
    handle.withLock { $0.take()?.join() }
  }
}
