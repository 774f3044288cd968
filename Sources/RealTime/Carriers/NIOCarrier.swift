public import FrameBudget
internal import NIOCore
internal import NIOPosix
internal import SchedulableObjects

/// A lane on an event loop of SwiftNIO.
public struct NIOCarrier: Carrier {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let loop: any EventLoop

  public init(_ lane: Lane) throws(CarrierError) {
    loop = group.next()
    guard lane.nice != 0 else { return }
    let outcome = NiceRequest(lane)
    loop.execute { outcome.apply() }
    try outcome.wait()
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    loop.execute { posted.run() }
  }

  public func send(_ number: Int, to tally: EventTally) {
    loop.execute { tally.ran(number) }
  }

  public func stop() {
    let reached = EndMark()
    loop.execute { reached.set() }
    reached.wait()
    try? group.syncShutdownGracefully()
  }
}
