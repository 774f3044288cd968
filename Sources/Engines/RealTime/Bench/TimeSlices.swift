internal import CFrameBudgetLinux
internal import FrameBudget

/// The time slices of threads on one core, computed from the times at which each of them ran.
struct TimeSlices {
  /// The length of each time slice of any thread, without interruptions by other processes or idle time. The first and the last
  /// one are left out because they are cut off.
  private(set) var slices: [Int64] = []
  /// From the end of a time slice to the start of the next.
  private(set) var switches: [Int64] = []

  /// - Parameter threads: for each thread, the spans in which it ran without a gap.
  init(of threads: [[Range<Int64>]]) {
    let spans = threads.enumerated().flatMap { thread, spans in spans.map { (thread, $0) } }
      .sorted { $0.1.lowerBound < $1.1.lowerBound }
    guard let first = spans.first else { return }
    var (thread, ran, end) = (first.0, Int64(0), first.1.lowerBound)
    var turns: [Int64] = []
    for (next, span) in spans {
      if next != thread {
        turns.append(ran)
        switches.append(span.lowerBound - end)
        (thread, ran) = (next, 0)
      }
      ran += Int64(span.count)
      end = span.upperBound
    }
    slices = Array(turns.dropFirst())
  }

  /// Spans in which the caller ran, until `end`. It reads the clock all the time, and observes a gap of `gap` or more only
  /// while it does not run.
  ///
  /// Now and then it reads its processor clock, as the engine's work does: Linux then checks whether the slice has ended.
  /// Otherwise Linux checks only at ticks, which are up to 10 ms apart.
  static func seen(until end: Int64, gap: Int64) -> [Range<Int64>] {
    var spans: [Range<Int64>] = []
    var began = clinux_monotonic()
    var last = began
    var reads = 0
    while last < end {
      reads += 1
      if reads % 256 == 0 { _ = clinux_thread_cpu() }
      let now = clinux_monotonic()
      if now - last >= gap {
        spans.append(began..<last)
        began = now
      }
      last = now
    }
    return spans + [began..<last]
  }

  /// The median slice; nil for fewer than three slices.
  var slice: TimeSpan? { Self.median(slices) }

  /// The median switch, under the same condition.
  var contextSwitch: TimeSpan? { Self.median(switches) }

  private static func median(_ spans: [Int64]) -> TimeSpan? {
    guard spans.count >= 3 else { return nil }
    return spans.map { Double($0) }.median.map { .nanoseconds(Int64($0)) }
  }
}
