import FrameBudget
import Parsing

/// The project's own per-frame CSV (`--frames`): every run in it becomes a row again, exactly.
struct FramesTable: LogTable {
  static let format = LogFormat.frames

  private let width: Int
  private let scenario: Int
  private let key: [Int]
  private let hz: Int
  private let duration: TimeColumn
  private let begin: TimeColumn
  private let shown: TimeColumn
  private let end: TimeColumn
  private var streams = StreamTable()
  private var runs: [Run] = []

  private struct Run {
    let refresh: RefreshRate
    let expected: Int
  }

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    let keys = ["scenario", "strategy", "options", "changes", "engine", "repetition"]
    let places = keys.compactMap { header.place($0) }
    guard header.names.first == "schema", places.count == keys.count,
      let hz = header.place("refresh_hz"), let duration = header.time(("duration_ms", 6)),
      let begin = header.time(("begin_vsync", 0)), let shown = header.time(("present_vsync", 0)),
      let end = header.time(("work_end_ns", 0))
    else { return nil }
    width = header.names.count
    scenario = places[0]
    key = places
    self.hz = hz
    self.duration = duration
    self.begin = begin
    self.shown = shown
    self.end = end
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    if line.isEmpty { return }
    try fields.require(width)
    let places = key
    let stream = try streams.index(of: places, in: fields, line, refresh: nil) { fields, line in
      let texts = places.map { fields.text($0, of: line) }
      return StreamKey(process: texts[0], swapChain: texts.dropFirst().joined(separator: " "))
    }
    if stream == runs.count { try appendRun(fields, line) }
    try read(fields, line, number, stream)
  }

  private mutating func appendRun(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) {
    guard let refresh = RefreshRate(printed: fields.text(hz, of: line)),
      case .value(let length) = try fields.time(duration, of: line)
    else { throw InputError("refresh_hz and duration_ms are needed") }
    let expected = refresh.vsyncs(through: Instant(nanoseconds: length))
    runs.append(Run(refresh: refresh, expected: expected))
    streams.tallies[runs.count - 1].use(period: 1e9 / refresh.hertz)
  }

  private mutating func read(
    _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int, _ stream: Int
  ) throws(InputError) {
    let run = runs[stream]
    guard case .value(let begin) = try fields.time(begin, of: line),
      case .value(let shown) = try fields.time(shown, of: line),
      case .value(let end) = try fields.time(end, of: line),
      (0...Int64(run.expected)).contains(begin),
      (begin + 1...Int64(run.expected) + 1).contains(shown)
    else { throw InputError("a frame's begin, end and vsyncs do not fit together") }
    streams.tallies[stream].doubts.row()
    let vsync = run.refresh.vsync(Int(begin)).nanoseconds
    guard end >= vsync else { throw InputError("a frame ends before it begins") }
    streams.tallies[stream].frame(end - vsync)
    if shown <= run.expected {
      let interval = run.refresh.vsync(Int(shown)).nanoseconds - vsync
      streams.tallies[stream].shown(late: Int(shown - begin) - 1, interval: interval)
    } else {
      streams.tallies[stream].missed(run.expected - Int(begin))
    }
  }

  consuming func finish() -> [ImportedFrames] { streams.imported(showsDisplay: true) }
}
