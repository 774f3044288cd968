import FrameBudget
import FrameBudgetParsing

/// Frames of recordings, taken and counted as `learn` does: a dropped frame is a vsync at which the UI thread's frame was
/// wanted and no new one was shown, whatever the platform says of deadlines.
enum RecordedFrames {
  /// The frames of each process, a stream each; all processes with frames if `processes` is nil.
  static func read(
    _ input: RereadableInput, of processes: [Int]? = nil, requested: RefreshRate?
  ) throws(InputError) -> [ImportedFrames] {
    var streams: [ImportedFrames] = []
    try RecordingFile.forEach(of: processes, in: input, most: StreamTable.maxStreams) {
      (recording) throws(InputError) in
      streams.append(imported(recording, requested: requested))
    }
    return streams
  }

  private static func imported(
    _ recording: Recording, requested: RefreshRate?
  ) -> ImportedFrames {
    let screen = RecordedScreen(recording)
    var tally = FrameTally(refresh: screen.grid.isKnown ? requested : nil, clock: .vsyncs)
    if screen.grid.isKnown { tally.use(screen.grid.refresh) }
    var presentTimes = Distribution()
    for frame in recording.frames {
      tally.issues.row()
      if let overrun = frame.overrun { tally.spans.overruns.add(overrun) }
      if frame.verdict == .stuffed { tally.waitedForBuffer() }
      let presented = frame.presented.map { max(0, ($0 - frame.vsync).nanoseconds) }
      if let presented, InputTime.frames.contains(presented) { presentTimes.add(presented) }
    }
    for frame in screen.frames {
      // What kept a client of Wayland from a frame that it had asked for belongs to the frame, as in the view of a client.
      let vsync = recording.format == .wayland ? frame.requested : frame.vsync
      let work = frame.end - screen.grid.instant(of: vsync)
      if InputTime.frames.contains(work) { tally.frame(work) }
    }
    if recording.format == .wayland, let hang = screen.openHang {
      tally.hung(hang.upperBound - hang.lowerBound)
    }
    for _ in 0..<screen.missedDeadlines { tally.missedDeadline() }
    for _ in 0..<screen.lateBegins { tally.beganLate() }
    count(screen, in: &tally)
    let process = recording.process
    // Without a report of the platform, deadlines and buffers are guesses.
    let hasReports = recording.frames.contains { $0.verdict != nil || $0.due != nil }
    return ImportedFrames(
      StreamKey(process: process.name.isEmpty ? "process \(process.number)" : process.name),
      tally, showsDisplay: true, countsVsyncs: true, presentTimes: presentTimes,
      unknown: hasReports ? [.causes] : [.causes, .pipeline], figures: recording.figures)
  }

  /// Counts the vsyncs that wanted a frame. A gap ends where none was wanted.
  private static func count(_ screen: RecordedScreen, in tally: inout FrameTally) {
    let period = screen.grid.isKnown ? screen.grid.refresh : nil
    func span(of vsyncs: Int) -> Int64? { period.map { $0.vsync(vsyncs).nanoseconds } }
    var gap = 0
    var previous: Int?
    for (vsync, isNew) in screen.shown.sorted(by: { $0.key < $1.key }) {
      if let previous, vsync != previous + 1 {
        tally.missed(gap, interval: span(of: gap))
        gap = 0
      }
      previous = vsync
      gap += 1
      guard isNew else { continue }
      tally.shown(afterGap: gap - 1, interval: span(of: gap))
      gap = 0
    }
    tally.missed(gap, interval: span(of: gap))
  }
}
