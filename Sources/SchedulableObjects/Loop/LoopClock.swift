internal import Concurrency
internal import Synchronization

/// The clock of a loop, in nanoseconds: the machine's, or one that a test sets.
enum LoopClock: Sendable {
  case machine
  case manual(ManualTime)

  func now() -> Int64 {
    switch self {
    case .machine: Platform.now()
    case .manual(let time): time.now
    }
  }
}

/// A clock that moves only when a test sets it.
final class ManualTime: Sendable {
  private let nanoseconds = Atomic<Int64>(0)

  var now: Int64 { nanoseconds.load(ordering: .acquiring) }

  func set(_ now: Int64) { nanoseconds.store(now, ordering: .releasing) }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to the 292 years that fit into 64 bits.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingWithoutWrap(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// The sum, clamped to the type's range.
  func addingWithoutWrap(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
