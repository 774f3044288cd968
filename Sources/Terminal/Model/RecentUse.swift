internal import FrameBudget

/// What was counted during the last second: the source of rates.
struct RecentUse: Sendable {
  private struct Sample {
    let at: Instant
    let done: Int
    let main: TimeSpan?
    let background: TimeSpan?
  }

  private var samples: [Sample] = []

  mutating func append(_ glance: RunGlance, at now: Instant) {
    samples.append(
      Sample(
        at: now, done: glance.itemsDone, main: glance.mainCPU, background: glance.backgroundCPU))
    // The newest one that is at least a second old stays: it is where the second begins.
    while samples.count > 2, now - samples[1].at >= .seconds(1) { samples.removeFirst() }
  }

  /// Items done per second.
  var donePerSecond: Double? {
    over { Double($1.done - $0.done) }
  }

  /// Processor time of the main thread, in percent of one processor.
  var mainPercent: Double? { over { percent($0.main, $1.main) } }

  /// The same of all other threads together; may exceed 100.
  var backgroundPercent: Double? { over { percent($0.background, $1.background) } }

  private func percent(_ from: TimeSpan?, _ to: TimeSpan?) -> Double? {
    guard let from, let to else { return nil }
    return 100 * (to - from).inSeconds
  }

  private func over(_ difference: (Sample, Sample) -> Double?) -> Double? {
    guard let first = samples.first, let last = samples.last, last.at > first.at else { return nil }
    return difference(first, last).map { $0 / (last.at - first.at).inSeconds }
  }
}
