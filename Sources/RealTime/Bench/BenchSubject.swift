public import FrameBudget
internal import SchedulableObjects

/// What `bench` measures: a carrier and, where it has several, its queue.
public struct BenchSubject: Hashable, Sendable {
  public let carrier: CarrierKind
  /// The name of the scheduler's queue; nil for other carriers.
  public let queue: String?

  /// All there are, our scheduler with each of its queues.
  public static func all(of carriers: CarrierSupply) -> [BenchSubject] {
    carriers.kinds.flatMap { carrier in
      carrier == .scheduler
        ? QueueKind.allCases.map { BenchSubject(carrier: carrier, queue: "\($0)") }
        : [BenchSubject(carrier: carrier, queue: nil)]
    }
  }

  var lane: Lane { Lane(name: "bench", carrier: carrier) }

  func start(_ carriers: CarrierSupply) throws(CarrierError) -> any Carrier {
    guard let queue = QueueKind.allCases.first(where: { "\($0)" == queue }) else {
      return try carriers.start(lane)
    }
    return try SchedulerCarrier(lane, queue: queue)
  }

  /// Whether its events cost so much that fewer of them say as much.
  var isSlow: Bool { [.operationQueue, .runLoop, .bridge, .process, .jobQueue].contains(carrier) }

  /// How long an idle lane sleeps at most before it looks for events, where it is not woken.
  var polls: TimeSpan { carrier.description.costs.lookEvery }

  /// Whether one thread, and the same, runs all events without counting how often it is woken.
  var hasOneThread: Bool {
    [.thread, .naive, .runLoop, .nio, .bridge, .process].contains(carrier)
  }
}
