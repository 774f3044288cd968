package import Foundation

/// Far longer than any tested operation takes on a busy machine, so that only failures wait so long.
package let patience: TimeInterval = 300

/// Whether `condition` holds before patience ends.
package func eventually(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
  await onOwnThread {
    let end = Date(timeIntervalSinceNow: patience)
    while !condition() {
      guard Date() < end else { return false }
      Thread.sleep(forTimeInterval: 0.001)
    }
    return true
  }
}
