/// Takes events from any thread and gives them to one.
///
/// A queue also knows whether its consumer sleeps and whether it is closed, because only together with the events
/// these can be decided without losing one: whoever takes the sleeping mark away has to wake the consumer.
protocol EventQueue: AnyObject, Sendable {
  /// Adds an event, unless the queue is closed or full. From any thread.
  func push(_ node: EventNode) -> PushOutcome

  /// Refuses every refusable event from now on. From any thread; true if the consumer must be woken.
  func close() -> Bool

  /// Takes the events that are there, oldest first. Consumer only.
  func take() -> EventBatch

  /// Marks the consumer as sleeping, unless an event is there or the queue is closed. Consumer only.
  func park() -> Bool

  /// Takes back the sleeping mark, if nobody else did. Consumer only.
  func unpark()

  /// Refuses everything from now on, unless an event is there. Consumer only, after `close`; true also if it was so.
  func end() -> Bool

  /// Whether `close` was called. From any thread.
  var isClosed: Bool { get }
}

/// What became of a pushed event.
enum PushOutcome {
  case queued
  /// Queued, and the pusher must wake the consumer.
  case queuedForSleeper
  case refused(EventNode, Refusal.Reason)
  /// Queued, but an older event had to go.
  case evicted(EventNode)
}

/// Events in the order they were pushed, with what the consumer wants to know before it looks at each.
struct EventBatch {
  private(set) var events = EventChain()
  private var traits: EventTraits = []

  /// How many events the queue kept, because it hands out one at a time.
  var leftBehind = 0

  /// The priority of all of them, if they have the same one and none is delayed.
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

/// The queue that a scheduler with these options has.
func makeQueue(_ options: SchedulerOptions) -> any EventQueue {
  if case .bounded(let limit, let overflow) = options.capacity {
    return BoundedQueue(limit: limit, overflow: overflow)
  }
  switch options.queue {
  case .stack: return StackQueue()
  case .swap: return SwapQueue()
  }
}
