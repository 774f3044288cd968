internal import Dispatch
public import FrameBudget
internal import Foundation

/// A lane on an operation queue of the lane's width.
public struct OperationQueueCarrier: Carrier {
  private let queue = OperationQueue()
  /// Held here, because the operation queue does not hold it.
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

  /// Each an operation that depends on the one before.
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
