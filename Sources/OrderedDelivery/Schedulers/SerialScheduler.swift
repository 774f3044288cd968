public import Dispatch

/// Runs one action at a time, on a serial dispatch queue.
///
/// For `DispatchQueue.main`, hand that in.
public final class SerialScheduler: DeliveryScheduler {
  private let queue: DispatchQueue
  private let working = DispatchGroup()

  public init(name: String, qos: DispatchQoS = .default) {
    queue = DispatchQueue(label: name, qos: qos)
  }

  /// - Parameter queue: a serial one; nobody can see that it is, so the caller vouches for it.
  public init(_ queue: DispatchQueue) { self.queue = queue }

  public func perform(_ action: @escaping @Sendable () -> Void) {
    queue.async(group: working, execute: action)
  }

  public func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .after(delay)) { self.perform(action) }
  }

  /// Blocks until nothing runs or waits any more; not for what is delayed. Not from one of its own actions.
  public func waitUntilIdle() { working.wait() }
}
