import FrameBudget
import FrameBudgetParsing

/// The formats of frame logs. Tables are tried in this order, so more specific ones come first.
public enum LogFormat: String, CaseIterable, Sendable {
  case presentMon = "PresentMon"
  case mangoHud = "MangoHud"
  case capFrameX = "CapFrameX"
  case frameStats = "gfxinfo framestats"
  case chromeTrace = "Chrome trace"
  case frameTimeline = "Perfetto FrameTimeline"
  case frames = "framebudget frames"
  case trace = "framebudget trace"
  case timestamps = "timestamp CSV"
  case fraps = "Fraps"
  case unreal = "Unreal CSV"
  case surfaceFlinger = "SurfaceFlinger latency"
  case benchmarkData = "AndroidX benchmarkData"
  case flutterSummary = "Flutter timeline summary"
  case xctrace = "Instruments (xctrace export)"
  case firefox = "Firefox profile"
  case wayland = "ftrace of a Wayland client"
  case sysprof = "sysprof capture"

  /// The words for the list of formats, and the reader if it is a table.
  private var traits: (words: String, table: (any LogTable.Type)?) {
    switch self {
    case .presentMon: ("PresentMon (1, 2, current)", PresentMonTable.self)
    case .mangoHud: ("MangoHud", MangoHudTable.self)
    case .capFrameX: ("CapFrameX JSON", nil)
    case .frameStats: ("Android gfxinfo framestats", FrameStatsTable.self)
    case .chromeTrace: ("Chrome trace (JSON or Perfetto)", nil)
    case .frameTimeline: ("Perfetto's FrameTimeline", nil)
    case .frames: ("framebudget --frames", FramesTable.self)
    case .trace: ("framebudget --trace", nil)
    case .xctrace: ("Instruments' xctrace export", nil)
    case .firefox: ("Firefox's profiles", nil)
    case .wayland: ("ftrace with probes on a client of Wayland", nil)
    case .sysprof: ("sysprof's captures", nil)
    case .timestamps: ("a CSV with a column 'timestamp'", TimestampTable.self)
    case .fraps: ("Fraps", FrapsTable.self)
    case .unreal: ("Unreal's CSV profiler", UnrealTable.self)
    case .surfaceFlinger: ("Android SurfaceFlinger --latency", LatencyTable.self)
    case .benchmarkData: ("AndroidX benchmarkData.json", nil)
    case .flutterSummary: ("Flutter's timeline_summary.json", nil)
    }
  }

  /// The list of formats, for an error about an unknown log.
  public static var known: String {
    let words = allCases.map(\.traits.words)
    return words.dropLast().joined(separator: ", ") + ", or \(words[words.count - 1])"
  }

  /// Reads an unpacked log; nil if its format is unknown.
  static func read(
    _ source: consuming ByteSource, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames])? {
    let opening = try source.peek(4096)
    if SysprofCapture.isCapture(opening) {
      return (.sysprof, try RecordedFrames.read(RereadableInput(source), requested: refresh))
    }
    if TraceReader.recognises(opening) {
      let input = try RereadableInput(source)
      if let runs = try OwnTraceLog.read(input.open(), requested: refresh) {
        return (.trace, runs)
      }
      return (.trace, try RecordedFrames.read(input, requested: refresh))
    }
    if XctraceTables.isExport(opening) {
      return (.xctrace, try XctraceLog.read(source, refresh: refresh))
    }
    if GeckoProfile.isProfile(opening) {
      return (.firefox, try RecordedFrames.read(RereadableInput(source), requested: refresh))
    }
    if JSONReader.isJSON(opening) { return try json(source, refresh: refresh) }
    // No text has such bytes, but one may begin like a protobuf message.
    if opening.contains(where: { $0 < 9 }), PerfettoFile.isPerfetto(opening) {
      return try perfetto(RereadableInput(source), refresh: refresh)
    }
    if SystraceRecording.isSystrace(opening) {
      return try wayland(RereadableInput(source), refresh: refresh)
    }
    return try table(source, refresh: refresh)
  }

  /// Nil for other texts of ftrace, which have no frames of the screen.
  private static func wayland(
    _ input: RereadableInput, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames])? {
    guard let found = try? SystraceRecording().index(RecordingInput(input)),
      found.index.format == .wayland
    else { return nil }
    return (.wayland, try RecordedFrames.read(input, requested: refresh))
  }

  private static func perfetto(
    _ input: RereadableInput, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames]) {
    let file = try PerfettoFile(input.open())
    if !file.timelines.isEmpty {
      return (
        .frameTimeline, try RecordedFrames.read(input, of: file.timelines, requested: refresh)
      )
    }
    var trace = ChromeTrace(refresh: refresh)
    try trace.read(file)
    return (.chromeTrace, try trace.finish())
  }

  /// The format of the file at `path`, if it is a log with frames.
  public static func format(of path: String) -> LogFormat? {
    guard let (format, streams) = try? content(of: path) else { return nil }
    return streams.contains { $0.rows > 0 } ? format : nil
  }

  /// The format of the file at `path` and what it holds; nil if it cannot be opened, or is no log.
  private static func content(
    of path: String
  ) throws(InputError) -> (LogFormat, [ImportedFrames])? {
    guard var source = try? ByteSource(path: path) else { return nil }
    try source.unpack()
    return try read(source, refresh: nil)
  }

  /// The error on the file at `path` if it is a log, for readers of recordings.
  static func isLog(_ path: String?) -> InputError? {
    guard let path else { return nil }
    do throws(InputError) {
      guard let (format, streams) = try content(of: path), !streams.isEmpty else { return nil }
      return InputError(
        "is a log of frames (\(format.rawValue)), not a recording; 'framebudget import \(path)' computes its metrics",
        file: path)
    } catch {
      return error == ForeignFile.lighthouse ? error : nil
    }
  }
}

