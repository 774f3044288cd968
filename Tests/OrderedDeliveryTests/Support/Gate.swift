import Dispatch

/// Holds threads until it is opened, so that a test decides who is where.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}
