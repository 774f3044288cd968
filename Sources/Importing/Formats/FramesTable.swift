import FrameBudget
import Parsing

/// The project's own per-frame CSV (`--frames`): reconstructs the exact row of every run in it.
struct FramesTable: LogTable {
  private let width: Int
  private let key: [Int]
  private let engine: Int
  private let hz: Int
  private let duration: TimeColumn
  private let begin: TimeColumn
  private let shown: TimeColumn
  private let woke: TimeColumn
  private let end: TimeColumn
  private let cause: Int
  /// Nil in files of earlier versions, without a pipeline.
  private let pipeline: PipelineColumns?
  private var streams = StreamTable()
  private var runs: [Run] = []

  fileprivate struct Run {
    let refresh: RefreshRate
    let duration: TimeSpan
    /// Whether a frame's begin is the wake-up of its thread; a run in virtual time uses the vsync instead.
    let hasRealClock: Bool
    let expected: Int
    let deadline: Int
    let isOnDemand: Bool
    var timeline: ScreenTimeline<Distribution>
    /// The previous frame: its vsync, and the one that showed it.
    var newest: (begin: Int, shown: Int)
    /// When the previous frame was ready.
    var ready: Instant?
    /// Whether it has causes that this version does not know.
    var hasOtherCauses = false
  }

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    let keys: [RunKey] = [.scenario, .strategy, .options, .changes, .engine, .repetition]
    let places = keys.compactMap { header.column($0.name) }
    func whole(_ column: FrameColumn) -> TimeColumn? { header.time((column.name, 0)) }
    guard header.names.first == RunKey.schema.name, places.count == keys.count,
      let hz = header.column(RunKey.refresh.name),
      let duration = header.time((RunKey.duration.name, 6)),
      let begin = whole(.beginVsync), let shown = whole(.presentVsync),
      let woke = whole(.begin), let end = whole(.workEnd),
      let cause = header.column(FrameColumn.cause.name)
    else { return nil }
    width = header.names.count
    key = places
    engine = places[4]
    self.hz = hz
    self.duration = duration
    self.begin = begin
    self.shown = shown
    self.woke = woke
    self.end = end
    self.cause = cause
    pipeline = PipelineColumns(header)
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    try fields.require(width)
    let places = key
    let stream = try streams.index(
      of: places, in: fields, line, refresh: nil, clock: .vsyncs
    ) { fields, line in
      let texts = places.map { CSVText.plain(fields.text($0, of: line)) }
      return StreamKey(process: texts[0], swapChain: texts.dropFirst().joined(separator: " "))
    }
    if stream == runs.count { try appendRun(fields, line) }
    try read(fields, line, number, stream)
  }

  private mutating func appendRun(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) {
    guard let refresh = RefreshRate(printed: fields.text(hz, of: line)),
      case .value(let length) = try fields.time(duration, of: line)
    else { throw InputError("refresh_hz and duration_ms are needed") }
    guard InputTime.spans.contains(length) else {
      throw InputError("duration_ms is longer than a day, or negative")
    }
    let deadline = try pipeline?.deadline(fields, line, from: begin) ?? 1
    let isOnDemand = pipeline.map { fields.text($0.isOnDemand, of: line) == "1" } ?? false
    let expected = refresh.vsyncs(through: Instant(nanoseconds: length))
    runs.append(
      Run(
        refresh: refresh, duration: .nanoseconds(length),
        hasRealClock: fields.text(engine, of: line) == EngineKind.real.rawValue,
        expected: expected, deadline: deadline, isOnDemand: isOnDemand,
        timeline: ScreenTimeline(
          refresh: refresh, deadline: deadline, isOnDemand: isOnDemand),
        // The last frame of the warm-up is shown before the first one can be, or after the end of a very short run.
        newest: (-1, min(deadline - 1, expected + 1))))
    streams.tallies[runs.count - 1].use(refresh)
  }

  private mutating func read(
    _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int, _ stream: Int
  ) throws(InputError) {
    let last = Int64(runs[stream].expected)
    guard let begin = try fields.whole(begin, in: 0...last, of: line),
      let shown = try fields.whole(shown, in: 0...last + 1, of: line), shown > begin,
      let woke = try fields.whole(woke, in: InputTime.runInstants, of: line),
      let end = try fields.whole(end, in: InputTime.runInstants, of: line)
    else { throw InputError("a frame's begin, end and vsyncs do not fit together") }
    let gap = try gap(fields, line, stream, begin: Int(begin), shown: Int(shown))
    let vsync = runs[stream].refresh.vsync(Int(begin)).nanoseconds
    guard end >= vsync, woke <= end else {
      throw InputError("a frame ends before it begins")
    }
    streams.tallies[stream].issues.row()
    streams.tallies[stream].timed(end - vsync)
    try addStages(
      fields, line, stream, vsync: Int(begin), begin: Instant(nanoseconds: woke),
      end: Instant(nanoseconds: end))
    let begun = runs[stream].hasRealClock ? woke : vsync
    runs[stream].timeline.worked(
      .nanoseconds(end - vsync), sinceBegin: .nanoseconds(end - begun))
    let causes = GapCauses(
      begin: pipeline.flatMap { runs[stream].cause(fields.text($0.beginCause, of: line)) },
      own: runs[stream].cause(fields.text(cause, of: line)))
    let isStuffed = pipeline.map { fields.text($0.isStuffed, of: line) == "1" } ?? false
    runs[stream].timeline.count(
      missed: causes.own == nil ? 0 : 1, stuffed: isStuffed ? 1 : 0,
      lateBegins: runs[stream].refresh.isOverBudget(.nanoseconds(woke - vsync)) ? 1 : 0)
    runs[stream].newest = (Int(begin), Int(shown))
    runs[stream].timeline.show(begin: Int(begin), gap, causes)
  }

  /// Counts the times of a frame on the main thread and in the second stage, if the file has them.
  private mutating func addStages(
    _ fields: CSVFields, _ line: Span<UInt8>, _ stream: Int, vsync: Int, begin: Instant,
    end: Instant
  ) throws(InputError) {
    guard let pipeline else { return }
    let ready = try pipeline.ready(fields, line)
    guard ready >= end else { throw InputError("a frame is ready before its work ends") }
    let frame = FrameInstants(
      vsync: vsync, due: vsync + runs[stream].deadline, begin: begin, end: end, ready: ready,
      before: runs[stream].ready, refresh: runs[stream].refresh)
    runs[stream].ready = ready
    runs[stream].timeline.staged(frame)
    streams.tallies[stream].spans.add(frame)
  }

  /// The missed vsyncs before a frame, which must follow the previous one: every vsync between two new images was dropped for
  /// the second.
  private func gap(
    _ fields: CSVFields, _ line: Span<UInt8>, _ stream: Int, begin: Int, shown: Int
  ) throws(InputError) -> DisplayGap {
    let (run, before) = (runs[stream], runs[stream].newest)
    let dropped = try pipeline?.dropped(fields, line) ?? shown - begin - 1
    let gap = DisplayGap(from: shown - dropped, to: shown, due: begin + run.deadline)
    let isCutOff = shown > run.expected && shown == before.shown && dropped == 0
    let isNext =
      run.isOnDemand ? gap.first > before.shown : gap.first == before.shown + 1
    guard begin > before.begin, isCutOff || isNext else {
      throw InputError(
        "the frame begins at vsync \(begin), the one before was shown at \(before.shown); "
          + "are there lines missing?")
    }
    return gap
  }

  consuming func finish() -> [ImportedFrames] {
    for stream in runs.indices {
      runs[stream].timeline.end(at: runs[stream].expected)
      streams.tallies[stream].take(runs[stream].timeline)
    }
    return runs.indices.map { stream in
      ImportedFrames(
        streams.keys[stream], streams.tallies[stream], showsDisplay: true, countsVsyncs: true,
        duration: runs[stream].duration, presentTimes: runs[stream].timeline.presentTimes,
        unknown: unknown(in: runs[stream]))
    }
  }
}

