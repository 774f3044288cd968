internal import SchedulableThreads
internal import Synchronization

/// Takes events from any thread and passes them to one consumer.
///
/// A queue also records whether its consumer sleeps and whether it is closed. These must change together with the events, or
/// an event could be lost: the thread that clears the sleeping mark has to wake the consumer.
protocol EventQueue: AnyObject, Sendable {
  /// Adds an event, or refuses it if the queue is closed or full. From any thread.
  func push(_ node: EventNode) -> PushOutcome

  /// Starts to refuse every refusable event. From any thread. Returns true if the consumer must be woken.
  func close() -> Bool

  /// Takes the queued events, oldest first. Consumer only.
  func take() -> EventBatch

  /// Marks the consumer as sleeping, unless the queue has an event or is closed. Consumer only.
  ///
  /// With `evenIfClosed` a closed queue does not prevent it until the end: for consumers that somebody else ends.
  func park(evenIfClosed: Bool) -> Bool

  /// Clears the sleeping mark, if it is still set. Consumer only.
  func unpark()

  /// Starts to refuse everything, unless the queue has an event. Consumer only, after `close`. Returns whether the queue
  /// refuses everything.
  func end() -> Bool

  /// Whether `close` was called. From any thread.
  var isClosed: Bool { get }
}

extension EventQueue {
  func park() -> Bool { park(evenIfClosed: false) }
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
  /// A job of a task whose actor lives on the scheduler; without it, that task would never continue.
  case job(UnownedJob)
  /// An event that can be withdrawn or is delayed.
  case ticket(ScheduledEvent)
  /// An event that a task waits for.
  case call(PendingCall)
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

/// The default queue: one atomic word is both the queue and the consumer's sleeping state.
///
/// The word holds the newest node's address (each node holds the next older one's) and three marks in the low bits. A
/// producer replaces the whole word by compare-and-swap; if that cleared `parked`, it wakes the consumer. The consumer
/// takes all events by one exchange, and parks by compare-and-swap, which fails if anything arrived. With a second variable
/// for the sleeping state, a wake-up could be lost between the two accesses.
final class StackQueue: EventQueue {
  private static let parked: UInt = 1
  private static let closed: UInt = 2
  private static let ended: UInt = 4
  private static let marks: UInt = 7

  private let word = Atomic<UInt>(0)

  // Acquiring: who sees the mark sees how long the events may run, and behind the closing bit of `PreemptionFlags` this one.
  var isClosed: Bool { word.load(ordering: .acquiring) & Self.closed != 0 }

  func push(_ node: EventNode) -> PushOutcome {
    // Acquiring: after the end the caller may release an object that the consumer has used.
    var old = word.load(ordering: .acquiring)
    while true {
      if old & (Self.closed | Self.ended) != 0,
        old & Self.ended != 0 || !node.traits.contains(.mustRun)
      {
        return .refused(node, .shutDown)
      }
      node.next = old & ~Self.marks
      // Sequentially consistent, because the pusher then reads `PreemptionFlags`, which the consumer clears first.
      let outcome = word.weakCompareExchange(
        expected: old, desired: node.bits | (old & Self.closed),
        ordering: .sequentiallyConsistent)
      if outcome.exchanged {
        return old & Self.parked != 0 ? .queuedForSleeper : .queued
      }
      old = outcome.original
    }
  }

  func close() -> Bool {
    var old = word.load(ordering: .relaxed)
    while true {
      let outcome = word.weakCompareExchange(
        expected: old, desired: (old | Self.closed) & ~Self.parked,
        ordering: .acquiringAndReleasing)
      if outcome.exchanged { return old & Self.parked != 0 }
      old = outcome.original
    }
  }

  func take() -> EventBatch {
    // Sequentially consistent like the exchange: an earlier reading could miss an event whose pusher has not yet seen that the
    // consumer cleared `PreemptionFlags`.
    if word.load(ordering: .sequentiallyConsistent) & ~Self.marks == 0 { return EventBatch() }
    let old = word.bitwiseAnd(Self.marks, ordering: .sequentiallyConsistent).oldValue
    var batch = EventBatch()
    var newest = old & ~Self.marks
    while let node = EventNode(bits: newest) {
      newest = node.next
      batch.prepend(node)
    }
    return batch
  }

  func park(evenIfClosed: Bool) -> Bool {
    let outcome = word.compareExchange(
      expected: 0, desired: Self.parked, ordering: .acquiringAndReleasing)
    if outcome.exchanged || !evenIfClosed { return outcome.exchanged }
    return word.compareExchange(
      expected: Self.closed, desired: Self.closed | Self.parked, ordering: .acquiringAndReleasing
    ).exchanged
  }

  func unpark() { word.bitwiseAnd(~Self.parked, ordering: .acquiringAndReleasing) }

