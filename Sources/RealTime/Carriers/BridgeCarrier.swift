internal import Concurrency
public import FrameBudget

/// A lane behind a bridge of the shape that React Native's had: calls are written as JSON into a buffer, which the
/// other side empties every `flush`, and answered by the number of a callback.
///
/// Real are the encoding by whoever posts, the decoding on the lane's thread, the answers and the way back, and the
/// wait for the next flush. The events themselves are closures, which cannot be encoded: they wait in a table and are
/// looked up by their callback's number.
public final class BridgeCarrier: Carrier {
  private let name: String
  private let bridge: Bridge
  private let thread: PlatformThread

  public init(_ lane: Lane) throws(CarrierError) {
    let bridge = Bridge(flush: lane.options.timeSpan(.flush))
    thread = try .lane(lane) { bridge.serve() }
    self.bridge = bridge
    name = lane.name
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    bridge.takeAnswers()
    bridge.call(name, PostedEvent(event))
  }

  public var loss: String? { Lane.loss(ofLate: bridge.late, on: name) }

  public func stop() {
    bridge.close()
    thread.join()
    bridge.takeAnswers()
  }
}
