internal import FrameBudget

/// Converts notes to the trace events that `run --trace` writes.
struct NotedTrace {
  private var vsyncs: NotedVsyncs
  private var frames = 0
  private var names: [Int: String] = [:]
  private let zero: Int64

  /// The process has the number of its main thread, by which viewers recognise that thread.
  private static let process = NotedTrack.main.number
  /// No thread has the number 0.
  private static let screen = TraceTrack(process: process, thread: 0)

  /// - Parameters:
  ///   - zero: the start of the recording, on the clock of the notes.
  ///   - refresh: the refresh rate of the screen.
  init(from zero: Int64, _ refresh: RefreshRate) {
    self.zero = zero
    vsyncs = NotedVsyncs(period: refresh.period.nanoseconds)
  }

  /// The events before all notes.
  static func opening(_ app: String, cores: Int) -> [TraceEvent] {
    [
      TraceEvent(.process, track(.main), (.name, .text(app))),
      TraceEvent(.cores, track(.main), (.cores, .number(String(cores)))),
      TraceEvent.name("vsyncs", of: screen, .screen),
    ]
  }

  /// Passes the events of a note to `output`, one after another. If its work is not over, nothing is known after its end.
  mutating func write<Failure: Error>(
    _ note: Note, isOver: Bool = true, to output: (TraceEvent) throws(Failure) -> Void
  ) throws(Failure) {
    let track = Self.track(note.track)
    // Only some notes know the name of their thread.
    let (known, name) = (names[note.track.number], note.track.name)
    if known == nil || (known != name && !name.isEmpty) {
      names[note.track.number] = name
      try output(TraceEvent.name(name, of: track, .thread))
    }
    switch note.kind {
    case .interval(let name):
      // Readers of the trace take the part after a slash for a step.
      try output(event(name.replacing("/", with: ":"), .step, track, note))
    case .frame(let frame): try write(frame, track, note, isOver, to: output)
    case .task(let post):
      try output(event(Self.task, .post, track, note))
      let end = TraceEvent.Kind.flowEnd(instant(note.began), Int(post))
      try output(TraceEvent(name: "post", category: .flow, track: track, kind: end))
    case .post(let number):
      let begin = TraceEvent.Kind.flowBegin(instant(note.began), Int(number))
      try output(TraceEvent(name: "post", category: .flow, track: track, kind: begin))
    }
  }

  /// Passes the events of what is under way at `now` to `output`: work that ends then, vsyncs at which a frame is missing, and
  /// the time. They hold until more is known.
  func writeUnfinished(
    _ open: [OpenWork], at now: Int64, to output: (TraceEvent) -> Void
  ) {
    var trace = self
    let notes = open.filter { $0.began < now }
    for work in notes { trace.write(work.ending(at: now), isOver: false, to: output) }
    // A frame says itself since when it is missing.
    let ofMain = notes.filter { $0.track.number == NotedTrack.main.number }
    if let first = ofMain.first, !ofMain.contains(where: \.isFrame) {
      trace.writeMissed(trace.vsyncs.missed(from: first.began, to: now), to: output)
    }
    output(
      TraceEvent(
        name: TraceEvent.time, category: .trace, track: Self.track(.main),
        kind: .mark(instant(now), acrossProcess: true)))
  }

  /// The name of all jobs and events; readers know that it carries no meaning.
  private static let task = "Task"

  /// The event that marks lost notes, with their number.
  func loss(of count: Int, at end: Int64) -> TraceEvent {
    TraceEvent(
      name: "TRACE FULL", category: .trace, track: Self.track(.main),
      kind: .mark(instant(end), acrossProcess: true),
      arguments: [(.lost, .number(String(count)))])
  }

  // MARK: Frames

  private mutating func write<Failure: Error>(
    _ frame: TimedFrame, _ track: TraceTrack, _ note: Note, _ isOver: Bool,
    to output: (TraceEvent) throws(Failure) -> Void
  ) throws(Failure) {
    let placed = vsyncs.place(frame, began: note.began, ended: note.ended)
    let number = frames
    frames += 1
    // The last one would show it.
    let vsyncs = isOver ? placed.vsyncs : placed.vsyncs.dropLast()
    for vsync in vsyncs { try output(mark(vsync)) }
    var drawn = event(placed.missed.isEmpty ? "frame" : "late frame", .frame, track, note)
    drawn.arguments = [
      (.frame, .number(String(number))), (.beginVsync, .number(String(placed.begin))),
    ]
    try output(drawn)
    for vsync in placed.missed { try output(drop(vsync, of: number)) }
  }

  /// The vsyncs at which the next frame is missing, which has not begun.
  private func writeMissed(_ missed: Range<Int>, to output: (TraceEvent) -> Void) {
    for vsync in missed {
      output(mark(vsync))
      output(drop(vsync, of: frames))
    }
  }

  private func mark(_ vsync: Int) -> TraceEvent {
    mark(.vsync, .screen, vsync, [(.vsync, vsync)])
  }

  private func drop(_ vsync: Int, of frame: Int) -> TraceEvent {
    mark(.drop, .dropped, vsync, [(.screenFrame, frame), (.vsync, vsync)])
  }

  private func mark(
    _ event: ScreenEvent, _ category: TraceEvent.Category, _ vsync: Int,
    _ numbers: [(TraceArgument, Int)]
  ) -> TraceEvent {
    let at = instant(vsyncs.instant(of: vsync))
    return TraceEvent(
      name: event.rawValue, category: category, track: Self.screen,
      kind: .mark(at, acrossProcess: category == .dropped),
      arguments: numbers.map { ($0.0, .number(String($0.1))) })
  }

  private static func track(_ track: NotedTrack) -> TraceTrack {
    TraceTrack(process: process, thread: track.number)
  }

  // MARK: Times

  private func event(
    _ name: String, _ category: TraceEvent.Category, _ track: TraceTrack, _ note: Note
  ) -> TraceEvent {
    TraceEvent(
      name: name, category: category, track: track,
      kind: .span(instant(note.began), instant(note.ended)))
  }

  private func instant(_ clock: Int64) -> Instant { Instant(nanoseconds: clock - zero) }
}
