/// The mechanism that carries events to a lane.
public enum CarrierKind: String, CaseIterable, Sendable {
  case main, thread, scheduler

  public var description: CarrierDescription {
    switch self {
    case .main:
      CarrierDescription(
        name: rawValue, summary: "the process's main thread: the frame loop runs what is posted",
        order: .firstInFirstOut,
        costs: HandOffCosts(post: .nanoseconds(150), wake: .zero, latency: .zero))
    case .thread:
      CarrierDescription(
        name: rawValue, summary: "a plain thread that takes items from a queue under a lock",
        order: .firstInFirstOut,
        costs: HandOffCosts(
          post: .nanoseconds(150), wake: .microseconds(5), latency: .microseconds(3)))
    case .scheduler:
      CarrierDescription(
        name: rawValue, summary: "SchedulableObjects' thread scheduler",
        order: .firstInFirstOut, canOvertake: true,
        costs: HandOffCosts(
          post: .nanoseconds(100), wake: .microseconds(5), latency: .microseconds(3)))
    }
  }
}

/// What a carrier is, what it promises and what it costs.
public struct CarrierDescription: Hashable, Sendable {
  public let name: String
  public let summary: String
  public let order: Order
  /// Whether an event with a priority can overtake queued ones.
  public let canOvertake: Bool
  /// What the virtual engine assumes: orders of magnitude, as measured on a machine with two cores.
  public let costs: HandOffCosts

  public init(
    name: String, summary: String, order: Order, canOvertake: Bool = false,
    costs: HandOffCosts = .none
  ) {
    self.name = name
    self.summary = summary
    self.order = order
    self.canOvertake = canOvertake
    self.costs = costs
  }

  /// The order in which events of one sender and one priority run.
  public enum Order: String, Sendable {
    case firstInFirstOut = "first in, first out"
    case none
  }
}
