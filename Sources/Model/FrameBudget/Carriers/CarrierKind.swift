/// The mechanism that carries events to a lane.
public enum CarrierKind: String, CaseIterable, Sendable {
  /// The frame loop.
  case main
  /// A plain thread.
  case thread
  /// A scheduler of SchedulableObjects.
  case scheduler
  /// The first sketch of that scheduler.
  case naive
  /// A dispatch queue.
  case dispatch
  /// Foundation's `OperationQueue`.
  case operationQueue = "operation-queue"
  /// Swift's actors on the default executor.
  case actor
  /// Swift's actors on a scheduler as executor.
  case actorOnScheduler = "actor-on-scheduler"
  /// A `RunLoop` of Foundation on a thread.
  case runLoop = "run-loop"
  /// SwiftNIO's event loop.
  case nio
  /// OrderedDelivery's stages.
  case ordered
  /// The library Jobs: each event is stored while it waits.
  case jobQueue = "job-queue"
  /// Encoded calls over a bridge within the process.
  case bridge
  /// Calls to another process.
  case process

  /// Names that people, systems and our strategies use for some of them.
  package static let otherNames: [String: CarrierKind] = [
    "gcd": .dispatch, "gcd-serial": .dispatch, "gcd-concurrent": .dispatch,
    "libdispatch": .dispatch, "dispatch-queue": .dispatch, "dispatchqueue": .dispatch,
    "operationqueue": .operationQueue, "operations": .operationQueue, "runloop": .runLoop,
    "event-loop": .nio, "eventloop": .nio, "swift-nio": .nio, "pthread": .thread,
    "main-thread": .main, "jobs": .jobQueue, "xpc": .process, "schedulable": .scheduler,
  ]

  /// Its guarantees and costs.
  public var description: CarrierDescription {
    switch self {
    case .main: .main
    case .thread: .thread
    case .scheduler: .scheduler
    case .naive: .naive
    case .dispatch: .dispatch
    case .operationQueue: .operationQueue
    case .actor: .actor
    case .actorOnScheduler: .actorOnScheduler
    case .runLoop: .runLoop
    case .nio: .nio
    case .ordered: .ordered
    case .jobQueue: .jobQueue
    case .bridge: .bridge
    case .process: .process
    }
  }
}

/// The guarantees and costs of a carrier.
public struct CarrierDescription: Hashable, Sendable {
  /// The name in files.
  public let name: String
  /// One line.
  public let summary: String
  /// The guaranteed order of events.
  public let order: Order
  /// Whether an event with a priority can overtake queued ones.
  public let canOvertake: Bool
  /// Whether several threads can serve a lane.
  public let canBeWide: Bool
  /// The nice values that its thread can have; nil for any.
  public let niceValues: [Int]?
  /// Whether the nice value of its thread can change during the run.
  public let canRenice: Bool
  /// Whether its thread can be kept on some of the cores, which requires a thread of its own.
  public let canChooseCores: Bool
  /// The options of its lanes.
  public let options: [StrategyOption]
  /// The assumptions of the virtual engine: orders of magnitude, as measured on a machine with two cores.
  public let costs: HandOffCosts

  /// Creates a description; by default the carrier cannot do something, or it costs nothing.
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
    /// If one thread serves the lane; with several there is no order.
    case firstInFirstOut = "first in, first out"
    /// Items of one workload run one after another, on any number of threads.
    case perWorkload = "first in, first out within a workload"
    /// In any order.
    case none
  }
}

// The guarantees and costs of each carrier, with costs as measured on a machine with two cores.
extension CarrierDescription {
  /// The nice values of Dispatch's threads on Linux: background, utility, default, user-initiated.
  private static let serviceClasses = [10, 2, 0, -2]

  static let main = CarrierDescription(
    name: CarrierKind.main.rawValue,
    summary: "the process's main thread: the frame loop runs posted events",
    order: .firstInFirstOut,
    costs: HandOffCosts(post: .nanoseconds(150), wake: .zero, latency: .zero))

  static let thread = CarrierDescription(
    name: CarrierKind.thread.rawValue,
    summary: "a plain thread that takes items from a queue under a lock",
    order: .firstInFirstOut, canRenice: true, canChooseCores: true,
    costs: HandOffCosts(
      post: .nanoseconds(150), wake: .microseconds(5), latency: .microseconds(3)))

