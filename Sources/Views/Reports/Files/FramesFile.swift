public import FrameBudget
public import FrameBudgetParsing

/// Reads the output of `FramesCSV`: every run in a file, with all data of its frames.
public struct FramesFile {
  /// The runs in the order of their first lines; none if no run had a frame, because none was wanted.
  public private(set) var runs: [RecordedRun] = []
  private var columns: FramesColumns?
  /// The fields of the newest line that distinguish its run.
  private var keys: [[UInt8]] = []
  private var frames = 0

  /// Two hours at 120 Hz.
  static let maxFrames = 1_000_000
  /// As many as a page shows.
  static let maxRuns = ReportPage.maxRows

  public init(_ source: consuming ByteSource) throws(InputError) {
    try source.unpack()
    var records = CSVRecords(source)
    try records.forEachRecord { (fields, line) throws(InputError) in try read(fields, line) }
    if columns == nil { throw InputError("holds no frames", file: records.name) }
  }

  private mutating func read(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) {
    guard let columns else { return columns = try FramesColumns(fields.plain(of: line)) }
    guard frames < Self.maxFrames else { throw InputError("more than \(Self.maxFrames) frames") }
    frames += 1
    try columns.require(fields)
    if !columns.have(keys, fields, line) {
      guard runs.count < Self.maxRuns else { throw InputError("more than \(Self.maxRuns) runs") }
      keys = columns.keys(fields, line)
      runs.append(try RecordedRun(fields, line, columns))
    }
    var other: String?
    try append(try columns.frame(fields, line, otherCause: &other))
    if let other {
      let allowed = Cause.allCases.map(\.name).joined(separator: ", ")
      throw InputError("\(InputError.quoted(other)) is not a cause; allowed: \(allowed)")
    }
  }

  private mutating func append(_ frame: FrameRecord) throws(InputError) {
    let last = runs.count - 1
    if let before = runs[last].frames.last {
      guard frame.isOnDemand == before.isOnDemand else {
        throw InputError("frames of one run are all on demand, or none is")
      }
      guard
        frame.follows(
          begin: before.beginVsync, shown: before.presentVsync, last: runs[last].lastVsync)
      else { throw FrameRecord.outOfOrder }
    } else if frame.droppedVsyncs.lowerBound > Self.maxFrames {
      throw InputError("more than \(Self.maxFrames) frames are missing before the run's first one")
    }
    runs[last].frames.append(frame)
  }
}

/// The per-frame file: a line with all data of each frame of each run.
public enum FramesCSV {
  public static let header = CSV.line(columns.map(\.name))

  /// A frame and its number in the run; follows the keys of the run.
  static let columns: [Column<(number: Int, frame: FrameRecord)>] =
    RunKey.allCases.map { Column($0.name, $0.meaning) { _ in nil } }
    + FrameColumn.all.map(column) + [
      .learnedMark { _ in nil }, column(.parts), column(.partsWaiting),
    ]

  private static func column(_ column: FrameColumn) -> Column<(number: Int, frame: FrameRecord)> {
    Column(column.name, column.meaning, column.unit) { column.value($0.number, $0.frame) }
  }

  public static func lines(_ row: ReportRow) -> String {
    lines(
      row.log.frames.records, keys: SummaryCSV.keys(row),
      learned: row.keys.learned)
  }

  /// The frames so far of a run that is not over.
  public static func lines(
    _ frames: [FrameRecord], of plan: RunPlan, engine: EngineKind, cores: Int, until now: TimeSpan
  ) -> String {
    let keys: [RunKey: MetricValue] = [
      .schema: .count(MetricCatalog.schema), .scenario: .text(plan.scenario.name),
      .strategy: .text(plan.strategy.name), .options: .text(plan.strategy.options),
      .engine: .text(engine.rawValue), .cores: .count(cores), .repetition: .count(1),
      .seed: .text(String(plan.seed)), .refresh: .real(plan.scenario.display.refresh.hertz),
      .duration: .real(now.inMilliseconds),
    ]
    return lines(
      frames, keys: RunKey.allCases.map { keys[$0]?.description ?? "" },
      learned: mark(plan.scenario.learned))
  }

  static func lines(_ frames: [FrameRecord], keys: [String], learned: String) -> String {
    frames.indices.map { number in
      func cell(_ column: FrameColumn) -> String {
        column.value(number, frames[number])?.description ?? ""
      }
      return CSV.line(
        keys + FrameColumn.all.map(cell) + [learned, cell(.parts), cell(.partsWaiting)])
    }.joined()
  }

  private static func mark(_ learned: Learned?) -> String { learned?.replay.rawValue ?? "" }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}

/// The frames of one run, read back from a per-frame file.
public struct RecordedRun: Sendable {
  /// The keys that identify the run, as in the file.
  let keys: [String]
  public let refresh: RefreshRate
  public let duration: TimeSpan
  /// The quality of the replay of the scenario's recording, as in the file; empty without a recording, and in files of earlier
  /// versions.
  var learned = ""
  /// The name of the result that it belongs to, if there are several; otherwise empty.
  public var origin = ""
  public internal(set) var frames: [FrameRecord] = []
}

extension RecordedRun {
  /// The run of a line, without its frames.
  fileprivate init(
    _ fields: CSVFields, _ line: Span<UInt8>, _ columns: FramesColumns
  ) throws(InputError) {
    let learned = columns.places.place(Column.learned.name)
    self.init(
      keys: columns.texts(fields, line), refresh: try columns.refresh(fields, line),
      duration: try columns.duration(fields, line),
      learned: learned.map { fields.plain($0, of: line) } ?? "")
  }

  /// The frames of a run that was just made; nil if none were recorded.
  public init?(_ run: ReportRow) {
    if run.log.frames.records.isEmpty { return nil }
    self.init(
      keys: SummaryCSV.keys(run), refresh: run.log.frames.refresh, duration: run.log.duration,
      learned: run.keys.learned, frames: run.log.frames.records)
  }

  fileprivate var lastVsync: Int { refresh.vsyncs(through: .zero + duration) }
  /// The number of vsyncs from a frame's own vsync to the one at which it was due.
  public var deadline: Int { frames.first.map { $0.dueVsync - $0.beginVsync } ?? 1 }
  /// Whether there were vsyncs that wanted no frame.
  public var isOnDemand: Bool { frames.first?.isOnDemand ?? false }

  /// Gaps of more than a minute on the screen.
  public var gaps: LongGaps {
    var gaps = LongGaps()
    var before = Instant.zero
    for frame in frames {
      let shown = refresh.vsync(frame.presentVsync)
      gaps.add((shown - before).nanoseconds)
      before = shown
    }
    return gaps
  }

  /// The value of `key` in the file.
  func text(_ key: RunKey) -> String { zip(RunKey.allCases, keys).first { $0.0 == key }?.1 ?? "" }

  public var scenario: String { text(.scenario) }

  /// Strategy and engine, as on the command line.
  public var label: String {
    let repetition = text(.repetition)
    return "\(Strategy.label(text(.strategy), text(.options))) \(text(.engine))"
      + (repetition == "1" ? "" : " #\(repetition)")
  }
}
