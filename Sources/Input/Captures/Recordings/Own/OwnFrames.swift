internal import FrameBudget
internal import FrameBudgetParsing

/// Frames in the project's own traces, which state the vsyncs at which a frame began and was shown, and each vsync at which
/// one was missing.
struct OwnFrames {
  private var frames: [TracedFrame] = []
  private var vsyncs: [Int: Int64] = [:]
  /// When a frame was missing.
  private var drops: [Int64] = []
  /// By the number of a frame: the first vsync at which it was missing.
  private var firstMissed: [Int: Int] = [:]

  /// The number of kept values.
  var count: Int { frames.count + vsyncs.count + drops.count }

  mutating func add(_ frame: TracedFrame) { frames.append(frame) }

  mutating func mark(_ event: borrowing ReadTraceEvent) {
    guard case .screen(let screen) = event.meaning, let vsync = event[.vsync] else { return }
    switch screen {
    case .vsync: vsyncs[vsync] = event.begin
    case .drop:
      drops.append(event.begin)
      guard let frame = event[.screenFrame] else { return }
      firstMissed[frame] = min(firstMissed[frame] ?? .max, vsync)
    case .begin, .draw: break
    }
  }

  /// The frames in the order of their vsyncs, vsyncs at which one was missing among them; the period of vsyncs; and the last
  /// vsync.
  consuming func found() -> (frames: [RecordedFrame], period: TimeSpan?, last: Int64?) {
    guard !vsyncs.isEmpty else { return ([], nil, nil) }
    let deadline =
      frames.compactMap { Self.difference($0.dueVsync ?? $0.presentVsync, $0.beginVsync) }.min()
      ?? 1
    let (period, last) = (period, vsyncs.values.max() ?? 0)
    let drawn = frames.enumerated().map { number, frame in
      // A frame of the same vsync as the one before replaces it, and was wanted when that was.
      let isSame =
        number > 0 && frame.beginVsync != nil
        && frames[number - 1].beginVsync == frame.beginVsync
      let missed = firstMissed[isSame ? number - 1 : number]
      return recorded(frame, missed, deadline, until: last + period.nanoseconds)
    }
    let dropped = drops.map { RecordedFrame(vsync: .nanoseconds($0), verdict: .dropped) }
    return ((drawn + dropped).sorted { $0.vsync < $1.vsync }, period, last)
  }

  /// `end` is the vsync after the last.
  private func recorded(
    _ frame: TracedFrame, _ firstMissed: Int?, _ deadline: Int, until end: Int64
  ) -> RecordedFrame {
    // It was wanted a deadline before the first vsync that it missed, even if it began later.
    let wanted = [frame.beginVsync, Self.difference(firstMissed, deadline)].compactMap(\.self).min()
    let due = frame.beginVsync.flatMap { begin in
      let (due, overflows) = begin.addingReportingOverflow(deadline)
      return overflows ? nil : instant(ofVsync: due)
    }
    let shown = frame.presentVsync.flatMap(instant(ofVsync:))
    // If the end of the run cut it off, it would have been shown at the next vsync at the earliest.
    let presented = shown ?? frame.presentVsync.map { _ in end }
    return RecordedFrame(
      vsync: .nanoseconds(wanted.flatMap(instant(ofVsync:)) ?? frame.work.lowerBound),
      due: due.map { .nanoseconds($0) }, work: frame.work,
      // The second stage has no slices.
      ready: frame.ready.map { .nanoseconds(max($0, frame.work.upperBound)) },
      presented: presented.map { .nanoseconds($0) }, verdict: shown.map { _ in .shown })
  }

  /// The difference of two vsync numbers, which may be arbitrary in an invalid file.
  private static func difference(_ later: Int?, _ earlier: Int?) -> Int? {
    guard let later, let earlier else { return nil }
    let (span, overflows) = later.subtractingReportingOverflow(earlier)
    return overflows || span < 1 ? nil : span
  }

  /// The first vsync has no mark, because nothing could have been shown at it.
  private func instant(ofVsync number: Int) -> Int64? { number == 0 ? 0 : vsyncs[number] }

  private var period: TimeSpan {
    let instants = [0] + vsyncs.values.sorted()
    return .nanoseconds(zip(instants, instants.dropFirst()).map { $1 - $0 }.middle ?? 0)
  }
}
