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

/// The kind of a scheduler's queue. Kinds differ in speed, never in their guarantees.
public enum QueueKind: Sendable, CaseIterable {
  /// A lock-free stack with events and sleeping state in one word; the default.
  case stack
  /// A list under a mutex that the consumer swaps for an empty one.
  case swap
}

/// The content of an event. Not copyable, so that it runs or is refused exactly once.
enum EventPayload: ~Copyable {
  /// A plain closure.
  case run(() -> Void)
  /// An event for a scheduler's object.
  case send(SentEvent)
  /// A turn of the release of a scheduler's object, which must run even while the scheduler shuts down.
  case releaseObject(DeferredRelease)
  /// A job of a task whose actor lives on the scheduler; dropping it would hang that task for ever.
  case job(UnownedJob)
  /// An event that can be withdrawn, is delayed, or must be answered.
  case ticket(ScheduledEvent)
  /// A turn of a key; the newest event of the key is looked up when the turn comes.
  case keyed(KeyedTurn)
  /// The scheduler's own work: not counted, and not reported if it is refused.
  case chore(ScheduledEvent)
  /// Makes the consumer free the withdrawn delayed events.
  case sweep
}

/// The urgency of an event: of two queued events the one of higher priority runs first, whichever was sent first.
public enum EventPriority: UInt8, Sendable, Comparable, CaseIterable {
  /// Work that no user waits for.
  case background = 0
  /// The default.
  case normal = 1
  /// Work that a user waits for.
  case user = 2

  public static func < (left: EventPriority, right: EventPriority) -> Bool {
    left.rawValue < right.rawValue
  }

  /// This priority's bit in a set of priorities.
  var bit: UInt8 { 1 << rawValue }

  /// The bits of all priorities above this one.
  var bitsAbove: UInt8 { ~(bit | (bit &- 1)) & 0b111 }
}

/// The traits of an event, or of several together, that a queue and its consumer need without reading the payload.
struct EventTraits: OptionSet {
  let rawValue: UInt8

  static let background = EventTraits(rawValue: EventPriority.background.bit)
  static let normal = EventTraits(rawValue: EventPriority.normal.bit)
  static let user = EventTraits(rawValue: EventPriority.user.bit)
  /// It may not be due yet.
  static let delayed = EventTraits(rawValue: 0b01_000)
  /// Neither a shutdown nor a full queue may refuse it.
  static let mustRun = EventTraits(rawValue: 0b10_000)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ priority: EventPriority) { self.init(rawValue: priority.bit) }
}
