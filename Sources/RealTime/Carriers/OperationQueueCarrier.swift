internal import Dispatch
public import FrameBudget
internal import Foundation

/// A lane on an operation queue of width 1.
public struct OperationQueueCarrier: Carrier {
  private let queue = OperationQueue()
  /// Held here, because the operation queue does not hold it.
  private let underlying: DispatchQueue

  public init(_ lane: Lane) {
    underlying = DispatchQueue(label: lane.name, qos: lane.serviceClass)
    queue.name = lane.name
    queue.maxConcurrentOperationCount = 1
    unsafe queue.underlyingQueue = underlying
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    queue.addOperation { posted.run() }
  }

  public func send(_ number: Int, to tally: EventTally) {
    queue.addOperation { tally.ran(number) }
  }

  public func stop() { queue.waitUntilAllOperationsAreFinished() }
}
