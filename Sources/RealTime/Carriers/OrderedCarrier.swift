internal import Concurrency
public import FrameBudget
internal import OrderedDelivery

/// A lane of several threads on which each workload's events run one at a time, in order: a stage of `OrderedDelivery`
/// for each workload, all on one concurrent scheduler.
public final class OrderedCarrier: Carrier {
  private let scheduler: ConcurrentScheduler
  private let lock: LockKind
  private let drain: Drain
  private let stages = Locked<[WorkloadIndex: OrderedStage<PostedEvent>]>([:])

  public init(_ lane: Lane) {
    scheduler = ConcurrentScheduler(name: lane.name, width: lane.width, qos: lane.serviceClass)
    lock = lane.options.choice(.lock)
    drain = lane.options.choice(.drain)
  }

  /// An event of no workload, which waits for none.
  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    scheduler.perform { posted.run() }
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool, source: WorkloadIndex)
  {
    stage(of: source).send(PostedEvent(event))
  }

  public func stop() { scheduler.waitUntilIdle() }

  private func stage(of source: WorkloadIndex) -> OrderedStage<PostedEvent> {
    stages.withLock { stages in
      if let stage = stages[source] { return stage }
      let stage = OrderedStage<PostedEvent>(on: scheduler, lock: lock, drain: drain) { $0.run() }
      stages[source] = stage
      return stage
    }
  }
}
