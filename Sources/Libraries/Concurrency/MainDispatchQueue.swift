internal import Dispatch

/// The main dispatch queue, which the main thread serves, or on Linux after `dispatchMain` any thread of the pool.
package enum MainDispatchQueue {
  private static let mark = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on it.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
}
