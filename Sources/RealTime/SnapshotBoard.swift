internal import Concurrency
internal import FrameBudget

/// Where a service's lane leaves the newest snapshot and the UI finds it.
///
/// Also knows what a snapshot misses: items that are done although their change is not in it.
final class SnapshotBoard: Sendable {
  private struct Content {
    var snapshot: Snapshot
    /// By item under way: the version with its newest change.
    var changes: [LiveItem: Int] = [:]
    var newestDone = NewestDone()
  }

  private let content: Locked<Content>

  init(_ first: Snapshot) { content = Locked(Content(snapshot: first)) }

  func publish(_ snapshot: Snapshot) {
    // The old one goes outside of the lock: the last reference to it may be this one.
    let old = content.withLock { content in
      let old = content.snapshot
      content.snapshot = snapshot
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Notes that a step of `item` made `version`.
  func changed(by item: LiveItem, version: Int) {
    content.withLock { $0.changes[item.atStart] = version }
  }

  /// Notes that `item` is done.
  func done(_ item: LiveItem, at instant: Instant) {
    content.withLock { content in
      guard let version = content.changes.removeValue(forKey: item.atStart) else { return }
      content.newestDone.done(version, at: instant)
    }
  }

  /// Whether an item is done whose change `snapshot` does not have.
  func hasChanged(since snapshot: Snapshot) -> Bool {
    content.withLock { $0.newestDone.missed(by: snapshot.version) != nil }
  }

  /// The newest snapshot, and since when it has missed the newest item that is done.
  func read() -> (snapshot: Snapshot, missesSince: Instant?) {
    content.withLock { ($0.snapshot, $0.newestDone.missed(by: $0.snapshot.version)) }
  }
}

extension LiveItem {
  /// The item whatever its next step: its identity.
  fileprivate var atStart: LiveItem { at(0) }
}
