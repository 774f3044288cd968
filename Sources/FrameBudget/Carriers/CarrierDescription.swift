/// What a carrier is, what it promises and what it costs.
public struct CarrierDescription: Hashable, Sendable {
  /// As files name it.
  public let name: String
  /// In a line.
  public let summary: String
  /// What it promises of the order of events.
  public let order: Order
  /// Whether an event with a priority can overtake queued ones.
  public let canOvertake: Bool
  /// Whether several threads can serve a lane.
  public let canBeWide: Bool
  /// The nice values that its thread can have; nil for any.
  public let niceValues: [Int]?
  /// Whether its thread can be given another one while it runs.
  public let canRenice: Bool
  /// Whether its thread can be kept on some of the cores: only where that is its own from begin to end.
  public let canChooseCores: Bool
  /// What its lanes can choose.
  public let options: [StrategyOption]
  /// What the virtual engine assumes: orders of magnitude, as measured on a machine with two cores.
  public let costs: HandOffCosts

  /// A description; what is left out, the carrier cannot do, or costs nothing.
  public init(
    name: String, summary: String, order: Order, canOvertake: Bool = false,
    canBeWide: Bool = false, niceValues: [Int]? = nil, canRenice: Bool = false,
    canChooseCores: Bool = false, options: [StrategyOption] = [],
    costs: HandOffCosts = .none
  ) {
    self.name = name
    self.summary = summary
    self.order = order
    self.canOvertake = canOvertake
    self.canBeWide = canBeWide
    self.niceValues = niceValues
    self.canRenice = canRenice
    self.canChooseCores = canChooseCores
    self.options = options
    self.costs = costs
  }

  /// The order in which events of one sender and one priority run.
  public enum Order: String, Sendable {
    /// Where one thread serves the lane; none where several do.
    case firstInFirstOut = "first in, first out"
    /// However many threads there are, items of one workload run one after another.
    case perWorkload = "first in, first out within a workload"
    /// In any order.
    case none
  }
}
