internal import FrameBudget

/// Frames of one process in Android's FrameTimeline.
struct FrameTimeline {
  private struct Actual {
    var begin: Int64
    var end: Int64?
    var displayToken: UInt64
    var wasDropped: Bool
    var jank: FrameTimelineEvent.Jank
  }

  /// The target of an end event.
  private enum Open {
    case display(token: UInt64)
    case expected(token: UInt64)
    case surface(token: UInt64, index: Int)
  }

  private let process: Int
  private var open: [UInt64: Open] = [:]
  /// By token, which all surfaces of one frame share.
  private var expected: [UInt64: Int64] = [:]
  private var due: [UInt64: Int64] = [:]
  private var actual: [UInt64: [Actual]] = [:]
  /// By token: when frames of the display were on the screen.
  private var displays: [UInt64: Int64] = [:]

  init(process: Int) { self.process = process }

  var count: Int { actual.count + open.count }

  mutating func take(_ event: FrameTimelineEvent, at instant: Int64) {
    switch event.kind {
    case .expectedDisplay: break
    case .actualDisplay: open[event.cookie] = .display(token: event.token)
    case .expectedSurface where event.process == process:
      expected[event.token] = min(expected[event.token] ?? .max, instant)
      open[event.cookie] = .expected(token: event.token)
    case .actualSurface where event.process == process:
      let frame = Actual(
        begin: instant, end: nil, displayToken: event.displayToken, wasDropped: event.wasDropped,
        jank: event.jank)
      open[event.cookie] = .surface(
        token: event.token, index: actual[event.token]?.count ?? 0)
      actual[event.token, default: []].append(frame)
    case .end: end(event.cookie, at: instant)
    default: break
    }
  }

  private mutating func end(_ cookie: UInt64, at instant: Int64) {
    switch open.removeValue(forKey: cookie) {
    case .display(let token): displays[token] = instant
    case .expected(let token): due[token] = max(due[token] ?? .min, instant)
    case .surface(let token, let index): actual[token]?[index].end = instant
    case nil: break
    }
  }

  /// In the order of their vsyncs, without frames that had not ended by the end of the recording.
  func frames() -> [RecordedFrame] {
    actual.compactMap { token, surfaces in
      let ended = surfaces.compactMap { surface in surface.end.map { (surface, $0) } }
      guard let end = ended.map(\.1).max(), let begin = ended.map(\.0.begin).min() else {
        return nil
      }
      let vsync = expected[token] ?? begin
      let verdict = Self.verdict(of: ended.map(\.0))
      let presented = ended.compactMap { displays[$0.0.displayToken] }.min()
      return RecordedFrame(
        vsync: .nanoseconds(vsync), due: due[token].map { .nanoseconds($0) },
        work: begin..<max(begin, end), ready: .nanoseconds(max(begin, end)),
        presented: verdict == .dropped ? nil : presented.map { .nanoseconds($0) }, verdict: verdict)
    }.sorted { $0.vsync < $1.vsync }
  }

  /// The worst verdict of any surface. A frame that was late only because of the display counts as shown.
  private static func verdict(of surfaces: [Actual]) -> RecordedFrame.Verdict {
    if surfaces.contains(where: { $0.wasDropped || $0.jank.contains(.dropped) }) {
      return .dropped
    }
    if surfaces.contains(where: { $0.jank.contains(.appDeadline) }) { return .late }
    return surfaces.contains { $0.jank.contains(.stuffing) } ? .stuffed : .shown
  }

  /// Every frame of a surface, including those that had not ended by the end of the recording.
  var surfaceFrames: [SurfaceFrame] {
    actual.flatMap { token, surfaces in
      surfaces.map { surface in
        let overrun = due[token].flatMap { due in
          surface.end.flatMap { end in
            let (span, overflows) = end.subtractingReportingOverflow(due)
            return overflows ? nil : span
          }
        }
        return SurfaceFrame(begin: surface.begin, jank: surface.jank.rawValue, overrun: overrun)
      }
    }
  }

  /// The period of vsyncs, from those at which frames were expected.
  var period: TimeSpan? { AndroidFrames.period(of: expected.values.sorted()) }
}
