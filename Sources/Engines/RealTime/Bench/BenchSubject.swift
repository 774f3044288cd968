public import FrameBudget
internal import SchedulableObjects

/// A subject of `bench`: a carrier and, if it has several, its queue and the method that sends events.
public struct BenchSubject: Hashable, Sendable {
  /// Nil for the lower limit, which lanes cannot use.
  public let carrier: CarrierKind?
  /// The name of the scheduler's queue; nil for other carriers.
  public let queue: String?
  /// `object.schedule` if events are sent to an object on the scheduler; nil if they are sent to the carrier itself.
  public let verb: String?

  static let toObject = "object.schedule"

  /// All subjects; our scheduler occurs with each of its queues, and once more with an object on the default queue.
  public static func all(of carriers: CarrierSupply) -> [BenchSubject] {
    carriers.kinds.flatMap { carrier in
      carrier == .scheduler ? ours : [BenchSubject(carrier: carrier, queue: nil, verb: nil)]
    }
  }

  /// Our scheduler, and the lower limit for queues of this kind.
  private static var ours: [BenchSubject] {
    let verbs = [(QueueKind.stack, nil), (.stack, toObject), (.swap, nil)]
    return verbs.map { BenchSubject(carrier: .scheduler, queue: "\($0)", verb: $1) } + [limit]
  }

  static let limit = BenchSubject(carrier: nil, queue: nil, verb: nil)

  var lane: Lane { Lane(name: "bench", carrier: carrier ?? .thread) }

  /// The name in its rows.
  public var name: String { HandOffMeasurement.name(of: carrier) }

  func start(_ carriers: CarrierSupply) throws(CarrierError) -> any Carrier {
    if carrier == nil { return try BareCarrier(lane) }
    guard let queue = QueueKind.allCases.first(where: { "\($0)" == queue }) else {
      return try carriers.start(lane)
    }
    let scheduler = try SchedulerCarrier(lane, queue: queue)
    return verb == Self.toObject ? ObjectCarrier(on: scheduler) : scheduler
  }

  /// Whether its events are so slow that fewer of them suffice.
  var isSlow: Bool {
    let slow: [CarrierKind] = [.operationQueue, .runLoop, .bridge, .process, .jobQueue]
    return carrier.map(slow.contains) ?? false
  }

  /// The longest time that an idle lane sleeps between two checks for events, if it is not woken.
  var polls: TimeSpan { carrier?.description.costs.pollInterval ?? .zero }

  /// Whether one thread runs all events without counting how often it is woken.
  var hasOneThread: Bool {
    let single: [CarrierKind] = [.thread, .naive, .runLoop, .nio, .bridge, .process]
    return carrier.map(single.contains) ?? true
  }
}