  static let scheduler = CarrierDescription(
    name: CarrierKind.scheduler.rawValue, summary: "SchedulableObjects' thread scheduler",
    order: .firstInFirstOut, canOvertake: true, canRenice: true, canChooseCores: true,
    costs: HandOffCosts(
      post: .nanoseconds(100), wake: .microseconds(5), latency: .microseconds(3)))

  static let naive = CarrierDescription(
    name: CarrierKind.naive.rawValue,
    summary: "the pattern's first sketch: a loop that polls every 0.1 s",
    order: .firstInFirstOut, niceValues: [0],
    costs: HandOffCosts(
      post: .nanoseconds(230), wake: .zero, latency: .zero, pollInterval: .milliseconds(100)))

  static let dispatch = CarrierDescription(
    name: CarrierKind.dispatch.rawValue,
    summary: "a DispatchQueue: serial, or a concurrent one within the width",
    order: .firstInFirstOut, canBeWide: true, niceValues: serviceClasses,
    costs: HandOffCosts(
      post: .nanoseconds(250), wake: .microseconds(5), latency: .microseconds(3)))

  static let operationQueue = CarrierDescription(
    name: CarrierKind.operationQueue.rawValue,
    summary: "Foundation's OperationQueue, as many operations at a time as its width",
    order: .firstInFirstOut, canBeWide: true, niceValues: serviceClasses,
    options: [.operations],
    costs: HandOffCosts(
      post: .microseconds(1), wake: .microseconds(5), latency: .microseconds(6),
      run: .microseconds(2)))

  static let actor = CarrierDescription(
    name: CarrierKind.actor.rawValue,
    summary: "an actor on the default executor, called from unstructured tasks",
    order: .none, niceValues: serviceClasses,
    costs: HandOffCosts(
      post: .nanoseconds(600), wake: .microseconds(5), latency: .microseconds(8)))

  static let actorOnScheduler = CarrierDescription(
    name: CarrierKind.actorOnScheduler.rawValue,
    summary: "an actor whose executor is SchedulableObjects' scheduler",
    order: .none, canChooseCores: true,
    costs: HandOffCosts(
      post: .nanoseconds(700), wake: .microseconds(5), latency: .microseconds(8)))

  static let runLoop = CarrierDescription(
    name: CarrierKind.runLoop.rawValue,
    summary: "Foundation's RunLoop, not woken on Linux: it polls every 0.1 s",
    order: .firstInFirstOut, canChooseCores: true,
    costs: HandOffCosts(
      post: .microseconds(1), wake: .zero, latency: .zero, pollInterval: .milliseconds(100)))

  static let nio = CarrierDescription(
    name: CarrierKind.nio.rawValue, summary: "SwiftNIO's event loop", order: .firstInFirstOut,
    costs: HandOffCosts(
      post: .nanoseconds(300), wake: .microseconds(5), latency: .microseconds(4)))

  static let ordered = CarrierDescription(
    name: CarrierKind.ordered.rawValue,
    summary: "OrderedDelivery: several threads, each workload's items one at a time",
    order: .perWorkload, canBeWide: true, niceValues: serviceClasses,
    options: [.drain, .lock],
    costs: HandOffCosts(
      post: .nanoseconds(200), wake: .microseconds(5), latency: .microseconds(4)))

  static let jobQueue = CarrierDescription(
    name: CarrierKind.jobQueue.rawValue,
    summary: "Jobs: each event is a job with parameters, stored until it ends",
    order: .firstInFirstOut, canBeWide: true, options: [.persister, .restore, .kept],
    costs: HandOffCosts(
      post: .microseconds(7), wake: .microseconds(5), latency: .microseconds(4),
      run: .microseconds(6)))

  static let bridge = CarrierDescription(
    name: CarrierKind.bridge.rawValue,
    summary: "calls encoded as JSON, sent at each flush, answered by callback number",
    order: .firstInFirstOut, canChooseCores: true, options: [.flush],
    costs: HandOffCosts(
      post: .nanoseconds(4500), wake: .zero, latency: .zero,
      pollInterval: StrategyOptions().timeSpan(.flush),
      run: .microseconds(7)))

  static let process = CarrierDescription(
    name: CarrierKind.process.rawValue,
    summary: "a child process answers each call over a socket; the work itself is done here",
    order: .firstInFirstOut, canChooseCores: true,
    costs: HandOffCosts(
      post: .nanoseconds(4500), wake: .microseconds(5), latency: .microseconds(20),
      run: .microseconds(12)))
}
