internal import SchedulableThreads
internal import DequeModule
internal import Dispatch
internal import Foundation
public import FrameBudget

/// A lane on a dispatch queue: a serial one, or a concurrent one with at most `width` running events.
///
/// Dispatch's pool has a worker per core and adds others only slowly while they block, so a larger width is rarely reached.
public final class DispatchCarrier: Carrier {
  private let queue: DispatchQueue
  private let width: Int
  /// Events beyond the width, and the number on the queue. Not used by a serial queue.
  private let account = Locked((waiting: Deque<PostedEvent>(), running: 0))
  private let events = DispatchGroup()

  public init(_ lane: Lane) {
    width = lane.width
    queue = DispatchQueue(
      label: lane.name, qos: lane.serviceClass, attributes: lane.width > 1 ? .concurrent : [])
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    if width == 1 { return queue.async { posted.run() } }
    let mayStart = account.withLock { account in
      if account.running == width {
        account.waiting.append(posted)
        return false
      }
      account.running += 1
      return true
    }
    if mayStart { start(posted) }
  }

  public func send(_ number: Int, to tally: EventTally) {
    queue.async { tally.ran(number) }
  }

  public func stop() {
    events.wait()
    queue.sync(flags: .barrier) {}
  }

  private func start(_ event: PostedEvent) {
    queue.async(group: events) { [self] in
      event.run()
      let next = account.withLock { account in
        if account.waiting.isEmpty { account.running -= 1 }
        return account.waiting.popFirst()
      }
      if let next { start(next) }
    }
  }
}

extension Lane {
  /// The quality of service whose threads have this lane's nice value on Linux.
  var serviceClass: DispatchQoS {
    switch nice {
    case 10: .background
    case 2: .utility
    case -2: .userInitiated
    default: .default
    }
  }
}

/// A lane on an operation queue of the lane's width.
public struct OperationQueueCarrier: Carrier {
  private let queue = OperationQueue()
  /// The operation queue does not retain it.
  private let underlying: DispatchQueue

  public init(_ lane: Lane) {
    underlying = DispatchQueue(
      label: lane.name, qos: lane.serviceClass, attributes: lane.width > 1 ? .concurrent : [])
    queue.name = lane.name
    queue.maxConcurrentOperationCount = lane.width
    unsafe queue.underlyingQueue = underlying
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    queue.addOperation { posted.run() }
  }

  /// Operations, each of which depends on the one before.
  public func post(chain: [@Sendable () -> Void]) {
    let operations = chain.map { BlockOperation(block: $0) }
    for (earlier, later) in zip(operations, operations.dropFirst()) { later.addDependency(earlier) }
    queue.addOperations(operations, waitUntilFinished: false)
  }

  public func send(_ number: Int, to tally: EventTally) {
    queue.addOperation { tally.ran(number) }
  }

  public func stop() { queue.waitUntilAllOperationsAreFinished() }
}
