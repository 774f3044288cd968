internal import FrameBudget

// The most and the least that a scenario's numbers allow.

extension DurationDistribution {
  /// The longest duration that can be drawn; nil where there is none.
  var largest: TimeSpan? {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to): max(from, to)
    case .normal(let mean, let deviation): deviation == .zero ? max(mean, .zero) : nil
    case .exponential(let mean): mean == .zero ? .zero : nil
    case .recorded(let durations): (0..<durations.count).lazy.map { durations[$0] }.max()
    }
  }

  /// A duration that no draw falls below.
  var smallest: TimeSpan {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to): min(from, to)
    case .normal(let mean, let deviation): deviation == .zero ? max(mean, .zero) : .zero
    case .exponential: .zero
    case .recorded(let durations):
      (0..<durations.count).lazy.map { durations[$0] }.min() ?? .zero
    }
  }
}

extension Arrival {
  /// The most items that arrive within `(t, t + length]`, for any `t` and wherever the first arrival is; nil where any number
  /// may.
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

  private static func most(of instants: [TimeSpan], within length: TimeSpan) -> Int {
    var first = 0
    var most = 0
    for last in instants.indices {
      while instants[last] - instants[first] >= length { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
  }

  /// The same arrivals, the first one at `start`; nil where the scenario lists the instants.
  func starting(at start: TimeSpan) -> Arrival? {
    switch self {
    case .once(let count, _): .once(count, start: start)
    case .batch(let count, let every, _): .batch(count, every: every, start: start)
    case .rate(let rate, _): .rate(perSecond: rate, start: start)
    case .at, .recorded: nil
    }
  }
}

extension RefreshRate {
  /// The longest time from one vsync to the next, in whole nanoseconds; `period` is the shortest.
  var longestPeriod: TimeSpan {
    let isExact = period.nanoseconds * numerator == denominator * 1_000_000_000
    return isExact ? period : period + .nanoseconds(1)
  }
}

extension TimeSpan {
  /// 146 years, to which another such span can still be added.
  static let limit = TimeSpan(nanoseconds: 1 << 62)

  init(clamping nanoseconds: Int128) {
    self.init(nanoseconds: Int64(min(nanoseconds, Int128(Self.limit.nanoseconds))))
  }

  /// `count` times as long, at most `limit`.
  func times(_ count: Int) -> TimeSpan {
    TimeSpan(clamping: Int128(nanoseconds) * Int128(count))
  }

  /// Both together, at most `limit`.
  func and(_ other: TimeSpan) -> TimeSpan {
    TimeSpan(clamping: Int128(nanoseconds) + Int128(other.nanoseconds))
  }
}

extension Sequence<TimeSpan> {
  /// All of them together, at most `TimeSpan.limit`.
  var total: TimeSpan { reduce(.zero) { $0.and($1) } }
}
