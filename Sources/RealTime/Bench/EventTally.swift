internal import CLinux
internal import Dispatch
internal import Synchronization

/// What every event of `bench` does, whatever carries it: it counts itself, and the last one notes the time.
///
/// It costs an event nothing but its words: a counted reference, which senders and receiver would all write, would be
/// measured with every carrier, and most with the quickest. So the counts are not freed: of a bench they are some
/// hundred times a hundred bytes, and an event that has told of the end may still be on its way back.
@safe
public struct EventTally: Sendable {
  private let counts = unsafe Unmanaged.passRetained(EventCounts())

  /// Begins anew: the event that makes it `count` is the last. While no event is under way.
  func expect(_ count: Int) { unsafe counts._withUnsafeGuaranteedRef { $0.expect(count) } }

  /// The event numbered `number` runs.
  package func ran(_ number: Int) { unsafe counts._withUnsafeGuaranteedRef { $0.ran(number) } }

  /// Blocks until the last event has run, and returns when that was.
  func wait() -> Int64 { unsafe counts._withUnsafeGuaranteedRef { $0.wait() } }

  /// The same without sleeping as long as that takes less than `patience`: who sleeps may have to be woken by the
  /// very processor that the event runs on.
  func waitSpinning(for patience: Int64) -> Int64 {
    unsafe counts._withUnsafeGuaranteedRef { $0.waitSpinning(for: patience) }
  }

  /// The sum of the numbers of the events that ran: tells whether each ran once.
  var sumOfNumbers: Int { unsafe counts._withUnsafeGuaranteedRef { $0.sumOfNumbers } }
}

/// Events run one at a time, each seeing what the one before wrote, because that is what every carrier promises; so a
/// load and a store do, and counting costs no more than in a plain variable.
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

  func waitSpinning(for patience: Int64) -> Int64 {
    let limit = clinux_monotonic() + patience
    while endedAt.load(ordering: .acquiring) == 0, clinux_monotonic() < limit {}
    return wait()
  }

  var sumOfNumbers: Int { sum.load(ordering: .acquiring) }
}
