internal import Dispatch

/// Lets one thread wait until another has come to a point.
package struct EndMark: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func set() { semaphore.signal() }
  package func wait() { semaphore.wait() }
}
