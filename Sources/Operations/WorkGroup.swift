internal import Concurrency
public import Foundation

/// Several operations as one: it ends once the last of them has, and keeps no worker until then.
///
/// A group that never begins, or is cancelled, cancels its members and still ends after them.
public final class WorkGroup: WorkOperation, @unchecked Sendable {
  // Sendable: `queue` is one of Foundation's, which are; `members` does not change, `found` is behind a lock.
  private let queue = OperationQueue()
  private let members: [Operation]
  private let found = Locked(Found())

  private struct Found {
    var refusal: (any Error)?
    var errors: [any Error] = []
  }

  /// `members` are added to a queue by the group alone. `width`: how many run at once; as many as the system finds right
  /// if nil.
  public init(
    _ name: String, _ members: [Operation], width: Int? = nil, stopsOnFailure: Bool = true
  ) {
    self.members = members
    super.init(name, stopsOnFailure: stopsOnFailure)
    if let width { queue.maxConcurrentOperationCount = width }
  }

  /// What went wrong in its members, in the order in which it did.
  public var errors: [any Error] { found.withLock { $0.errors } }

  /// The errors of this type that members failed with, in the order in which they did.
  public func errors<Failure: Error>(of type: Failure.Type) -> [Failure] {
    errors.compactMap { $0 as? Failure }
  }

  override func begin() { launch() }

  /// The members end too, else whatever depends on one of them would wait for ever.
  override func refuse(_ error: any Error) {
    found.withLock { $0.refusal = error }
    for member in members { member.cancel() }
    launch()
  }

  override func stop() { for member in members { member.cancel() } }

  private func launch() {
    let last = BlockOperation { [self] in conclude() }
    for member in members {
      // A clean-up, since those run before `last` can: told by an observer, an error could come too late.
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
