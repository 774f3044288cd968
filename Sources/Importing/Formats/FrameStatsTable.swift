import FrameBudget
import Parsing

/// Android's `dumpsys gfxinfo PACKAGE framestats`: blocks of frames between `---PROFILEDATA---` lines.
///
/// A frame runs from `IntendedVsync` to `FrameCompleted`, which is `E - V(b)` itself, so its vsyncs are
/// compared exactly. Pauses between frames are the app having nothing to draw, not drops. Rows whose
/// `Flags` are set are marked by Android as not to be counted.
struct FrameStatsTable: LogTable {
  static let format = LogFormat.frameStats
  private static let nanoseconds = 0

  private struct Columns {
    let width: Int
    let flags: Int
    let intended: TimeColumn
    let completed: TimeColumn
    let interval: TimeColumn?
  }

  private let refresh: RefreshRate?
  private var columns: Columns?
  private var window = "window"
  private var names: [String] = []
  private var streams = StreamTable()
  private var newest: [Int64] = []

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    self.refresh = refresh
    let first = header.names.first ?? ""
    let opens = ["applications graphics acceleration info", "** graphics info for pid"]
    guard
      opens.contains(where: first.hasPrefix) || first == "---profiledata---"
        || first == "flags" && header.place("intendedvsync") != nil
    else { return nil }
    columns = Self.columns(header)
  }

  private static func columns(_ header: LogHeader) -> Columns? {
    guard let flags = header.place("flags"),
      let intended = header.time(("intendedvsync", nanoseconds)),
      let completed = header.time(("framecompleted", nanoseconds))
    else { return nil }
    // Each row ends in a comma, and so does the header.
    return Columns(
      width: header.names.count, flags: flags, intended: intended, completed: completed,
      interval: header.time(("frameinterval", nanoseconds)))
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    if line.isEmpty { return }
    let isDigit = line[0] &- UInt8(ascii: "0") <= 9
    guard isDigit, let columns else { return notice(fields.texts(of: line)) }
    try fields.require(columns.width)
    try read(columns, fields, line, number)
  }

  /// Takes notice of a line that is not a frame: a new window, a header, the end of a block.
  private mutating func notice(_ texts: [String]) {
    let first = texts.first ?? ""
    if first.hasPrefix("Window:") {
      window = String(first.dropFirst(7).drop { $0 == " " })
    } else if first == "Flags" {
      columns = Self.columns(LogHeader(texts))
    } else if first.hasPrefix("---PROFILEDATA---") {
      columns = nil
    }
  }

  private mutating func read(
    _ columns: Columns, _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int
  ) throws(InputError) {
    let stream = try stream()
    streams.tallies[stream].doubts.row()
    let begin = try fields.time(columns.intended, of: line)
    let end = try fields.time(columns.completed, of: line)
    guard FixedPoint.parse(line, fields.range(columns.flags), places: 0) == .value(0),
      case .value(let vsync) = begin, case .value(let completed) = end
    else { return streams.tallies[stream].doubts.missed() }
    // The same frames come again in the next dump of one file.
    guard vsync > newest[stream] else { return }
    newest[stream] = vsync
    if let column = columns.interval, case .value(let period) = try fields.time(column, of: line),
      (1_000_000...1_000_000_000).contains(period)
    {
      streams.tallies[stream].use(period: Double(period))
    }
    let (span, overflow) = completed.subtractingReportingOverflow(vsync)
    let point = overflow ? FixedPoint.outOfRange : .value(span)
    count(point, columns, fields, line, number, stream)
  }

  private mutating func count(
    _ point: FixedPoint, _ columns: Columns, _ fields: CSVFields, _ line: Span<UInt8>,
    _ number: Int, _ stream: Int
  ) {
    guard
      let span = streams.tallies[stream].span(
        point, columns.completed, fields, line, number: number)
    else { return }
    streams.tallies[stream].frame(span)
    guard let period = streams.tallies[stream].period else { return }
    let vsyncs = max(1, (Double(span) / period).rounded(.up))
    streams.tallies[stream].shown(late: Int(vsyncs) - 1, interval: Int64(vsyncs * period))
  }

  private mutating func stream() throws(InputError) -> Int {
    if let known = names.firstIndex(of: window) { return known }
    names.append(window)
    newest.append(.min)
    return try streams.append(StreamKey(process: window), refresh: refresh)
  }

  consuming func finish() -> [ImportedFrames] { streams.imported(showsDisplay: true) }
}
