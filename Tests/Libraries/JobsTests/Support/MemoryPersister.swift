import SchedulableThreads
import SchedulableJobs

/// Keeps jobs in memory, so that tests see what was stored, and can make storing fail.
final class MemoryPersister: JobPersister {
  struct Failure: Error {}

  /// The state shared with the test.
  final class Box: Sendable {
    let kept = Locked<[Int64: KeptJob]>([:])
    let failing = Locked(false)
    let changes = Locked(0)

    var ids: [String] { kept.withLock { $0.values.map(\.id) }.sorted() }
    func text(of id: String) -> String? { kept.withLock { $0.values.first { $0.id == id }?.text } }
    func fail(_ fails: Bool) { failing.withLock { $0 = fails } }
  }

  private let box: Box

  init(_ box: Box) { self.box = box }

  func load() throws -> KeptJobs {
    if box.failing.withLock({ $0 }) { throw Failure() }
    return KeptJobs(box.kept.withLock { $0.values.sorted { $0.sequence < $1.sequence } })
  }

  func change(keeping: [KeptJob], removing: [Int64]) throws {
    if box.failing.withLock({ $0 }) { throw Failure() }
    box.changes.withLock { $0 += 1 }
    box.kept.withLock { kept in
      for sequence in removing { kept[sequence] = nil }
      for job in keeping { kept[job.sequence] = job }
    }
  }
}
