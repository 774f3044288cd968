package import FrameBudget
internal import FrameBudgetCaptures

/// The frame figures of a recording or a run, nil if unknown.
public struct FrameFigures: Sendable {
  /// Vsyncs that wanted a frame.
  public let wanted: Double?
  public let dropped: Double?
  public let droppedPercent: Double?
  public let missedDeadlines: Double?
  /// Frames that began more than a period after their vsyncs.
  public let lateBegins: Double?
  /// In milliseconds, one for each of `quantiles`.
  public let frameTimes: [Double?]

  static let quantiles = [0.5, 0.95, 0.99]
  /// The 95th percentile, in milliseconds.
  public var p95: Double? { frameTimes[1] }

  /// `30 of 240`; nil if unknown.
  public var drops: String? {
    guard let dropped, let wanted else { return nil }
    return "\(Int(dropped)) of \(Int(wanted))"
  }

  /// Those of a run.
  init(_ metrics: RunMetrics) {
    let frames = metrics.frames
    wanted = Double(frames.expected)
    dropped = Double(frames.dropped)
    droppedPercent = frames.droppedPercent
    missedDeadlines = Double(frames.deadlinesMissed)
    lateBegins = Double(frames.lateBegins)
    frameTimes = Self.quantiles.map { frames.frameTimes.quantile($0).map { $0 / 1e6 } }
  }

  /// Those of a recording; without a screen only frame times are known.
  init(recordedOn screen: RecordedScreen) {
    func known(_ number: Int) -> Double? { screen.shown.isEmpty ? nil : Double(number) }
    wanted = known(screen.expected)
    dropped = known(screen.dropped)
    droppedPercent = known(screen.dropped).map { 100 * $0 / Double(screen.expected) }
    missedDeadlines = known(screen.missedDeadlines)
    lateBegins = known(screen.lateBegins)
    // As `frame_ms` of a run: from the vsync at which the frame was wanted.
    let times = Percentiles(screen.frames.map { $0.end - screen.grid.instant(of: $0.requested) })
    frameTimes = Self.quantiles.map { times.quantile($0).map { $0 / 1e6 } }
  }
}

extension PredictionRange {
  /// Of dropped frames, `0–1.2 %`; nil if it is unknown.
  package var droppedInShort: String? {
    shown(.droppedPercent).map { range in
      let ends = [range.lowerBound, range.upperBound].map(Decimal.percent)
      return "\(ends.joined(separator: "–")) %"
    }
  }
}
