internal import CFrameBudgetLinux
internal import Dispatch
internal import Synchronization

/// The work of each event of `bench`, the same for every carrier: counts the event, and notes the time of the last one.
///
/// The closure captures only words. A counted reference, which senders and receiver would all write, would add to the cost of
/// every carrier, most to the fastest. So the counts are never freed: they are a few hundred times a hundred bytes in a
/// process, and the last event may still be returning after it has reported the end.
@safe
public struct EventTally: Sendable {
  private let counts = unsafe Unmanaged.passRetained(EventCounts())

  /// Restarts the count: the event that reaches `count` is the last. No event may be under way.
  func expect(_ count: Int) { unsafe counts._withUnsafeGuaranteedRef { $0.expect(count) } }

  /// The event numbered `number` runs.
  package func ran(_ number: Int) { unsafe counts._withUnsafeGuaranteedRef { $0.ran(number) } }

  /// Blocks until the last event has run, and returns when that was.
  func wait() -> Int64 { unsafe counts._withUnsafeGuaranteedRef { $0.wait() } }

  /// Like `wait`, but spins for up to `spinTime` before it sleeps: a sleeping thread may have to be woken by the processor that
  /// runs the event.
  func waitSpinning(for spinTime: Int64) -> Int64 {
    unsafe counts._withUnsafeGuaranteedRef { $0.waitSpinning(for: spinTime) }
  }

  /// The sum of the numbers of the events that ran; it shows whether each ran once.
  var sumOfNumbers: Int { unsafe counts._withUnsafeGuaranteedRef { $0.sumOfNumbers } }
}

/// Every carrier promises that events run one at a time, and that each sees the writes of the one before. So a load and a store
/// suffice, and counting costs no more than in a plain variable.
private final class EventCounts: Sendable {
  private let count = Atomic(0)
  private let sum = Atomic(0)
  private let awaited = Atomic(Int.max)
  private let endedAt = Atomic<Int64>(0)
  private let ended = DispatchSemaphore(value: 0)

  func expect(_ count: Int) {
    self.count.store(0, ordering: .relaxed)
    sum.store(0, ordering: .relaxed)
    endedAt.store(0, ordering: .relaxed)
    awaited.store(count, ordering: .releasing)
  }

  func ran(_ number: Int) {
    let now = count.load(ordering: .relaxed) + 1
    count.store(now, ordering: .relaxed)
    sum.store(sum.load(ordering: .relaxed) + number, ordering: .relaxed)
    if now == awaited.load(ordering: .relaxed) { end() }
  }

  private func end() {
    endedAt.store(clinux_monotonic(), ordering: .releasing)
    ended.signal()
  }

  func wait() -> Int64 {
    ended.wait()
    return endedAt.load(ordering: .acquiring)
  }

  func waitSpinning(for spinTime: Int64) -> Int64 {
    let limit = clinux_monotonic() + spinTime
    while endedAt.load(ordering: .acquiring) == 0, clinux_monotonic() < limit {}
    return wait()
  }

  var sumOfNumbers: Int { sum.load(ordering: .acquiring) }
}
