import Foundation

/// How many are inside at once, and how many ever were.
final class Running: @unchecked Sendable {
  // Sendable: both numbers are touched under `lock` alone.
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
