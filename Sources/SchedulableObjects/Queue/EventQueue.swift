/// Takes events from any thread and passes them to one consumer.
///
/// A queue also records whether its consumer sleeps and whether it is closed. These must change together with the events, or
/// an event could be lost: the thread that clears the sleeping mark has to wake the consumer.
protocol EventQueue: AnyObject, Sendable {
  /// Adds an event, or refuses it if the queue is closed or full. From any thread.
  func push(_ node: EventNode) -> PushOutcome

  /// Refuses every refusable event from now on. From any thread. Returns true if the consumer must be woken.
  func close() -> Bool

  /// Takes the queued events, oldest first. Consumer only.
  func take() -> EventBatch

  /// Marks the consumer as sleeping, unless the queue has an event or is closed. Consumer only.
  func park() -> Bool

  /// Clears the sleeping mark, if it is still set. Consumer only.
  func unpark()

  /// Refuses everything from now on, unless the queue has an event. Consumer only, after `close`. Returns whether the queue
  /// refuses everything.
  func end() -> Bool

  /// Whether `close` was called. From any thread.
  var isClosed: Bool { get }
}

/// The outcome of a push.
enum PushOutcome {
  case queued
  /// Queued, and the pusher must wake the consumer.
  case queuedForSleeper
  case refused(EventNode, Refusal.Reason)
  /// Queued, and an older event was evicted.
  case evicted(EventNode)
}

/// Events in the order they were pushed, with facts that the consumer needs before it visits each.
struct EventBatch {
  private(set) var events = EventChain()
  private var traits: EventTraits = []

  /// The number of events left in the queue, because it hands out one at a time.
  var leftBehind = 0

  /// The priority of all events, if it is the same and none is delayed.
  var onlyPriority: EventPriority? {
    switch traits.subtracting(.mustRun) {
    case .normal: .normal
    case .user: .user
    case .background: .background
    default: nil
    }
  }

  mutating func append(_ node: EventNode) {
    events.append(node)
    traits.formUnion(node.traits)
  }

  mutating func prepend(_ node: EventNode) {
    events.prepend(node)
    traits.formUnion(node.traits)
  }
}

/// Creates the queue for these options.
func makeQueue(_ options: SchedulerOptions) -> any EventQueue {
  if case .bounded(let limit, let overflow) = options.capacity {
    return BoundedQueue(limit: limit, overflow: overflow)
  }
  switch options.queue {
  case .stack: return StackQueue()
  case .swap: return SwapQueue()
  }
}
