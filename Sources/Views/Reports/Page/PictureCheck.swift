internal import FrameBudget

/// Whether frames and traces are of the runs beside whose figures a page would draw them. Their names alone do not tell: an
/// edited scenario keeps them.
enum PictureCheck {
  /// Files have microseconds, or nanoseconds.
  private static let tolerance = 0.002

  /// What the frames of `recorded` contradict in `run`; nil if nothing.
  static func contradiction(_ recorded: RecordedRun, _ run: RunRecord) -> String? {
    if recorded.frames.isEmpty { return nil }
    if let count = run[.droppedFrames], count != Double(recorded.dropped) {
      let (own, file) = (MetricValue.real(count), recorded.dropped)
      return "dropped \(English.count(file, "frame")), not \(own) as in the results"
    }
    return times(recorded.longestWork, run)
  }

  /// The same for a trace.
  static func contradiction(_ traced: TracedRun, _ run: RunRecord) -> String? {
    times(traced.longestWork, run)
  }

  private static func times(_ longest: Int64?, _ run: RunRecord) -> String? {
    guard let longest, let known = run[.frameTime(.max)] else { return nil }
    let milliseconds = Double(longest) / 1e6
    guard abs(milliseconds - known) > tolerance else { return nil }
    let words = [milliseconds, known].map { "\(Decimal.text($0, places: 3)) ms" }
    return "took up to \(words[0]), not \(words[1]) as in the results"
  }
}

extension RecordedRun {
  /// As `dropped_frames` counts them.
  fileprivate var dropped: Int {
    var timeline = ScreenTimeline<Tally>(
      refresh: refresh, deadline: deadline, isOnDemand: isOnDemand)
    for frame in frames { timeline.show(begin: frame.beginVsync, frame.gap, frame.gapCauses) }
    timeline.end(at: refresh.vsyncs(through: .zero + duration))
    return timeline.statistics.vsyncs.dropped
  }

  /// As `frame_ms_max` has it, in nanoseconds.
  fileprivate var longestWork: Int64? {
    frames.map { ($0.workEnd - refresh.vsync($0.askedVsync)).nanoseconds }.max()
  }
}

extension TracedRun {
  /// The same; nil without vsyncs.
  fileprivate var longestWork: Int64? {
    vsyncs.isEmpty ? nil : frames.map { $0.span.upperBound - instant(ofVsync: $0.asked) }.max()
  }
}
