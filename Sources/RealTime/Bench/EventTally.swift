internal import CLinux
internal import Dispatch
internal import Synchronization

/// What every event of `bench` does, whatever carries it: it counts itself, and the last one notes the time.
///
/// Events run one at a time, each seeing what the one before wrote, because that is what every carrier promises; so a
/// load and a store do, and counting costs no more than in a plain variable.
public final class EventTally: Sendable {
  private let count = Atomic(0)
  private let sum = Atomic(0)
  private let awaited = Atomic(Int.max)
  private let endedAt = Atomic<Int64>(0)
  private let ended = DispatchSemaphore(value: 0)

  /// Begins anew: the event that makes it `count` is the last. While no event is under way.
  func expect(_ count: Int) {
    self.count.store(0, ordering: .relaxed)
    sum.store(0, ordering: .relaxed)
    endedAt.store(0, ordering: .relaxed)
    awaited.store(count, ordering: .releasing)
  }

  /// The event numbered `number` runs.
  package func ran(_ number: Int) {
    let now = count.load(ordering: .relaxed) + 1
    count.store(now, ordering: .relaxed)
    sum.store(sum.load(ordering: .relaxed) + number, ordering: .relaxed)
    if now == awaited.load(ordering: .relaxed) { end() }
  }

  private func end() {
    endedAt.store(clinux_monotonic(), ordering: .releasing)
    ended.signal()
  }

  /// Blocks until the last event has run, and returns when that was.
  func wait() -> Int64 {
    ended.wait()
    return endedAt.load(ordering: .acquiring)
  }

  /// The same without sleeping as long as that takes less than `patience`: who sleeps may have to be woken by the
  /// very processor that the event runs on.
  func waitSpinning(for patience: Int64) -> Int64 {
    let limit = clinux_monotonic() + patience
    while endedAt.load(ordering: .acquiring) == 0, clinux_monotonic() < limit {}
    return wait()
  }

  /// The sum of the numbers of the events that ran: tells whether each ran once.
  var sumOfNumbers: Int { sum.load(ordering: .acquiring) }
}
