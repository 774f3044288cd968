internal import CFrameBudgetLinux
internal import SchedulableThreads
public import FrameBudget
internal import OrderedDelivery
internal import SchedulableObjects

/// A lane on the library's scheduler.
public struct SchedulerCarrier: Carrier {
  let scheduler: ThreadScheduler
  private let overtaking: Bool

  public init(_ lane: Lane) throws(CarrierError) { try self.init(lane, queue: .stack) }

  init(_ lane: Lane, queue: QueueKind) throws(CarrierError) {
    scheduler = try .lane(lane, queue: queue)
    overtaking = lane.overtaking
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    scheduler.schedule(priority: overtaking && hasPriority ? .user : .normal, event)
  }

  public func send(_ number: Int, to tally: EventTally) {
    scheduler.schedule { tally.ran(number) }
  }

  public var wakeUps: Int? { scheduler.counters.wakeUps }

  public func setNice(_ nice: Int) throws(CarrierError) {
    try CarrierError.wrapping { try scheduler.setNice(nice) }
  }

  public var loss: String? {
    Lane.loss(ofLate: scheduler.counters.refused, on: scheduler.name)
  }

  public func stop() { scheduler.shutdownBlocking(.drain) }
}

extension ThreadScheduler {
  /// A scheduler with the name, the nice value and the cores of a lane.
  static func lane(
    _ lane: Lane, queue: QueueKind = .stack
  ) throws(CarrierError) -> ThreadScheduler {
    try CarrierError.wrapping {
      try ThreadScheduler(
        name: lane.name, nice: lane.nice == 0 ? nil : lane.nice, processors: lane.cores?.cores,
        options: SchedulerOptions().with { $0.queue = queue })
    }
  }
}

/// A lane on the pattern's first sketch. It loses and counts events that are sent while it stops; the engine sends none then.
public struct NaiveCarrier: Carrier {
  private let name: String
  private let scheduler: NaiveScheduler

  public init(_ lane: Lane) throws(CarrierError) {
    scheduler = try CarrierError.wrapping { try NaiveScheduler(name: lane.name) }
    name = lane.name
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    scheduler.schedule(event)
  }

  public var loss: String? { Lane.loss(ofLate: scheduler.lost, on: name) }

  /// Waits for the posted events, because disposing at once would lose them. The thread cannot be joined, so this polls until
  /// it has left its loop; lost events can be counted only then.
  public func stop() {
    let reached = OneShotSignal()
    scheduler.schedule { reached.set() }
    reached.wait()
    scheduler.dispose()
    while !scheduler.hasEnded { clinux_sleep_until(clinux_monotonic() + 1_000_000) }
  }
}

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

  /// An event of no workload waits for no other.
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
