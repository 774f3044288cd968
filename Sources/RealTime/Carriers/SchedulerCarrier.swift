public import FrameBudget
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

  public func stop() { scheduler.shutdownAndWait(.drain) }
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
