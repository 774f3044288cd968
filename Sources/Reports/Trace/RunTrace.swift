internal import FrameBudget

/// A run as events: a process with tracks for vsyncs, dropped frames, each thread, and each lock.
///
/// Frames, vsyncs and drops come from the frames' records, which the per-frame CSV is of too; only what
/// threads did comes from their traces. Everything ends where the run does.
struct RunTrace {
  let row: ReportRow
  let trace: TraceLog
  let end: Instant
  let threads: PerThread<String>
  private let process: Int
  /// Which post leads to which step, so that both have the same number.
  let flows: [TracePlace: Int]

  init(_ row: ReportRow, _ trace: TraceLog, numbered numbers: inout TraceFile.Numbers) {
    self.row = row
    self.trace = trace
    end = .zero + row.log.duration
    threads = trace.plan.threadNames
    process = numbers.track
    numbers.track += threads.count + trace.plan.arrangement.locks.count + 2
    flows = Self.flows(in: trace, until: end, from: &numbers.flow)
  }

  /// How many pieces the run's events come in.
  var parts: Int { 2 + threads.count + trace.plan.arrangement.locks.count }

  func events(ofPart part: Int) -> [TraceEvent] {
    switch part {
    case 0: names
    case 1: screen
    case 2..<(2 + threads.count): events(of: ThreadIndex(part - 2))
    default: events(ofLock: LockIndex(part - 2 - threads.count))
    }
  }

  // MARK: Tracks

  /// The main thread has its process's number, by which viewers know it.
  func track(_ thread: ThreadIndex) -> TraceTrack { track(thread.position) }

  /// Locks follow the threads.
  func track(_ lock: LockIndex) -> TraceTrack { track(threads.count + lock.position) }

  private var vsyncTrack: TraceTrack { track(trace.plan.arrangement.locks.endIndex) }
  private var dropTrack: TraceTrack { track(parts - 1) }

  private func track(_ place: Int) -> TraceTrack {
    TraceTrack(process: process, thread: process + place)
  }

  private var name: String {
    let repetition = row.repetition == 1 ? "" : "#\(row.repetition)"
    let parts = [
      row.log.scenario, row.log.strategy.label, row.changes, row.log.engine.rawValue, repetition,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private var names: [TraceEvent] {
    let locks = trace.plan.arrangement.locks.indices.map {
      (track($0), "lock \(trace.plan.arrangement.locks[$0].name)", TrackRole.lock)
    }
    let tracks =
      [(vsyncTrack, "vsyncs", TrackRole.screen), (dropTrack, "dropped frames", .screen)]
      + threads.indices.map { (track($0), threads[$0], .thread) } + locks
    let ofThreads = tracks.enumerated().flatMap { place, track in
      [
        TraceEvent.name(track.1, of: track.0, track.2),
        TraceEvent(.threadOrder, track.0, ("sort_index", .number(String(place)))),
      ]
    }
    return [
      TraceEvent(
        .process, track(.main), ("name", .text(name)),
        ("repetition", .number(String(row.repetition)))),
      TraceEvent(.processOrder, track(.main), ("sort_index", .number(String(process)))),
    ] + ofThreads
  }

  // MARK: The screen

  /// Vsyncs, what was dropped at them, and each frame's begin and end.
  private var screen: [TraceEvent] {
    let frames = row.log.frames
    let vsyncs = (0..<frames.vsyncs).map { number in
      mark(.vsync, at: frames.refresh.vsync(number + 1), (.vsync, number + 1))
    }
    let drawn = frames.records.enumerated().flatMap { number, frame in
      let begin = frames.refresh.vsync(frame.beginVsync)
      return [mark(.begin, at: begin, (.frame, number))]
        + (frame.presentVsync <= frames.vsyncs
          ? [mark(.draw, at: frame.ready, (.frame, number))] : [])
    }
    return vsyncs + drawn + frames.records.enumerated().flatMap(drops)
  }

  /// A mark across all threads at each vsync at which this frame should have been shown.
  private func drops(_ number: Int, _ frame: FrameRecord) -> [TraceEvent] {
    frame.droppedVsyncs.map { vsync in
      TraceEvent(
        name: ScreenEvent.drop.rawValue, category: .dropped, track: dropTrack,
        kind: .mark(row.log.frames.refresh.vsync(vsync), acrossProcess: true),
        arguments: [
          (ScreenEvent.Argument.frame.rawValue, .number(String(number))),
          (ScreenEvent.Argument.vsync.rawValue, .number(String(vsync))),
          (FrameColumn.cause.name, .text(frame.cause(at: vsync)?.name ?? "")),
        ])
    }
  }

  private func mark(
    _ event: ScreenEvent, at instant: Instant, _ number: (of: ScreenEvent.Argument, is: Int)
  ) -> TraceEvent {
    TraceEvent(
      name: event.rawValue, category: .screen, track: vsyncTrack,
      kind: .mark(instant, acrossProcess: false),
      arguments: [(number.of.rawValue, .number(String(number.is)))])
  }
}
