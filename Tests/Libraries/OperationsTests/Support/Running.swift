import Foundation

/// The present number inside, and the maximum so far.
final class Running: @unchecked Sendable {
  // Sendable: both numbers are only used under `lock`.
  private let lock = NSLock()
  private var now = 0
  private var peak = 0

  var most: Int { lock.withLock { peak } }

  func enter() {
    lock.withLock {
      now += 1
      peak = max(peak, now)
    }
  }

  func leave() { lock.withLock { now -= 1 } }
}
