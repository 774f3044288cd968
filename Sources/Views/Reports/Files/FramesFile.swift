public import FrameBudget
public import FrameBudgetParsing

/// Reads the output of `FramesCSV`: every run in a file, with all data of its frames.
public struct FramesFile {
  /// The runs in the order of their first lines.
  public private(set) var runs: [RecordedRun] = []
  private var columns: FramesColumns?
  private var frames = 0

  /// Two hours at 120 Hz.
  static let maxFrames = 1_000_000

  public init(_ source: consuming ByteSource) throws(InputError) {
    var records = CSVRecords(source)
    try records.forEach { (fields) throws(InputError) in try read(fields) }
    if runs.isEmpty { throw InputError("holds no frames", file: records.name) }
  }

  private mutating func read(_ fields: [String]) throws(InputError) {
    guard let columns else { return columns = try FramesColumns(fields) }
    guard frames < Self.maxFrames else { throw InputError("more than \(Self.maxFrames) frames") }
    frames += 1
    let keys = try columns.keys(fields)
    if keys != runs.last?.keys { runs.append(try columns.run(fields, keys)) }
    try append(try columns.frame(fields))
  }

  private mutating func append(_ frame: FrameRecord) throws(InputError) {
    let last = runs.count - 1
    if let before = runs[last].frames.last {
      guard frame.isOnDemand == before.isOnDemand else {
        throw InputError("frames of one run are all on demand, or none is")
      }
      guard FramesColumns.follows(frame, before) else { throw FramesColumns.outOfOrder }
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
    + FrameColumn.all.map { column in
      Column(column.name, column.meaning, column.unit) { column.value($0.number, $0.frame) }
    } + [.learnedMark { _ in nil }]

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
      let cells = FrameColumn.all.map { $0.value(number, frames[number])?.description ?? "" }
      return CSV.line(keys + cells + [learned])
    }.joined()
  }

  private static func mark(_ learned: Learned?) -> String { learned?.replay.rawValue ?? "" }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}

/// The positions of the columns of a per-frame file, and how to read a line.
struct FramesColumns {
  private let places: ColumnPlaces

  init(_ names: [String]) throws(InputError) {
    places = try ColumnPlaces(
      names, needed: RunKey.allCases.map(\.name) + FrameColumn.first.map(\.name),
      of: "per-frame file")
  }

  /// The fields that distinguish the runs of a file.
  func keys(_ fields: [String]) throws(InputError) -> [String] {
    try places.require(fields)
    return RunKey.allCases.map { places.text(fields, $0) }
  }

  func run(_ fields: [String], _ keys: [String]) throws(InputError) -> RecordedRun {
    let hertz = places.text(fields, .refresh)
    guard let refresh = RefreshRate(printed: hertz) else {
      throw InputError("\(InputError.quoted(hertz)) is not a refresh rate")
    }
    return RecordedRun(
      keys: keys, refresh: refresh,
      duration: .nanoseconds(
        try number(fields, RunKey.duration.name, places: 6, in: InputTime.spans)),
      learned: places.text(fields, Column.learned.name))
  }

  func frame(_ fields: [String]) throws(InputError) -> FrameRecord {
    var spans = PhaseSpans()
    for phase in Phase.allCases {
      let column = FrameColumn.span(phase).name
      guard places.has(column) else { continue }
      let span = try number(fields, column, places: 6, in: InputTime.addends)
      spans[phase] = TimeSpan(nanoseconds: span)
    }
    func value(
      _ column: FrameColumn, in allowed: ClosedRange<Int64> = InputTime.runInstants
    ) throws(InputError) -> Int64 {
      try number(fields, column.name, in: allowed)
    }
    /// Nil in files of earlier versions, without a pipeline.
    func newer(_ column: FrameColumn) throws(InputError) -> Int? {
      places.has(column.name) ? Int(try value(column)) : nil
    }
    let frame = FrameRecord(
      beginVsync: Int(try value(.beginVsync)), dueVsync: try newer(.dueVsync),
      presentVsync: Int(try value(.presentVsync)), begin: Instant(nanoseconds: try value(.begin)),
      workEnd: Instant(nanoseconds: try value(.workEnd)),
      ready: try newer(.ready).map { Instant(nanoseconds: Int64($0)) },
      dropped: try newer(.dropped), cause: try cause(fields, .cause),
      beginCause: try cause(fields, .beginCause), isStuffed: try newer(.isStuffed) ?? 0 > 0,
      isOnDemand: try newer(.isOnDemand) ?? 0 > 0,
      items: Int(try value(.items, in: InputTime.addends)),
      queueDepth: Int(try value(.queueDepth, in: InputTime.addends)), spans: spans)
    guard frame.presentVsync > frame.beginVsync,
      InputTime.vsyncs.contains(Int64(frame.presentVsync)),
      (1...Pipeline.deadlines.upperBound).contains(frame.dueVsync - frame.beginVsync),
      (0...frame.presentVsync).contains(frame.dropped)
    else { throw Self.outOfOrder }
    guard frame.workEnd >= frame.begin, frame.ready >= frame.workEnd else {
      throw InputError("the frame's work ends before it begins")
    }
    return frame
  }

  private func cause(_ fields: [String], _ column: FrameColumn) throws(InputError) -> Cause? {
    let name = places.text(fields, column.name)
    if name.isEmpty { return nil }
    guard let cause = Cause.allCases.first(where: { $0.name == name }) else {
      let allowed = Cause.allCases.map(\.name).joined(separator: ", ")
      throw InputError("\(InputError.quoted(name)) is not a cause; allowed: \(allowed)")
    }
    return cause
  }

  /// Whether `frame` can follow `other`: every vsync between two new images was dropped for the second.
  static func follows(_ frame: FrameRecord, _ other: FrameRecord) -> Bool {
    let isCutOff = frame.presentVsync == other.presentVsync && frame.dropped == 0
    let first = frame.droppedVsyncs.lowerBound
    let isNext =
      frame.isOnDemand ? first > other.presentVsync : first == other.presentVsync + 1
    return frame.beginVsync > other.beginVsync && (isCutOff || isNext)
  }

  static let outOfOrder = InputError(
    "each frame belongs to a later vsync than the one before and is shown later; are lines missing?"
  )

  private func number(
    _ fields: [String], _ name: String, places: Int = 0, in allowed: ClosedRange<Int64>
  ) throws(InputError) -> Int64 {
    let text = self.places.text(fields, name)
    guard let number = Decimal.units(text, places: places), allowed.contains(number) else {
      throw InputError(
        "\(InputError.quoted(text)) in column \(name) is not a number that fits")
    }
    return number
  }
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

  /// The frames of a run that was just made; nil if none were recorded.
  public init?(_ run: ReportRow) {
    if run.log.frames.records.isEmpty { return nil }
    self.init(
      keys: SummaryCSV.keys(run), refresh: run.log.frames.refresh, duration: run.log.duration,
      learned: run.keys.learned, frames: run.log.frames.records)
  }

  init(
    keys: [String], refresh: RefreshRate, duration: TimeSpan, learned: String = "",
    frames: [FrameRecord] = []
  ) {
    (self.keys, self.refresh, self.duration) = (keys, refresh, duration)
    (self.learned, self.frames) = (learned, frames)
  }

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
    let options = text(.options).split(separator: ";").map { ":\($0)" }.joined()
    let repetition = text(.repetition)
    return "\(text(.strategy))\(options) \(text(.engine))"
      + (repetition == "1" ? "" : " #\(repetition)")
  }
}
