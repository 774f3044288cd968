import Foundation

/// What happened, in the order in which it did, noted from whichever thread.
final class Tally: @unchecked Sendable {
  // Sendable: `notes` is touched under `lock` alone.
  private let lock = NSLock()
  private var notes: [String] = []

  var all: [String] { lock.withLock { notes } }
  func note(_ text: String) { lock.withLock { notes.append(text) } }
  func count(_ text: String) -> Int { all.count { $0 == text } }
}
