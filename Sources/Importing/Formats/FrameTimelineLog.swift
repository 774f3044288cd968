import FrameBudget
import Parsing
import Recordings

/// Perfetto's traces: the verdicts of Android's FrameTimeline on each app's frames, a stream per process.
///
/// The verdicts are the platform's own: frames that it calls dropped are dropped; a late frame missed its deadline and was
/// shown; a frame behind others waited for a buffer and was shown.
enum FrameTimelineLog {
  static func read(_ file: PerfettoFile) throws(InputError) -> [ImportedFrames] {
    guard file.timelines.count <= StreamTable.maxStreams else {
      throw InputError("more than \(StreamTable.maxStreams) processes")
    }
    return file.timelines.map(imported)
  }

  /// The time since a frame's vsync; nil if unknown or impossible for a frame.
  private static func span(_ instant: TimeSpan?, of frame: RecordedFrame) -> Int64? {
    let span = instant.map { max(0, ($0 - frame.vsync).nanoseconds) }
    return span.flatMap { InputTime.frames.contains($0) ? $0 : nil }
  }

  private static func imported(_ found: PerfettoFile.Frames) -> ImportedFrames {
    var tally = FrameTally(refresh: nil, clock: .vsyncs)
    // A period that no screen has is an invalid number.
    let period = found.period.flatMap { $0 <= .seconds(1) ? $0.nanoseconds : nil }
    if let period, let refresh = RefreshRate(period: .nanoseconds(period)) { tally.use(refresh) }
    var presentTimes = Distribution()
    var gap = 0
    for frame in found.frames {
      tally.issues.row()
      if let work = span(frame.ready, of: frame) { tally.frame(work) }
      if let presented = span(frame.presented, of: frame) { presentTimes.add(presented) }
      if let overrun = frame.overrun { tally.spans.overruns.add(overrun) }
      if frame.verdict == .late || frame.verdict == .dropped { tally.missedDeadline() }
      if frame.verdict == .stuffed { tally.waitedForBuffer() }
      if frame.verdict == .dropped {
        gap += 1
      } else {
        tally.shown(afterGap: gap, interval: period.map { $0 * Int64(gap + 1) })
        gap = 0
      }
    }
    tally.missed(gap, interval: period.map { $0 * Int64(gap) })
    let name = found.process.name
    return ImportedFrames(
      StreamKey(process: name.isEmpty ? "process \(found.process.number)" : name), tally,
      showsDisplay: true, presentTimes: presentTimes, unknown: [.causes], figures: found.figures)
  }
}
