internal import FrameBudget

// The extremes that a scenario's numbers allow.

extension Arrival {
  /// The most items that arrive within `(t, t + length]`, for any `t` and any first arrival; nil if unbounded.
  func most(within length: TimeSpan) -> Int? {
    guard length > .zero else { return 0 }
    switch self {
    case .once(let count, _): return count
    case .batch(let count, let every, _):
      let times = (length.nanoseconds + every.nanoseconds - 1) / every.nanoseconds
      let (total, overflows) = count.multipliedReportingOverflow(by: Int(times))
      return overflows ? nil : total
    case .rate: return nil
    case .at(let instants), .recorded(let instants):
      return Self.most(of: instants.sorted(), within: length)
    }
  }

  /// The most instants of arrivals within `(t, t + length]`, for any `t`; nil if unbounded.
  func instants(within length: TimeSpan) -> Int? {
    switch self {
    case .once: length > .zero ? 1 : 0
    case .batch(_, let every, let start):
      Arrival.batch(1, every: every, start: start).most(within: length)
    case .rate, .at, .recorded: most(within: length)
    }
  }

  private static func most(of instants: [TimeSpan], within length: TimeSpan) -> Int {
    var first = 0
    var most = 0
    for last in instants.indices {
      while instants[last] - instants[first] >= length { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
  }
}

extension RefreshRate {
  /// The longest time between two vsyncs, in whole nanoseconds; `period` is the shortest.
  var longestPeriod: TimeSpan {
    longest(periods: 1)
  }

  /// The longest time from a vsync to the one that is `periods` later, in whole nanoseconds, at most `TimeSpan.limit`.
  func longest(periods: Int) -> TimeSpan {
    let exact = Int128(periods) * Int128(denominator) * 1_000_000_000
    return TimeSpan(clamping: (exact + Int128(numerator) - 1) / Int128(numerator))
  }

  /// The most vsyncs from the start of work that takes `span` to its end.
  func periods(in span: TimeSpan) -> Int {
    firstVsync(atOrAfter: .zero + span)
  }
}

extension TimeSpan {
  /// 146 years, half of the range of a `TimeSpan`. Sums are computed in 128 bits and cut off here.
  static let limit = TimeSpan(nanoseconds: 1 << 62)

  init(clamping nanoseconds: Int128) {
    self.init(nanoseconds: Int64(min(nanoseconds, Int128(Self.limit.nanoseconds))))
  }

  /// `count` times as long, at most `limit`.
  func times(_ count: Int) -> TimeSpan {
    TimeSpan(clamping: Int128(nanoseconds) * Int128(count))
  }

  /// The sum, at most `limit`.
  func and(_ other: TimeSpan) -> TimeSpan {
    TimeSpan(clamping: Int128(nanoseconds) + Int128(other.nanoseconds))
  }
}

extension Sequence<TimeSpan> {
  /// The sum, at most `TimeSpan.limit`.
  var total: TimeSpan { reduce(.zero) { $0.and($1) } }
}
