public import FrameBudget

/// How an event reaches a lane.
///
/// Each event runs exactly once, on a thread of the lane, in the order its description promises. `stop` lets
/// everything run that was posted before it, then joins.
public protocol Carrier: Sendable {
  init(_ lane: Lane) throws(CarrierError)
  /// Hands over an event; from any thread. One with a priority overtakes where the lane allows it.
  func post(_ event: sending @escaping () -> Void, hasPriority: Bool)
  /// The same for an event of the workload `source`: for carriers that keep each workload in order.
  func post(_ event: sending @escaping () -> Void, hasPriority: Bool, source: WorkloadIndex)
  /// Hands over events of which each starts once the one before is through.
  func post(chain: [@Sendable () -> Void])
  /// Hands over an event of `bench`. Where `post` adds to what the mechanism costs, this is in its own words: with the
  /// one closure that its users write.
  func send(_ number: Int, to tally: EventTally)
  /// Gives the lane's thread another nice value; only where the carrier's description says that it can.
  func setNice(_ nice: Int) throws(CarrierError)
  /// How often the lane's thread was woken so far, where the mechanism counts that.
  var wakeUps: Int? { get }
  /// Does what an app does once when it starts: restoring what earlier runs have left. On the main thread, in the first
  /// measured frame.
  func launch()
  /// What was posted and will never run, as a sentence; nil as long as nothing is lost.
  var loss: String? { get }
  /// Ends the lane. From a thread that is not one of its own; nothing is posted afterwards.
  func stop()
}

extension Carrier {
  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool, source: WorkloadIndex)
  {
    post(event, hasPriority: hasPriority)
  }

  /// As it is where events run one after another anyway.
  public func post(chain: [@Sendable () -> Void]) {
    for event in chain { post(event, hasPriority: false) }
  }

  public func send(_ number: Int, to tally: EventTally) {
    post({ tally.ran(number) }, hasPriority: false)
  }

  public func setNice(_ nice: Int) throws(CarrierError) {
    throw CarrierError("a thread of this carrier keeps its nice value")
  }

  public var wakeUps: Int? { nil }

  public func launch() {}

  public var loss: String? { nil }
}

extension CarrierKind {
  /// What starts lanes on this mechanism; nil for the frame loop, and for what is in a module of its own.
  var carrier: (any Carrier.Type)? {
    switch self {
    case .main, .nio: nil
    case .thread: ThreadCarrier.self
    case .scheduler: SchedulerCarrier.self
    case .naive: NaiveCarrier.self
    case .dispatch: DispatchCarrier.self
    case .operationQueue: OperationQueueCarrier.self
    case .actor: ActorCarrier.self
    case .actorOnScheduler: ActorOnSchedulerCarrier.self
    case .runLoop: RunLoopCarrier.self
    case .ordered: OrderedCarrier.self
    case .bridge: BridgeCarrier.self
    case .process: ProcessCarrier.self
    case .jobQueue: JobQueueCarrier.self
    }
  }
}
