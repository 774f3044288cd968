internal import FrameBudget
internal import FrameBudgetCaptures

/// The display's vsyncs, by the times at which a compositor has woken a client for its frames.
///
/// A client that sleeps is woken at the vsync. One that the compositor wakes for something else, such as the pointer, goes on for
/// some time, and a call that comes meanwhile wakes nothing; nor does it if the client works or waits for a lock. Such a call
/// is on the grid that is fitted to the others: a period, from the newest vsync.
struct ProbedGrid {
  struct Vsync {
    let instant: Int64
    /// Whether the client was woken for it.
    let isSeen: Bool
  }

  /// Between two vsyncs that were seen, one after the other: their distance, and the time from the commit to the second.
  private struct Sample {
    let distance: Int64
    let wait: Int64
  }

  private var samples: [Sample] = []
  private var place = 0
  /// In nanoseconds: that of 60 Hz until it is known.
  private(set) var period = RefreshRate(60).period.nanoseconds
  private var isKnown = false

  private static let window = 64
  private static let least = 8
  /// Of vsyncs one after the other, in nanoseconds.
  private static let distances: ClosedRange<Int64> = 2_000_000...125_000_000

  /// The display's rate; nil until it is known. A common one is assumed if it is within one per cent.
  var refresh: RefreshRate? { isKnown ? RateFit.rate(near: 1e9 / Double(period)) : nil }

  /// The vsync of a call that is `handled`, for the frame after `last`, of which the newest commit is given. `woken` is when the
  /// compositor has woken the client for what it does at that time. Times are in nanoseconds.
  mutating func vsync(
    after last: Vsync?, committed: Int64, woken: Int64?, handled: Int64
  ) -> Vsync {
    guard let last else { return Vsync(instant: woken ?? handled, isSeen: woken != nil) }
    guard let woken else {
      let next = line(from: committed, after: last.instant)
      return Vsync(instant: max(committed, min(handled, next)), isSeen: false)
    }
    let margin = period / 8
    let next = line(from: woken - margin, after: last.instant)
    guard isKnown, handled - woken > margin, next > woken + margin else {
      if last.isSeen { add(Sample(distance: woken - last.instant, wait: woken - committed)) }
      return Vsync(instant: woken, isSeen: true)
    }
    return Vsync(instant: min(handled, next), isSeen: false)
  }

  /// The first vsync of the grid from `instant` on, and after `last`.
  private func line(from instant: Int64, after last: Int64) -> Int64 {
    last + max(1, (instant - last + period - 1) / period) * period
  }

  private mutating func add(_ sample: Sample) {
    guard Self.distances.contains(sample.distance) else { return }
    if samples.count < Self.window {
      samples.append(sample)
    } else {
      samples[place] = sample
      place = (place + 1) % Self.window
    }
    if samples.count >= Self.least { fit() }
  }

  /// Fits the period to the distances. Some frames are late: their distances are two periods or more.
  private mutating func fit() {
    let distances = samples.map(\.distance).sorted()
    let short = distances[distances.count / 16]
    let count = distances.reduce(0) { $0 + ($1 + short / 2) / short }
    let fitted = distances.reduce(0, +) / max(1, count)
    guard isFit(fitted) else { return }
    isKnown = true
    if !isSlowness(fitted) { period = fitted }
  }

  /// Whether the distances are whole periods. Machines under load wake at any time.
  private func isFit(_ period: Int64) -> Bool {
    let deviation = samples.reduce(0) { sum, sample in
      sum + abs(sample.distance - (sample.distance + period / 2) / period * period)
    }
    return deviation / Int64(samples.count) <= period / 16
  }

  /// Whether frames that come every `fitted` nanoseconds are those of a client that is too slow for each vsync: it commits so late
  /// that the compositor could not call for the vsyncs between.
  private func isSlowness(_ fitted: Int64) -> Bool {
    let waits = samples.map(\.wait).sorted()
    // A compositor draws some milliseconds before a vsync, and a later commit waits for the next.
    return fitted > period + period / 2 && isFit(period)
      && waits[waits.count * 3 / 4] <= period + period / 4
  }
}
