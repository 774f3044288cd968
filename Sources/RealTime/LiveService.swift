internal import Concurrency
internal import FrameBudget

/// A service of the app under test, with real state.
final class LiveService: Sendable {
  /// Taken by whoever is inside, for as long as they are. Nobody ever waits for it: where somebody would have
  /// to, two threads are inside at once, which is what arrangements promise to prevent.
  private let inside: Locked<ServiceState>
  /// Where its snapshots are left; nil if the UI reads none.
  let board: SnapshotBoard?

  init(_ service: Service, memory: Int, isPublished: Bool) {
    let state = ServiceState(
      records: service.records, memory: memory, isPublished: isPublished)
    board = isPublished ? SnapshotBoard(state.snapshot) : nil
    inside = Locked(state)
  }

  /// Runs `body` inside the service; nil if somebody else is inside already.
  func enter<Result>(_ body: (inout ServiceState) -> sending Result) -> Result? {
    inside.withLockIfAvailable { body(&$0) }
  }

  /// Publishes a snapshot if there are changes that none has, and if `rule` allows it in this frame; returns whether it did.
  @discardableResult
  func publish(_ rule: Reading.PublishRule?, in vsync: Int) -> Bool {
    guard let board else { return false }
    let snapshot = inside.withLockIfAvailable { $0.publish(rule, in: vsync) }
    guard case .some(.some(let snapshot)) = snapshot else { return false }
    board.publish(snapshot)
    return true
  }
}
