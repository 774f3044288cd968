import SchedulableThreads
import SchedulableJobs
import TestSupport

/// Records events in order, from any thread.
final class Log: Sendable {
  private let lines = Locked<[String]>([])

  func append(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }

  func listener(_ event: JobEvent) {
    switch event {
    case .unreadable(let id, _): append("unreadable \(id)")
    case .setAside: append("setAside")
    case .unusable: append("unusable")
    case .notStored: append("notStored")
    case .restoredAll(let count): append("restoredAll \(count)")
    default: append(event.short ?? "")
    }
  }

  /// Whether `line` is recorded the given number of times before patience ends.
  func wait(for line: String, count: Int = 1) -> Bool {
    becomesTrue { lines.withLock { $0.count { $0 == line } } >= count }
  }
}
