import FrameBudget
import FrameBudgetParsing

/// Android's `dumpsys gfxinfo PACKAGE framestats`: blocks of frames between `---PROFILEDATA---` lines.
///
/// A frame lasts from `IntendedVsync` to `FrameCompleted`, which is exactly `E - V(b)`, so vsyncs are compared exactly. Several
/// frames may be under way at once, so the vsyncs between one image and the next are counted. Pauses between frames mean that
/// the app had nothing to draw; they are not drops. Android marks rows by `Flags` that must not be counted. The dump may be
/// indented, as part of a larger one.
struct FrameStatsTable: LogTable {
  private static let nanoseconds = 0

  private struct Columns {
    let width: Int
    let flags: Int
    let intended: TimeColumn
    let completed: TimeColumn
    let interval: TimeColumn?
    /// From Android 12 on.
    let deadline: TimeColumn?
  }

  private let refresh: RefreshRate?
  private var columns: Columns?
  private var window = "window"
  private var names: [String] = []
  private var streams = StreamTable()
  private var newest: [Int64] = []
  /// By stream: when the newest image was shown.
  private var shown: [Int64] = []

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    self.refresh = refresh
    let first = header.names.first ?? ""
    let opens = ["applications graphics acceleration info", "** graphics info for pid"]
    guard
      opens.contains(where: first.hasPrefix) || first == "---profiledata---"
        || first == "flags" && header.column("intendedvsync") != nil
    else { return nil }
    columns = Self.columns(header)
  }

  private static func columns(_ header: LogHeader) -> Columns? {
    guard let flags = header.column("flags"),
      let intended = header.time(("intendedvsync", nanoseconds)),
      let completed = header.time(("framecompleted", nanoseconds))
    else { return nil }
    // Each row, including the header, ends with a comma.
    return Columns(
      width: header.names.count, flags: flags, intended: intended, completed: completed,
      interval: header.time(("frameinterval", nanoseconds)),
      deadline: header.time(("framedeadline", nanoseconds)))
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    let first = line.indices.first { ![0x20, 0x09].contains(line[$0]) }
    let isDigit = first.map { line[$0] &- UInt8(ascii: "0") <= 9 } ?? false
    guard isDigit, let columns else { return notice(fields.texts(of: line)) }
    try fields.require(columns.width)
    try read(columns, fields, line, number)
  }

  /// Handles a line that is not a frame: a new window, a header, the end of a block.
  private mutating func notice(_ texts: [String]) {
    let first = (texts.first ?? "").drop { $0 == " " || $0 == "\t" }
    if first.hasPrefix("Window:") {
      window = String(first.dropFirst(7).drop { $0 == " " })
    } else if first.hasPrefix("Flags") {
      columns = Self.columns(LogHeader(texts))
    } else if first.hasPrefix("---PROFILEDATA---") {
      columns = nil
    }
  }

  private mutating func read(
    _ columns: Columns, _ fields: CSVFields, _ line: Span<UInt8>, _ number: Int
  ) throws(InputError) {
    let stream = try stream()
    streams.tallies[stream].issues.row()
    let begin = try fields.time(columns.intended, of: line)
    let end = try fields.time(columns.completed, of: line)
    guard FixedPoint.parse(line, fields.range(columns.flags), places: 0) == .value(0),
      case .value(let vsync) = begin, case .value(let completed) = end,
      InputTime.instants.contains(vsync)
    else { return streams.tallies[stream].issues.missed() }
    // The next dump in the file repeats these frames.
    guard vsync > newest[stream] else { return }
    if newest[stream] > .min { streams.tallies[stream].issues.rested(vsync - newest[stream]) }
    newest[stream] = vsync
    if let column = columns.interval, case .value(let period) = try fields.time(column, of: line),
      let refresh = RefreshRate(period: .nanoseconds(period))
    {
      streams.tallies[stream].use(refresh)
    }
    let (span, overflow) = completed.subtractingReportingOverflow(vsync)
    let point = overflow ? FixedPoint.outOfRange : .value(span)
    if let span = streams.tallies[stream].span(
      point, columns.completed, fields, line, number: number)
    {
      count(span, from: vsync, stream)
      if let column = columns.deadline,
        case .value(let deadline) = try fields.time(column, of: line),
        InputTime.instants.contains(deadline)
      {
        streams.tallies[stream].spans.overruns.add(vsync + span - deadline)
      }
    }
  }

  private mutating func count(_ span: Int64, from vsync: Int64, _ stream: Int) {
    streams.tallies[stream].frame(span)
    guard let refresh = streams.tallies[stream].refresh else { return }
    let period = 1e9 / refresh.hertz
    let needed = max(1, (Double(span) / period).rounded(.up))
    // A vsync shows one image: an image that is ready for a used vsync is shown at the next one.
    let before = max(shown[stream], vsync)
    let now = max(vsync + Int64(needed * period), shown[stream] + Int64(period))
    let vsyncs = max(1, (Double(now - before) / period).rounded())
    shown[stream] = now
    streams.tallies[stream].shown(afterGap: Int(vsyncs) - 1, interval: Int64(vsyncs * period))
  }

  private mutating func stream() throws(InputError) -> Int {
    if let known = names.firstIndex(of: window) { return known }
    names.append(window)
    newest.append(.min)
    shown.append(InputTime.instants.lowerBound)
    return try streams.append(StreamKey(process: window), refresh: refresh, clock: .vsyncs)
  }

  consuming func finish() -> [ImportedFrames] { streams.imported(showsDisplay: true) }
}
