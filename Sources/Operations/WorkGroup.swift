public import Foundation
internal import SchedulableObjects

/// Several operations as one: it ends once the last of them has, and keeps no worker until then.
public final class WorkGroup: WorkOperation, @unchecked Sendable {
  // Sendable: `queue` is one of Foundation's, which are; `collected` and `members` are behind locks.
  private let queue = OperationQueue()
  private let members: Locked<[Operation]>
  private let collected = Locked<[any Error]>([])

  /// `width`: how many run at once; as many as the system finds right if nil.
  public init(
    _ name: String, _ members: [Operation], width: Int? = nil, stopsOnFailure: Bool = true
  ) {
    self.members = Locked(members)
    super.init(name, stopsOnFailure: stopsOnFailure)
    queue.isSuspended = true
    if let width { queue.maxConcurrentOperationCount = width }
  }

  /// What went wrong in its members, in the order in which it did.
  public var errors: [any Error] { collected.withLock { $0 } }

  public func errors<Failure: Error>(of type: Failure.Type) -> [Failure] {
    errors.compactMap { $0 as? Failure }
  }

  override func begin() {
    let members = members.withLock { $0 }
    for case let member as WorkOperation in members {
      member.add(
        WorkObserver(ended: { [self] _, error in
          if let error { collected.withLock { $0.append(error) } }
        }))
    }
    let last = BlockOperation { [self] in conclude() }
    for member in members { last.addDependency(member) }
    queue.addOperations(members + [last], waitUntilFinished: false)
    queue.isSuspended = false
    if isCancelled { cancelMembers() }
  }

  private func conclude() {
    let count = errors.count
    end(count == 0 ? nil : WorkError.membersFailed(count))
  }

  public override func cancel() {
    cancelMembers()
    super.cancel()
  }

  private func cancelMembers() {
    for member in members.withLock({ $0 }) { member.cancel() }
  }
}
