public import FrameBudget

/// The frames of one process and swap chain in a log, in the project's metrics.
public struct ImportedFrames: Sendable {
  public let process: String
  /// Empty where the log tells none apart.
  public let swapChain: String
  /// Rows of the log, shown or not.
  public let rows: Int
  /// Presents that were replaced before they were shown; what PresentMon 1 calls `Dropped`.
  public let supersededFrames: Int?
  public let displayChanges: Int?
  /// Nil where neither the log nor the user said it.
  public let refreshHz: Double?
  /// How much time the counted frames cover.
  public let duration: TimeSpan
  /// By the name of the metric; what does not apply is left out.
  public let values: [String: MetricValue]
  public let warnings: [String]
  let areShuffled: Bool

  init(_ key: StreamKey, _ tally: FrameTally, showsDisplay: Bool) {
    process = key.process
    swapChain = key.swapChain
    rows = tally.doubts.rows
    supersededFrames = showsDisplay ? tally.superseded : nil
    displayChanges = showsDisplay ? tally.displayChanges : nil
    refreshHz = tally.period.map { 1e9 / $0 }
    let covered = tally.displayIntervals.sum > 0 ? tally.displayIntervals : tally.frameTimes
    duration = TimeSpan(nanoseconds: covered.sum)
    let areSamples = tally.doubts.areSamples(sum: tally.frameTimes.sum)
    var values = tally.timeMetrics()
    if !areSamples { values.merge(tally.vsyncMetrics(duration)) { first, _ in first } }
    self.values = values
    warnings = tally.warnings(of: key, areSamples: areSamples)
    areShuffled = tally.doubts.areShuffled
  }
}

extension FrameTally {
  /// What follows from frame times and display intervals alone.
  fileprivate func timeMetrics() -> [String: MetricValue] {
    let intervals = displayIntervals.count > 0 ? displayIntervals : frameTimes
    var values: [String: MetricValue] = [
      "status": .text("complete"), "frozen_frames": .count(frozen), "hang_count": .count(hangs),
      "hang_total_ms": .real(Double(hangTotal) / 1e6),
    ]
    if intervals.sum > 0 {
      values["average_fps"] = .real(Double(intervals.count) * 1e9 / Double(intervals.sum))
    }
    if let low = intervals.longestHundredth(), low > 0 {
      values["low_1pct_fps"] = .real(1e9 / Double(low))
    }
    let names = ["p50", "p90", "p95", "p99", "p999", "max"]
    let quantiles = frameTimes.quantiles([0.5, 0.9, 0.95, 0.99, 0.999, 1])
    for (name, value) in zip(names, quantiles) {
      if let value { values["frame_ms_\(name)"] = .real(value / 1e6) }
    }
    return values
  }

  /// What needs every vsync: the display's period, or a log that names its drops, and no gaps.
  fileprivate func vsyncMetrics(_ duration: TimeSpan) -> [String: MetricValue] {
    guard expected > 0 else { return [:] }
    var values: [String: MetricValue] = [
      "expected_frames": .count(expected), "presented_frames": .count(shownVsyncs),
      "dropped_frames": .count(dropped),
      "dropped_frames_pct": .real(100 * Double(dropped) / Double(expected)),
      "hitch_count": .count(hitches), "longest_gap_vsyncs": .count(longestGap),
    ]
    guard let period else { return values }
    let milliseconds = period / 1e6
    let hitchTotal = milliseconds * Double(dropped)
    values["over_budget_frames"] = .count(overBudget)
    values["hitch_total_ms"] = .real(hitchTotal)
    values["hitch_max_ms"] = .real(milliseconds * Double(longestGap))
    if duration > .zero {
      values["hitch_ratio_ms_per_s"] = .real(hitchTotal / duration.inSeconds)
    }
    values["worst_second_dropped_pct"] = window?.worstPercent.map(MetricValue.real)
    return values
  }

  fileprivate func warnings(
    of key: StreamKey, areSamples: Bool
  ) -> [String] {
    var warnings: [String] = []
    if areSamples, let elapsed = doubts.elapsed {
      warnings.append(
        """
        frame times cover \(Self.seconds(frameTimes.sum)) of \(Self.seconds(elapsed)): the log holds \
        samples, so what needs every frame (dropped frames, hitches) is left empty
        """)
    }
    if let first = doubts.firstImpossible {
      warnings.append(
        "\(doubts.impossible) impossible values were left out, the first in line \(first.line):"
          + " \(first.value)")
    }
    if doubts.missing > 0 { warnings.append("\(doubts.missing) rows hold no frame time") }
    if doubts.steppedBack > 0 {
      warnings.append("\(doubts.steppedBack) rows are older than the row above them")
    }
    if !frameTimes.isExact {
      warnings.append(
        "percentiles are exact to 0.05 % (more than \(Distribution.exactCount) frames)")
    }
    return warnings.map { "\(key): \($0)" }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    Decimal.text(Double(nanoseconds) / 1e9, places: 1) + " s"
  }
}
