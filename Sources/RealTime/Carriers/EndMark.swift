internal import Dispatch

/// Lets one thread wait until another has come to a point.
struct EndMark: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func set() { semaphore.signal() }
  func wait() { semaphore.wait() }
}
