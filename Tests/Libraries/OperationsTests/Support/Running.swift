import Foundation
import TestSupport

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

  /// Leaves and runs `body` when `width` have been inside at once, and a while later, in which one too many could enter.
  func leave(afterMost width: Int, then body: @escaping @Sendable () -> Void) {
    Thread { [self] in
      _ = becomesTrue { most >= width }
      Thread.sleep(forTimeInterval: 0.002)
      leave()
      body()
    }.start()
  }
}