// MARK: JSON

extension LogFormat {
  private static func json(
    _ source: consuming ByteSource, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames])? {
    var reader = try JSONReader(source)
    var capture = CapFrameXLog(refresh: refresh)
    var trace = ChromeTrace(refresh: refresh)
    var benchmarks = BenchmarkDataLog()
    var summary = FlutterSummaryLog()
    if try reader.kind() == .array {
      try trace.readEvents(&reader)
    } else {
      try reader.object { (reader, key) throws(InputError) in
        switch key {
        case "traceEvents": try trace.readEvents(&reader)
        case "Info": try capture.readInfo(&reader)
        case "Runs": try capture.readRuns(&reader)
        case "context": try benchmarks.readContext(&reader)
        case "benchmarks": try benchmarks.read(&reader)
        case "lighthouseVersion": throw ForeignFile.lighthouse
        case _ where FlutterSummaryLog.keys.contains(key): try summary.read(key, &reader)
        default: try reader.skip()
        }
      }
    }
    try reader.end()
    if capture.hasRuns { return (.capFrameX, capture.finish()) }
    if benchmarks.hasFrames { return (.benchmarkData, benchmarks.finish()) }
    if summary.hasFrames { return (.flutterSummary, summary.finish()) }
    guard trace.hasEvents else { return nil }
    return (.chromeTrace, try trace.finish())
  }
}

// MARK: Tables

/// A frame log that is a table. It reads each line once and keeps only tallies.
protocol LogTable {
  /// Nil unless a log of this format begins with the line in `header`.
  init?(_ header: LogHeader, refresh: RefreshRate?)
  /// Reads a line that is not empty.
  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError)
  consuming func finish() throws(InputError) -> [ImportedFrames]
}

extension LogTable {
  /// Generic instead of existential: a value in a box would be copied for each line.
  consuming func read(from lines: inout LineReader) throws(InputError) -> [ImportedFrames] {
    var table = self
    var fields = CSVFields()
    try lines.forEach { (line, number) throws(InputError) in
      if line.isEmpty { return }
      do throws(InputError) {
        try fields.split(line)
        try table.row(fields, line, number: number)
      } catch {
        throw InputError(error.reason, line: number)
      }
    }
    return try table.finish()
  }
}

extension LogFormat {
  /// The header is among the first lines: MangoHud writes machine facts before it, dumpsys a heading.
  private static let longestPreamble = 200

  private static func table(
    _ source: consuming ByteSource, refresh: RefreshRate?
  ) throws(InputError) -> (LogFormat, [ImportedFrames])? {
    var lines = LineReader(source)
    var found: (format: LogFormat, table: any LogTable)?
    var before = LogHeader([])
    try lines.forEachWhile { (line, number) throws(InputError) in
      var fields = CSVFields()
      guard (try? fields.split(line)) != nil else { return number < longestPreamble }
      let texts = fields.texts(of: line)
      before = LogHeader(texts, machine: before.machine(in: texts) ?? before.machine)
      found = recognise(before, refresh: refresh)
      return found == nil && number < longestPreamble
    }
    guard let found else { return nil }
    return (found.format, try found.table.read(from: &lines))
  }

  private static func recognise(
    _ header: LogHeader, refresh: RefreshRate?
  ) -> (format: LogFormat, table: any LogTable)? {
    for format in allCases {
      if let table = format.traits.table?.init(header, refresh: refresh) { return (format, table) }
    }
    return nil
  }
}
