import FrameBudget
import Parsing

/// The project's own per-frame CSV (`--frames`): every run in it becomes a row again, exactly.
struct FramesTable: LogTable {
  static let format = LogFormat.frames

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
  private var streams = StreamTable()
  private var runs: [Run] = []

  fileprivate struct Run {
    let refresh: RefreshRate
    let duration: TimeSpan
    /// Whether a frame's begin is when its thread woke; a run in virtual time takes the vsync for it.
    let hasRealClock: Bool
    let expected: Int
    var timeline: ScreenTimeline<Distribution>
    /// The vsync at which the next frame begins.
    var next = 0
    /// Names causes that are not known here.
    var hasOtherCauses = false
  }

  /// A day: no run is longer.
  private static let longest: Int64 = 86_400_000_000_000

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    let keys: [RunKey] = [.scenario, .strategy, .options, .changes, .engine, .repetition]
    let places = keys.compactMap { header.place($0.name) }
    func whole(_ column: FrameColumn) -> TimeColumn? { header.time((column.name, 0)) }
    guard header.names.first == RunKey.schema.name, places.count == keys.count,
      let hz = header.place(RunKey.refresh.name),
      let duration = header.time((RunKey.duration.name, 6)),
      let begin = whole(.beginVsync), let shown = whole(.presentVsync),
      let woke = whole(.begin), let end = whole(.workEnd),
      let cause = header.place(FrameColumn.cause.name)
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
    guard (0...Self.longest).contains(length) else {
      throw InputError("duration_ms is longer than a day, or negative")
    }
    runs.append(
      Run(
        refresh: refresh, duration: .nanoseconds(length),
        hasRealClock: fields.text(engine, of: line) == EngineKind.real.rawValue,
        expected: refresh.vsyncs(through: Instant(nanoseconds: length)),
        timeline: ScreenTimeline(refresh: refresh)))
    streams.tallies[runs.count - 1].use(refresh)
  }

  private mutating func read(
    _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int, _ stream: Int
  ) throws(InputError) {
    guard case .value(let begin) = try fields.time(begin, of: line),
      case .value(let shown) = try fields.time(shown, of: line),
      case .value(let woke) = try fields.time(woke, of: line),
      case .value(let end) = try fields.time(end, of: line),
      (0...Int64(runs[stream].expected)).contains(begin),
      (begin + 1...Int64(runs[stream].expected) + 1).contains(shown)
    else { throw InputError("a frame's begin, end and vsyncs do not fit together") }
    guard begin == runs[stream].next else {
      throw InputError(
        "the frame begins at vsync \(begin), the one before was shown at \(runs[stream].next); "
          + "are there lines missing?")
    }
    let vsync = runs[stream].refresh.vsync(Int(begin)).nanoseconds
    guard end >= vsync, woke >= 0, woke <= end else {
      throw InputError("a frame ends before it begins")
    }
    streams.tallies[stream].doubts.row()
    streams.tallies[stream].timed(end - vsync)
    let begun = runs[stream].hasRealClock ? woke : vsync
    runs[stream].timeline.worked(
      .nanoseconds(end - vsync), sinceBegin: .nanoseconds(end - begun))
    runs[stream].show(Int(begin), at: Int(shown), cause: fields.text(cause, of: line))
  }

  consuming func finish() -> [ImportedFrames] {
    for stream in runs.indices {
      runs[stream].timeline.end(at: runs[stream].expected)
      streams.tallies[stream].take(runs[stream].timeline)
    }
    return runs.indices.map { stream in
      ImportedFrames(
        streams.keys[stream], streams.tallies[stream], showsDisplay: true,
        duration: runs[stream].duration, unknown: runs[stream].hasOtherCauses ? .causes : [])
    }
  }
}

extension FramesTable.Run {
  fileprivate mutating func show(_ begin: Int, at vsync: Int, cause name: String) {
    let cause = Cause.allCases.first { $0.name == name }
    if cause == nil, !name.isEmpty { hasOtherCauses = true }
    next = vsync
    timeline.show(begin: begin, at: vsync, cause: cause)
  }
}