  func end() -> Bool {
    let over = Self.closed | Self.ended
    let outcome = word.compareExchange(
      expected: Self.closed, desired: over, ordering: .acquiringAndReleasing)
    return outcome.exchanged || outcome.original == over
  }
}

/// The simple queue: a list under a mutex, which the consumer swaps for an empty one.
///
/// It is the usual first design and obviously correct, so it is the reference for the default queue.
final class SwapQueue: EventQueue {
  private struct State {
    var batch = EventBatch()
    var isParked = false
    var isClosed = false
    var hasEnded = false
  }

  private let state = Locked(State())

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func push(_ node: EventNode) -> PushOutcome {
    state.withLock { state in
      if state.isClosed, state.hasEnded || !node.traits.contains(.mustRun) {
        return .refused(node, .shutDown)
      }
      state.batch.append(node)
      let slept = state.isParked
      state.isParked = false
      return slept ? .queuedForSleeper : .queued
    }
  }

  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      let slept = state.isParked
      state.isParked = false
      return slept
    }
  }

  func take() -> EventBatch {
    state.withLock { state in
      let batch = state.batch
      state.batch = EventBatch()
      return batch
    }
  }

  func park(evenIfClosed: Bool) -> Bool {
    state.withLock { state in
      let isOver = state.isClosed && !evenIfClosed || state.hasEnded
      state.isParked = state.batch.events.isEmpty && !isOver
      return state.isParked
    }
  }

  func unpark() { state.withLock { $0.isParked = false } }

  func end() -> Bool {
    state.withLock { state in
      state.hasEnded = state.batch.events.isEmpty
      return state.hasEnded
    }
  }
}

/// A queue that holds a limited number of events and refuses one beyond the limit.
///
/// Evicting the oldest event requires access to it, which the lock-free stack does not offer. So this queue has a list for
/// each priority under a mutex, and hands out one event at a time.
final class BoundedQueue: EventQueue {
  private struct State {
    var waiting = ReadyEvents()
    var overtaking = Overtaking()
    var delayed = EventBatch()
    var isParked = false
    var isClosed = false
    var hasEnded = false

    var isEmpty: Bool { waiting.count == 0 && delayed.events.isEmpty }
  }

  private let limit: Int
  private let overflow: Capacity.Overflow
  private let state = Locked(State())

  init(limit: Int, overflow: Capacity.Overflow) {
    require(limit > 0, "a queue needs room for at least one event, not \(limit)")
    self.limit = limit
    self.overflow = overflow
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func push(_ node: EventNode) -> PushOutcome {
    state.withLock { state in
      if state.isClosed, state.hasEnded || !node.traits.contains(.mustRun) {
        return .refused(node, .shutDown)
      }
      if node.traits.contains(.delayed) {
        state.delayed.append(node)
      } else if state.waiting.count < limit || node.traits.contains(.mustRun) {
        state.waiting.append(node)
      } else if overflow == .dropOldest,
        let oldest = state.waiting.removeOldest(upTo: node.priority)
      {
        state.waiting.append(node)
        return .evicted(oldest)
      } else {
        return .refused(node, .full)
      }
      return wakeIfParked(&state)
    }
  }

  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      if case .queuedForSleeper = wakeIfParked(&state) { return true }
      return false
    }
  }

  func take() -> EventBatch {
    state.withLock { state in
      var batch = state.delayed
      state.delayed = EventBatch()
      if let node = state.waiting.popFirst(&state.overtaking) { batch.append(node) }
      batch.leftBehind = state.waiting.count
      return batch
    }
  }

  func park(evenIfClosed: Bool) -> Bool {
    state.withLock { state in
      let isOver = state.isClosed && !evenIfClosed || state.hasEnded
      state.isParked = state.isEmpty && !isOver
      return state.isParked
    }
  }

  func unpark() { state.withLock { $0.isParked = false } }

  func end() -> Bool {
    state.withLock { state in
      state.hasEnded = state.isEmpty
      return state.hasEnded
    }
  }

  private func wakeIfParked(_ state: inout State) -> PushOutcome {
    defer { state.isParked = false }
    return state.isParked ? .queuedForSleeper : .queued
  }
}

/// The number of events that may wait, and what happens beyond it. The sender is never blocked.
///
/// Tasks can limit themselves: ``SchedulableObject/call(priority:_:)`` returns once its event has run, so a task that awaits
/// each call has one event in flight, and a task group one for each of its tasks.
public enum Capacity: Sendable, Equatable {
  /// No limit. Above the high-water mark the scheduler reports a backlog.
  case unbounded(highWater: Int? = nil)
  /// At most this many events; `whenFull` decides which event is refused. Such a queue takes a lock for each event.
  case bounded(Int, whenFull: Overflow)

  /// Which event a full queue refuses.
  public enum Overflow: Sendable, Equatable {
    /// The new event.
    case dropNewest
    /// The oldest waiting event of the lowest priority, unless the new event has a still lower priority.
    case dropOldest
  }
}
