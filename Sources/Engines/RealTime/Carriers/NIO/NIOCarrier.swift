#if NIO
  public import FrameBudget
  internal import NIOCore
  internal import NIOPosix

  /// A lane on an event loop of SwiftNIO.
  public struct NIOCarrier: Carrier {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let name: String
    private let gate = PostGate()

    public init(_ lane: Lane) throws(CarrierError) {
      loop = group.next()
      name = lane.name
      guard lane.nice != 0 else { return }
      let outcome = NiceRequest(lane)
      loop.execute { outcome.apply() }
      try outcome.wait()
    }

    public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
      let posted = PostedEvent(event)
      gate.enter { loop.execute { posted.run() } }
    }

    public func send(_ number: Int, to tally: EventTally) {
      loop.execute { tally.ran(number) }
    }

    public var loss: String? { Lane.loss(ofLate: gate.late, on: name) }

    public func stop() {
      let reached = OneShotSignal()
      gate.close { loop.execute { reached.set() } }
      reached.wait()
      try? group.syncShutdownGracefully()
    }
  }
#endif
