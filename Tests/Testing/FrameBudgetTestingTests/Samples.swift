import SchedulableThreads
import Foundation
import Testing

/// All tests that measure. They run one after another, because some block the main thread on purpose, and alone, because on a
/// busy machine verdicts are unsure and some items do not begin. `make own-code` runs them.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["FRAMEBUDGET_QUIET"] != nil))
enum Measuring {}

/// Uses the given amount of the calling thread's processor time.
func burn(_ span: Duration) {
  let until = ThreadUse.now().cpu + span.nanoseconds
  while ThreadUse.now().cpu < until {}
}

/// Sleeps without giving the thread away.
func keepThread(_ span: Duration) { Thread.sleep(forTimeInterval: span / .seconds(1)) }

extension Duration {
  var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
  var milliseconds: Double { self / .milliseconds(1) }
}

/// Not `Sendable`, and used on the main actor alone.
final class Catalogue {
  private(set) var photos: [Int] = []

  func add(_ photo: Int, taking span: Duration) {
    burn(span)
    photos.append(photo)
  }
}

actor Indexer {
  private(set) var count = 0

  func index(taking span: Duration) -> Int {
    burn(span)
    count += 1
    return count
  }
}
