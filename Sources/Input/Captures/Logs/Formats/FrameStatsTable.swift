import FrameBudget
import FrameBudgetParsing

/// Android's `dumpsys gfxinfo PACKAGE framestats`: blocks of frames between `---PROFILEDATA---` lines.
///
/// A frame lasts from `IntendedVsync` to `FrameCompleted`, which is exactly `E - V(b)`, so vsyncs are compared exactly. Several
/// frames may be under way at once, so the vsyncs between one image and the next are counted. Pauses between frames mean that
/// the app had nothing to draw; they are not drops. Android marks rows by `Flags` that must not be counted. The dump may be
/// indented, as part of a larger one.
///
/// From Android 12 on, a frame in time is one that meets its `FrameDeadline`, and a late one appeared at its
/// `DisplayPresentTime`. AOSP's FrameInfo.cpp names `FrameInterval` and `FrameStartTime` in the other order than FrameInfo.h
/// numbers them (android-12.0.0_r1 to android-15.0.0_r1), so the period is the one of both that a display can have.
struct FrameStatsTable: LogTable {
  private static let nanoseconds = 0

  fileprivate struct Columns {
    let width: Int
    let flags: Int
    let intended: TimeColumn
    let completed: TimeColumn
    /// From Android 12 on.
    let periods: [TimeColumn]
    let deadline: TimeColumn?
    let presented: TimeColumn?
  }

  /// The newest frame of a stream.
  private struct Newest {
    /// When it was asked for.
    var vsync = Int64.min
    /// When its image was shown, on the clock of vsyncs at which frames are asked for.
    var shown = InputTime.instants.lowerBound
    /// How long after the deadline images of frames in time appear; nil while there is none.
    var delay: Int64?

    /// By how many vsyncs a frame is late that was completed `overrun` after its deadline, and `shown` after it if known.
    mutating func late(_ overrun: Int64, shown: Int64?, _ period: Double) -> Double {
      guard overrun > 0 else {
        delay = shown ?? delay
        return 0
      }
      guard let shown, let delay else { return (Double(overrun) / period).rounded(.up) }
      return max(0, (Double(shown - delay) / period).rounded())
    }
  }

  private let refresh: RefreshRate?
  private var columns: Columns?
  private var window = "window"
  private var names: [String] = []
  private var streams = StreamTable()
  /// By stream.
  private var newest: [Newest] = []

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
      periods: ["frameinterval", "framestarttime"].compactMap { header.time(($0, nanoseconds)) },
      deadline: header.time(("framedeadline", nanoseconds)),
      presented: header.time(("displaypresenttime", nanoseconds)))
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
    let before = newest[stream].vsync
    guard vsync > before else { return }
    if before > .min { streams.tallies[stream].rested(vsync - before) }
    newest[stream].vsync = vsync
    if let refresh = try columns.refresh(fields, line) { streams.tallies[stream].use(refresh) }
    let (span, overflow) = completed.subtractingReportingOverflow(vsync)
    let point = overflow ? FixedPoint.outOfRange : .value(span)
    guard
      let span = streams.tallies[stream].span(
        point, columns.completed, fields, line, number: number)
    else { return }
    let deadline = try columns.since(vsync, columns.deadline, fields, line)
    if let deadline { streams.tallies[stream].spans.overruns.add(span - deadline) }
    streams.tallies[stream].frame(span)
    if let period = streams.tallies[stream].refresh.map({ 1e9 / $0.hertz }) {
      let presented = try columns.since(vsync, columns.presented, fields, line)
      show(span, deadline: deadline, presented: presented, period: period, stream)
    }
  }

  /// Counts the vsyncs up to the image of the newest frame, which was completed after `span`. All times are since its vsync.
  private mutating func show(
    _ span: Int64, deadline: Int64?, presented: Int64?, period: Double, _ stream: Int
  ) {
    let most = Double(Pipeline.deadlines.upperBound)
    let due = min(max(1, (Double(deadline ?? 0) / period).rounded()), most)
    let late =
      if let deadline {
        newest[stream].late(span - deadline, shown: presented.map { $0 - deadline }, period)
      } else {
        max(0, (Double(span) / period).rounded(.up) - due)
      }
    let frame = newest[stream]
    // A vsync shows one image: an image that is ready for a used vsync is shown at the next one.
    let before = max(frame.shown, frame.vsync + Int64((due - 1) * period))
    let now = max(frame.vsync + Int64((due + late) * period), frame.shown + Int64(period))
    let vsyncs = max(1, (Double(now - before) / period).rounded())
    newest[stream].shown = now
    streams.tallies[stream].shown(afterGap: Int(vsyncs) - 1, interval: Int64(vsyncs * period))
  }

  private mutating func stream() throws(InputError) -> Int {
    if let known = names.firstIndex(of: window) { return known }
    names.append(window)
    newest.append(Newest())
    return try streams.append(StreamKey(process: window), refresh: refresh, clock: .vsyncs)
  }

  consuming func finish() -> [ImportedFrames] { streams.imported(showsDisplay: true) }
}

extension FrameStatsTable.Columns {
  /// The display's rate, by the value of a period.
  fileprivate func refresh(
    _ fields: CSVFields, _ line: Span<UInt8>
  ) throws(InputError) -> RefreshRate? {
    for column in periods {
      if case .value(let period) = try fields.time(column, of: line),
        let refresh = RefreshRate(period: .nanoseconds(period))
      {
        return refresh
      }
    }
    return nil
  }

  /// The time from `vsync` to the later instant in `column`; nil if the dump does not have one that a frame can have. Android
  /// writes 0, or the largest number, for an instant that it does not know.
  fileprivate func since(
    _ vsync: Int64, _ column: TimeColumn?, _ fields: CSVFields, _ line: Span<UInt8>
  ) throws(InputError) -> Int64? {
    guard let column, case .value(let instant) = try fields.time(column, of: line),
      InputTime.instants.contains(instant), InputTime.frames.contains(instant - vsync)
    else { return nil }
    return instant - vsync
  }
}
