public import FrameBudget
internal import OrderedDelivery
internal import SchedulableObjects

/// A lane of several threads on which each workload's events run one at a time, in order: a stage of `OrderedDelivery`
/// for each workload, all on one concurrent scheduler.
public final class OrderedCarrier: Carrier {
  private let scheduler: ConcurrentScheduler
  private let delivery: Delivery
  /// By source.
  private let stages = Locked<[Int: OrderedStage<PostedEvent>]>([:])

  public init(_ lane: Lane) {
    scheduler = ConcurrentScheduler(name: lane.name, width: lane.width, qos: lane.serviceClass)
    delivery = lane.delivery
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    post(event, hasPriority: hasPriority, of: 0)
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool, of source: Int) {
    stage(of: source).send(PostedEvent(event))
  }

  public func stop() { scheduler.waitUntilIdle() }

  private func stage(of source: Int) -> OrderedStage<PostedEvent> {
    stages.withLock { stages in
      if let stage = stages[source] { return stage }
      let stage = OrderedStage<PostedEvent>(
        on: scheduler, lock: delivery.lock.kind, drain: delivery.drain.kind
      ) { $0.run() }
      stages[source] = stage
      return stage
    }
  }
}

extension Delivery.QueueLock {
  fileprivate var kind: LockKind {
    switch self {
    case .spin: .spin
    case .mutex: .mutex
    case .recursive: .recursive
    }
  }
}

extension Delivery.Drain {
  fileprivate var kind: OrderedDelivery.Drain {
    switch self {
    case .item: .item
    case .batch: .batch
    }
  }
}
