internal import Synchronization

/// The counters of one loop.
///
/// The consumer is the only writer of its counters, so a plain load and store is enough; only rare events need an atomic
/// addition.
final class LoopCounters: Sendable {
  private let events = Atomic(0)
  private let batches = Atomic(0)
  private let deepest = Atomic(0)
  private let waitingTotal = Atomic<Int64>(0)
  private let waitingLongest = Atomic<Int64>(0)
  private let wakeUps = Atomic(0)
  private let refused = Atomic(0)
  private let coalesced = Atomic(0)

  /// Consumer only.
  func eventRan() {
    events.store(events.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  /// Consumer only.
  func batchTaken(waiting: Int) {
    batches.store(batches.load(ordering: .relaxed) + 1, ordering: .relaxed)
    if waiting > deepest.load(ordering: .relaxed) { deepest.store(waiting, ordering: .relaxed) }
  }

  /// Consumer only.
  func eventWaited(nanoseconds: Int64) {
    let total = waitingTotal.load(ordering: .relaxed) + nanoseconds
    waitingTotal.store(total, ordering: .relaxed)
    if nanoseconds > waitingLongest.load(ordering: .relaxed) {
      waitingLongest.store(nanoseconds, ordering: .relaxed)
    }
  }

  func threadWoken() { wakeUps.add(1, ordering: .relaxed) }

  func eventRefused() { refused.add(1, ordering: .relaxed) }

  func eventCoalesced() { coalesced.add(1, ordering: .relaxed) }

  var snapshot: SchedulerCounters {
    SchedulerCounters(
      events: events.load(ordering: .relaxed),
      batches: batches.load(ordering: .relaxed),
      wakeUps: wakeUps.load(ordering: .relaxed),
      deepest: deepest.load(ordering: .relaxed),
      refused: refused.load(ordering: .relaxed),
      coalesced: coalesced.load(ordering: .relaxed),
      waitingTotal: .nanoseconds(waitingTotal.load(ordering: .relaxed)),
      waitingLongest: .nanoseconds(waitingLongest.load(ordering: .relaxed)))
  }
}

/// Counters of a scheduler since its creation. Readable at any time, from any thread.
public struct SchedulerCounters: Sendable, Equatable {
  /// Events that ran.
  public var events = 0
  /// Batches: how often the consumer found events after it had none.
  public var batches = 0
  /// How often a sleeping thread was woken.
  public var wakeUps = 0
  /// The largest number of waiting events, counted whenever a batch is taken.
  public var deepest = 0
  /// Events that will never run.
  public var refused = 0
  /// Events that replaced a queued one with the same key.
  public var coalesced = 0
  /// The total waiting time of events; zero unless the scheduler measures it.
  public var waitingTotal = Duration.zero
  /// The longest waiting time of an event; zero unless the scheduler measures it.
  public var waitingLongest = Duration.zero
}
