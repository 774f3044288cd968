internal import Dispatch

/// Parks on a Dispatch semaphore: the portable way, on every system that has Dispatch.
package final class SemaphoreParker: Parker {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func park(forNanoseconds nanoseconds: Int64?) {
    guard let nanoseconds else { return semaphore.wait() }
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: max(0, nanoseconds)))
    _ = semaphore.wait(timeout: deadline)
  }

  package func unpark() { semaphore.signal() }
}
