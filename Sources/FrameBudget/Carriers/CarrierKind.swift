/// The mechanism that carries events to a lane.
public enum CarrierKind: String, CaseIterable, Sendable {
  /// The frame loop; a plain thread; SchedulableObjects; its first sketch; a dispatch queue.
  case main, thread, scheduler, naive, dispatch
  /// Foundation's `OperationQueue`.
  case operationQueue = "operation-queue"
  /// Swift's actors on the default executor.
  case actor
  /// Swift's actors on a scheduler as executor.
  case actorOnScheduler = "actor-on-scheduler"
  /// A `RunLoop` of Foundation on a thread.
  case runLoop = "run-loop"
  /// SwiftNIO's event loop; OrderedDelivery's stages.
  case nio, ordered
  /// The library Jobs: each event is stored while it waits.
  case jobQueue = "job-queue"
  /// Encoded calls over a bridge within the process; calls to another process.
  case bridge, process

  /// What it promises and what it costs.
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
        order: .firstInFirstOut, canRenice: true,
        costs: HandOffCosts(
          post: .nanoseconds(150), wake: .microseconds(5), latency: .microseconds(3)))
    case .scheduler:
      CarrierDescription(
        name: rawValue, summary: "SchedulableObjects' thread scheduler",
        order: .firstInFirstOut, canOvertake: true, canRenice: true,
        costs: HandOffCosts(
          post: .nanoseconds(100), wake: .microseconds(5), latency: .microseconds(3)))
    case .naive:
      CarrierDescription(
        name: rawValue, summary: "the pattern's first sketch: a loop that looks every 0.1 s",
        order: .firstInFirstOut, niceValues: [0],
        costs: HandOffCosts(
          post: .nanoseconds(230), wake: .zero, latency: .zero, lookEvery: .milliseconds(100)))
    case .dispatch:
      CarrierDescription(
        name: rawValue, summary: "a DispatchQueue: serial, or a concurrent one within the width",
        order: .firstInFirstOut, canBeWide: true, niceValues: Self.serviceClasses,
        costs: HandOffCosts(
          post: .nanoseconds(250), wake: .microseconds(5), latency: .microseconds(3)))
    case .operationQueue:
      CarrierDescription(
        name: rawValue, summary: "Foundation's OperationQueue, so many operations at a time",
        order: .firstInFirstOut, canBeWide: true, niceValues: Self.serviceClasses,
        options: [.operations],
        costs: HandOffCosts(
          post: .microseconds(1), wake: .microseconds(5), latency: .microseconds(6),
          run: .microseconds(2)))
    case .actor:
      CarrierDescription(
        name: rawValue, summary: "an actor on the default executor, called from unstructured tasks",
        order: .none, niceValues: Self.serviceClasses,
        costs: HandOffCosts(
          post: .nanoseconds(600), wake: .microseconds(5), latency: .microseconds(8)))
    case .actorOnScheduler:
      CarrierDescription(
        name: rawValue, summary: "an actor whose executor is SchedulableObjects' scheduler",
        order: .none,
        costs: HandOffCosts(
          post: .nanoseconds(700), wake: .microseconds(5), latency: .microseconds(8)))
    case .runLoop:
      CarrierDescription(
        name: rawValue, summary: "Foundation's RunLoop, not woken on Linux: it looks every 0.1 s",
        order: .firstInFirstOut,
        costs: HandOffCosts(
          post: .microseconds(1), wake: .zero, latency: .zero, lookEvery: .milliseconds(100)))
    case .nio:
      CarrierDescription(
        name: rawValue, summary: "SwiftNIO's event loop", order: .firstInFirstOut,
        costs: HandOffCosts(
          post: .nanoseconds(300), wake: .microseconds(5), latency: .microseconds(4)))
    case .ordered:
      CarrierDescription(
        name: rawValue,
        summary: "OrderedDelivery: several threads, each workload's items one at a time",
        order: .perWorkload, canBeWide: true, niceValues: Self.serviceClasses,
        options: [.drain, .lock],
        costs: HandOffCosts(
          post: .nanoseconds(200), wake: .microseconds(5), latency: .microseconds(4)))
    case .jobQueue:
      CarrierDescription(
        name: rawValue, summary: "Jobs: each event is a job with parameters, kept until it is over",
        order: .firstInFirstOut, canBeWide: true, options: [.persister, .restore, .kept],
        costs: HandOffCosts(
          post: .microseconds(7), wake: .microseconds(5), latency: .microseconds(4),
          run: .microseconds(6)))
    case .bridge:
      CarrierDescription(
        name: rawValue,
        summary: "calls encoded as JSON, taken over at each flush, answered by callback number",
        order: .firstInFirstOut, options: [.flush],
        costs: HandOffCosts(
          post: .nanoseconds(4500), wake: .zero, latency: .zero,
          lookEvery: StrategyOptions().timeSpan(.flush),
          run: .microseconds(7)))
    case .process:
      CarrierDescription(
        name: rawValue,
        summary: "a child process answers each call over a socket; the work itself is done here",
        order: .firstInFirstOut,
        costs: HandOffCosts(
          post: .nanoseconds(4500), wake: .microseconds(5), latency: .microseconds(20),
          run: .microseconds(12)))
    }
  }

  /// The nice values that Dispatch gives its threads on Linux: background, utility, default, user-initiated.
  private static let serviceClasses = [10, 2, 0, -2]
}
