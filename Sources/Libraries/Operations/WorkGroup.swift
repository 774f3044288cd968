internal import SchedulableThreads
public import Foundation

/// Several operations as one. It ends after the last of them, and occupies no worker until then.
///
/// A group that never begins, or is cancelled, cancels its members and still ends after them.
public final class WorkGroup: WorkOperation, @unchecked Sendable {
  // Sendable: Foundation's queues are thread-safe; `members` does not change, `found` is behind a lock.
  private let queue = OperationQueue()
  private let members: [Operation]
  private let found = Locked(Found())

  private struct Found {
    var refusal: (any Error)?
    var errors: [any Error] = []
  }

  /// Creates a group. Only the group adds `members` to a queue. At most `width` members run at once; the system chooses if it
  /// is nil.
  public init(
    _ name: String, _ members: [Operation], width: Int? = nil, stopsOnFailure: Bool = true
  ) {
    self.members = members
    super.init(name, stopsOnFailure: stopsOnFailure)
    if let width { queue.maxConcurrentOperationCount = width }
  }

  deinit { leaveDependencies() }

  /// The errors of the members, in the order of their occurrence.
  public var errors: [any Error] { found.withLock { $0.errors } }

  /// The errors of the members that have this type, in the order of their occurrence.
  public func errors<Failure: Error>(of type: Failure.Type) -> [Failure] {
    errors.compactMap { $0 as? Failure }
  }

  override func begin() { launch() }

  /// Ends the members too; otherwise operations that depend on them would never begin.
  override func refuse(_ error: any Error) {
    found.withLock { $0.refusal = error }
    for member in members { member.cancel() }
    launch()
  }

  override func stop() { for member in members { member.cancel() } }

  private func launch() {
    let last = BlockOperation { [self] in conclude() }
    for member in members {
      // A clean-up, because clean-ups run before `last` can begin; an observer could report an error too late.
      (member as? WorkOperation)?.onFailure { [self] error in
        found.withLock { $0.errors.append(error) }
      }
      last.addDependency(member)
    }
    for operation in members + [last] { queue.enqueue(operation) }
  }

  private func conclude() {
    let found = found.withLock { $0 }
    if let refusal = found.refusal { return end(refusal) }
    if found.errors.isEmpty { return end() }
    end(isCancelled ? WorkError.cancelled : WorkError.membersFailed(found.errors.count))
  }
}
