public import FrameBudget
internal import SchedulableObjects

/// What `bench` measures: a carrier and, where it has several, its queue and the verb that events are sent with.
public struct BenchSubject: Hashable, Sendable {
  /// Nil for the least that handing over takes, which no lane is on.
  public let carrier: CarrierKind?
  /// The name of the scheduler's queue; nil for other carriers.
  public let queue: String?
  /// `object.schedule` where events are sent to an object on the scheduler; nil where to the carrier itself.
  public let verb: String?

  static let toObject = "object.schedule"

  /// All there are, our scheduler with each of its queues, and once more with an object on the default one.
  public static func all(of carriers: CarrierSupply) -> [BenchSubject] {
    carriers.kinds.flatMap { carrier in
      carrier == .scheduler ? ours : [BenchSubject(carrier: carrier, queue: nil, verb: nil)]
    }
  }

  /// With what no queue of this kind gets below.
  private static var ours: [BenchSubject] {
    let verbs = [(QueueKind.stack, nil), (.stack, toObject), (.swap, nil)]
    return verbs.map { BenchSubject(carrier: .scheduler, queue: "\($0)", verb: $1) } + [limit]
  }

  static let limit = BenchSubject(carrier: nil, queue: nil, verb: nil)

  var lane: Lane { Lane(name: "bench", carrier: carrier ?? .thread) }

  /// What its rows are called.
  public var name: String { HandOffMeasurement.name(of: carrier) }

  func start(_ carriers: CarrierSupply) throws(CarrierError) -> any Carrier {
    if carrier == nil { return try BareCarrier(lane) }
    guard let queue = QueueKind.allCases.first(where: { "\($0)" == queue }) else {
      return try carriers.start(lane)
    }
    let scheduler = try SchedulerCarrier(lane, queue: queue)
    return verb == Self.toObject ? ObjectCarrier(on: scheduler) : scheduler
  }

  /// Whether its events cost so much that fewer of them say as much.
  var isSlow: Bool {
    let slow: [CarrierKind] = [.operationQueue, .runLoop, .bridge, .process, .jobQueue]
    return carrier.map(slow.contains) ?? false
  }

  /// How long an idle lane sleeps at most before it looks for events, where it is not woken.
  var polls: TimeSpan { carrier?.description.costs.lookEvery ?? .zero }

  /// Whether one thread, and the same, runs all events without counting how often it is woken.
  var hasOneThread: Bool {
    let single: [CarrierKind] = [.thread, .naive, .runLoop, .nio, .bridge, .process]
    return carrier.map(single.contains) ?? true
  }
}
