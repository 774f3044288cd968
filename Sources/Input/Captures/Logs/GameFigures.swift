import FrameBudget

/// The figures that PresentMon's capture application (2.3.1 to 2.5.1) and CapFrameX (1.7.0 to 1.8.4) print for a log, from the
/// times between presents.
struct GameFigures {
  /// In seconds, the longest first.
  private let times: [Double]
  private let tally: FrameTally

  init(_ tally: FrameTally) {
    self.tally = tally
    var times: [Double] = []
    // With more frames than are kept individually, no figure is printed, because it would be inexact.
    guard tally.frameTimes.isExact else {
      self.times = []
      return
    }
    times.reserveCapacity(tally.frameTimes.count)
    tally.frameTimes.fromLongest { time, count in
      times.append(contentsOf: repeatElement(Double(time) / 1e9, count: count))
      return true
    }
    self.times = times
  }

  /// Empty without a time between presents.
  var figures: [RecordedFigure] {
    guard let longest = times.first, let shortest = times.last, shortest > 0 else { return [] }
    let total = times.reduce(0, +)
    let mean = total / Double(times.count)
    let percentiles = Percentiles(tally.frameTimes)
    func slowest(_ share: Double) -> Double {
      percentiles.quantile(share).map { $0 / 1e9 } ?? longest
    }
    var spans: [(RecordedMetric, Double)] = [
      (.presentMonAverage, mean), (.presentMonMinimum, longest),
      (.presentMonP1, slowest(0.99)), (.presentMonP5, slowest(0.95)),
      (.presentMonMaximum, shortest), (.capFrameXAverage, mean),
    ]
    var figures: [RecordedFigure] = []
    for (share, percentile, lowAverage, lowIntegral) in RecordedMetric.capFrameXShares {
      figures.append(RecordedFigure(percentile, .real(Self.quantile(share, of: times) { 1 / $0 })))
      spans.append((lowAverage, meanOfLongest(share)))
      spans.append((lowIntegral, lowIntegralTime(share, of: total)))
    }
    figures += spans.map { RecordedFigure($0, .real(1 / $1)) }
    if let mean = Percentiles(tally.spans.animationErrors).mean {
      figures.append(RecordedFigure(.presentMonAnimationError, .real(mean / 1e6)))
    }
    return figures
  }

  /// The quantile of `value` over elements in ascending order of it, interpolated between median ranks (type 8 of Hyndman and
  /// Fan 1996).
  private static func quantile(
    _ share: Double, of sorted: [Double], _ value: (Double) -> Double
  ) -> Double {
    let rank = (Double(sorted.count) + 1.0 / 3) * share + 1.0 / 3
    let below = min(max(Int(rank), 1), sorted.count)
    let lower = value(sorted[below - 1])
    guard rank > 1, below < sorted.count else { return lower }
    return lower + (rank - Double(below)) * (value(sorted[below]) - lower)
  }

  /// The mean of the longest `share` of the times.
  private func meanOfLongest(_ share: Double) -> Double {
    let threshold = Self.quantile(1 - share, of: times.reversed()) { $0 }
    return times.prefix { $0 >= threshold }.mean ?? threshold
  }

  /// The time from which on the longest times make up a `share` of `total`.
  private func lowIntegralTime(_ share: Double, of total: Double) -> Double {
    var sum = 0.0
    for time in times {
      sum += time
      if sum >= total * share { return time }
    }
    return times.last ?? 0
  }
}
