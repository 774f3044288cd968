internal import Concurrency
internal import Synchronization

/// What a loop calls "now", in nanoseconds: the machine's time, or one that a test sets.
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

/// A time that stands still until somebody moves it.
final class ManualTime: Sendable {
  private let nanoseconds = Atomic<Int64>(0)

  var now: Int64 { nanoseconds.load(ordering: .acquiring) }

  func set(_ now: Int64) { nanoseconds.store(now, ordering: .releasing) }
}

extension Duration {
  /// The duration in whole nanoseconds, at most the 292 years that fit into 64 bits.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingWithoutWrap(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// The sum, or the nearest number that fits.
  func addingWithoutWrap(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