extension FramesTable {
  /// The data of a run that the file lacks.
  private func unknown(in run: Run) -> FrameKnowledge {
    let causes: FrameKnowledge = run.hasOtherCauses ? .causes : []
    return pipeline == nil ? causes.union(.pipeline) : causes
  }
}

extension FramesTable.Run {
  fileprivate mutating func cause(_ name: String) -> Cause? {
    let cause = Cause.allCases.first { $0.name == name }
    if cause == nil, !name.isEmpty { hasOtherCauses = true }
    return cause
  }
}

/// The positions of the columns about the pipeline.
private struct PipelineColumns: Sendable {
  private let due: TimeColumn
  private let ready: TimeColumn
  private let dropped: TimeColumn
  let beginCause: Int
  let isStuffed: Int
  let isOnDemand: Int

  init?(_ header: LogHeader) {
    guard let due = header.time((FrameColumn.dueVsync.name, 0)),
      let ready = header.time((FrameColumn.ready.name, 0)),
      let dropped = header.time((FrameColumn.dropped.name, 0)),
      let beginCause = header.column(FrameColumn.beginCause.name),
      let isStuffed = header.column(FrameColumn.isStuffed.name),
      let isOnDemand = header.column(FrameColumn.isOnDemand.name)
    else { return nil }
    (self.due, self.ready, self.dropped) = (due, ready, dropped)
    (self.beginCause, self.isStuffed, self.isOnDemand) = (beginCause, isStuffed, isOnDemand)
  }

  /// The number of vsyncs from a frame's own vsync to the one at which it was due.
  func deadline(
    _ fields: CSVFields, _ line: Span<UInt8>, from begin: TimeColumn
  ) throws(InputError) -> Int {
    guard let due = try fields.whole(due, in: InputTime.vsyncs, of: line),
      let begin = try fields.whole(begin, in: InputTime.vsyncs, of: line),
      Pipeline.deadlines.contains(Int(due - begin))
    else { throw InputError("due_vsync does not fit to begin_vsync") }
    return Int(due - begin)
  }

  func ready(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> Instant {
    guard let ready = try fields.whole(ready, in: InputTime.runInstants, of: line) else {
      throw InputError("ready_ns is needed")
    }
    return Instant(nanoseconds: ready)
  }

  func dropped(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> Int {
    guard let dropped = try fields.whole(dropped, in: InputTime.vsyncs, of: line) else {
      throw InputError("dropped_vsyncs is needed")
    }
    return Int(dropped)
  }
}
