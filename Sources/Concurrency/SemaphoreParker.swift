internal import Dispatch

/// Parks on a Dispatch semaphore, which every system with Dispatch has.
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
