internal import CLinux
internal import FrameBudget

/// The turns that threads take on one core, from what each of them saw of the clock.
struct Turns {
  /// How long each turn took, of whichever thread, without what the core did meanwhile for others or for nobody. The first
  /// and the last are left out: they are cut off.
  private(set) var slices: [Int64] = []
  /// From the end of a turn to the beginning of the next.
  private(set) var switches: [Int64] = []

  /// - Parameter threads: of each thread the spans of time in which it ran without a gap.
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

  /// Spans in which the caller ran, until `end`; it reads the clock all the time, and misses `gap` or more only while it
  /// does not run.
  ///
  /// Now and then it reads its processor clock, as the engine's work does: Linux then looks whether the slice is over, and
  /// otherwise at ticks only, which are up to 10 ms apart.
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

  /// The median slice; nil of less than three turns, which are none that anything can be said of.
  var slice: TimeSpan? { Self.median(slices) }

  /// The median switch, of as many.
  var contextSwitch: TimeSpan? { Self.median(switches) }

  private static func median(_ spans: [Int64]) -> TimeSpan? {
    guard spans.count >= 3 else { return nil }
    return spans.map { Double($0) }.median.map { .nanoseconds(Int64($0)) }
  }
}
