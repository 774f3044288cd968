import FrameBudget
import FrameBudgetParsing

/// The project's own per-frame CSV (`--frames`): reconstructs the exact row of every run in it.
struct FramesTable: LogTable {
  private let requested: RefreshRate?
  private let width: Int
  private let key: [Int]
  private let hz: Int
  private let duration: TimeColumn
  private let begin: TimeColumn
  private let shown: TimeColumn
  private let woke: TimeColumn
  private let end: TimeColumn
  private let cause: Int
  /// Nil in files of earlier versions, without a pipeline.
  private let pipeline: PipelineColumns?
  /// Nil in files of earlier versions.
  private let asked: TimeColumn?
  private let hangs: Int?
  private var streams = StreamTable(limit: StreamTable.maxRuns)
  private var runs: [OwnRun] = []

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
    requested = refresh
    width = header.names.count
    key = places
    self.hz = hz
    self.duration = duration
    self.begin = begin
    self.shown = shown
    self.woke = woke
    self.end = end
    self.cause = cause
    pipeline = PipelineColumns(header)
    asked = whole(.askedVsync)
    hangs = header.column(FrameColumn.hangsBetween.name)
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
      return StreamKey(
        process: texts[0], swapChain: texts.dropFirst().joined(separator: " "), app: "")
    }
    if stream == runs.count {
      runs.append(try run(fields, line, from: try frame(fields, line, through: nil)))
    }
    try runs[stream].add(try frame(fields, line, through: runs[stream].expected))
  }

  private func run(
    _ fields: CSVFields, _ line: Span<UInt8>, from first: OwnRun.Frame
  ) throws(InputError) -> OwnRun {
    guard let refresh = RefreshRate(printed: fields.text(hz, of: line)),
      case .value(let length) = try fields.time(duration, of: line)
    else { throw InputError("refresh_hz and duration_ms are needed") }
    return try OwnRun(refresh: refresh, length: length, first: first, requested: requested)
  }

  /// The frame in a line; `last` is the last vsync of its run.
  private func frame(
    _ fields: CSVFields, _ line: Span<UInt8>, through last: Int?
  ) throws(InputError) -> OwnRun.Frame {
    let last = last.map { Int64($0) } ?? InputTime.vsyncs.upperBound
    guard let begin = try fields.whole(begin, in: 0...last, of: line),
      let shown = try fields.whole(shown, in: 0...last + 1, of: line), shown > begin,
      let woke = try fields.whole(woke, in: InputTime.runInstants, of: line),
      let end = try fields.whole(end, in: InputTime.runInstants, of: line)
    else { throw InputError("a frame's begin, end and vsyncs do not fit together") }
    return OwnRun.Frame(
      begin: Int(begin), asked: try asked(fields, line), shown: Int(shown), woke: woke, end: end,
      cause: fields.text(cause, of: line), pipeline: try pipeline?.values(fields, line),
      hangs: hangs.map { fields.text($0, of: line) } ?? "")
  }

  private func asked(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> Int? {
    guard let asked else { return nil }
    guard let vsync = try fields.whole(asked, in: InputTime.vsyncs, of: line) else {
      throw InputError("asked_vsync is needed")
    }
    return Int(vsync)
  }

  consuming func finish() -> [ImportedFrames] {
    zip(streams.keys, runs).map { $1.imported($0) }
  }
}

/// The positions of the columns about the pipeline.
private struct PipelineColumns: Sendable {
  private let due: TimeColumn
  private let ready: TimeColumn
  private let dropped: TimeColumn
  private let beginCause: Int
  private let isStuffed: Int
  private let isOnDemand: Int

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

  func values(
    _ fields: CSVFields, _ line: Span<UInt8>
  ) throws(InputError) -> OwnRun.Frame.Pipeline {
    guard let due = try fields.whole(due, in: InputTime.vsyncs, of: line),
      let ready = try fields.whole(ready, in: InputTime.runInstants, of: line),
      let dropped = try fields.whole(dropped, in: InputTime.vsyncs, of: line)
    else { throw InputError("due_vsync, ready_ns and dropped_vsyncs are needed") }
    return OwnRun.Frame.Pipeline(
      due: Int(due), ready: ready, dropped: Int(dropped),
      beginCause: fields.text(beginCause, of: line),
      isStuffed: fields.text(isStuffed, of: line) == "1",
      isOnDemand: fields.text(isOnDemand, of: line) == "1")
  }
}
