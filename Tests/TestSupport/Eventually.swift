package import Foundation

/// Far longer than any tested operation takes on a busy machine, so that only failures wait this long.
package let patience: TimeInterval = 300

/// Whether `condition` holds before patience ends.
package func eventually(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
  await onOwnThread { becomesTrue(condition) }
}

/// The same, on the calling thread.
package func becomesTrue(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(patience)
  while !condition() {
    guard ContinuousClock.now < end else { return false }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return true
}
