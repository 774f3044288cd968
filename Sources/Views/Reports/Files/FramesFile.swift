public import FrameBudget
public import FrameBudgetParsing

/// Reads the output of `FramesCSV`: every run in a file, with all data of its frames.
public struct FramesFile {
  /// The runs in the order of their first lines.
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
    if runs.isEmpty { throw InputError("holds no frames", file: records.name) }
  }

  private mutating func read(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) {
    guard let columns else { return columns = try FramesColumns(fields.plain(of: line)) }
    guard frames < Self.maxFrames else { throw InputError("more than \(Self.maxFrames) frames") }
    frames += 1
    try columns.require(fields)
    if !columns.have(keys, fields, line) {
      guard runs.count < Self.maxRuns else { throw InputError("more than \(Self.maxRuns) runs") }
      keys = columns.keys(fields, line)
      runs.append(try columns.run(fields, line))
    }
    try append(try columns.frame(fields, line))
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
    + FrameColumn.all.map(column) + [.learnedMark { _ in nil }, column(.parts)]

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
      return CSV.line(keys + FrameColumn.all.map(cell) + [learned, cell(.parts)])
    }.joined()
  }

  private static func mark(_ learned: Learned?) -> String { learned?.replay.rawValue ?? "" }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}

/// The positions of the columns of a per-frame file, and how to read a line.
struct FramesColumns {
  private let places: ColumnPlaces
  private let keys: [Int]
  private let duration: NumberColumn
  private let learned: Int?
  private let begin: NumberColumn
  private let asked: NumberColumn
  private let due: NumberColumn
  private let present: NumberColumn
  private let woke: NumberColumn
  private let workEnd: NumberColumn
  private let ready: NumberColumn
  private let dropped: NumberColumn
  private let isStuffed: NumberColumn
  private let isOnDemand: NumberColumn
  private let items: NumberColumn
  private let queueDepth: NumberColumn
  private let cause: Int?
  private let beginCause: Int?
  private let hangsBetween: Int?
  private let parts: Int?
  private let spans: [(phase: Phase, column: NumberColumn)]

  init(_ names: [String]) throws(InputError) {
    let places = try ColumnPlaces(
      names, needed: RunKey.allCases.map(\.name) + FrameColumn.first.map(\.name),
      of: "per-frame file")
    func number(_ column: FrameColumn) -> NumberColumn {
      NumberColumn(column.name, decimals: 0, in: places)
    }
    keys = RunKey.allCases.compactMap { places.place($0.name) }
    duration = NumberColumn(RunKey.duration.name, decimals: 6, in: places)
    learned = places.place(Column.learned.name)
    (begin, due, present) = (number(.beginVsync), number(.dueVsync), number(.presentVsync))
    asked = number(.askedVsync)
    (woke, workEnd, ready) = (number(.begin), number(.workEnd), number(.ready))
    (dropped, isStuffed, isOnDemand) = (number(.dropped), number(.isStuffed), number(.isOnDemand))
    (items, queueDepth) = (number(.items), number(.queueDepth))
    cause = places.place(FrameColumn.cause.name)
    beginCause = places.place(FrameColumn.beginCause.name)
    hangsBetween = places.place(FrameColumn.hangsBetween.name)
    parts = places.place(FrameColumn.parts.name)
    spans = Phase.allCases.map {
      ($0, NumberColumn(FrameColumn.span($0).name, decimals: 6, in: places))
    }.filter { $1.exists }
    self.places = places
  }

  /// Throws unless a line has as many fields as the header.
  func require(_ fields: CSVFields) throws(InputError) { try places.require(fields.count) }

  /// The fields that distinguish the runs of a file.
  func keys(_ fields: CSVFields, _ line: Span<UInt8>) -> [[UInt8]] {
    keys.map { place in fields.range(place).map { line[$0] } }
  }

  /// Whether the line has these fields.
  func have(_ known: [[UInt8]], _ fields: CSVFields, _ line: Span<UInt8>) -> Bool {
    guard known.count == keys.count else { return false }
    for (place, key) in zip(keys, known) {
      let range = fields.range(place)
      guard range.count == key.count else { return false }
      for index in key.indices where key[index] != line[range.lowerBound + index] { return false }
    }
    return true
  }

  func run(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> RecordedRun {
    let texts = keys.map { fields.plain($0, of: line) }
    let hertz = zip(RunKey.allCases, texts).first { $0.0 == .refresh }?.1 ?? ""
    guard let refresh = RefreshRate(printed: hertz) else {
      throw InputError("\(InputError.quoted(hertz)) is not a refresh rate")
    }
    return RecordedRun(
      keys: texts, refresh: refresh,
      duration: .nanoseconds(try duration.value(fields, line, in: InputTime.spans)),
      learned: learned.map { fields.plain($0, of: line) } ?? "")
  }

  func frame(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> FrameRecord {
    var spans = PhaseSpans()
    for (phase, column) in self.spans {
      let span = try column.value(fields, line, in: InputTime.addends)
      spans[phase] = TimeSpan(nanoseconds: span)
    }
    func value(
      _ column: NumberColumn, in allowed: ClosedRange<Int64> = InputTime.runInstants
    ) throws(InputError) -> Int64 {
      try column.value(fields, line, in: allowed)
    }
    /// Nil in files of earlier versions, without a pipeline.
    func newer(_ column: NumberColumn) throws(InputError) -> Int? {
      column.exists ? Int(try value(column)) : nil
    }
    let frame = FrameRecord(
      beginVsync: Int(try value(begin)), askedVsync: try newer(asked), dueVsync: try newer(due),
      presentVsync: Int(try value(present)), begin: Instant(nanoseconds: try value(woke)),
      workEnd: Instant(nanoseconds: try value(workEnd)),
      ready: try newer(ready).map { Instant(nanoseconds: Int64($0)) },
      dropped: try newer(dropped), cause: try cause(fields, line, cause),
      beginCause: try cause(fields, line, beginCause), isStuffed: try newer(isStuffed) ?? 0 > 0,
      isOnDemand: try newer(isOnDemand) ?? 0 > 0,
      items: Int(try value(items, in: InputTime.addends)),
      queueDepth: Int(try value(queueDepth, in: InputTime.addends)), spans: spans,
      hangsBetween: try hangs(fields, line), parts: try parts(fields, line))
    guard frame.presentVsync > frame.beginVsync,
      InputTime.vsyncs.contains(Int64(frame.presentVsync)),
      (1...Pipeline.deadlines.upperBound).contains(frame.dueVsync - frame.beginVsync),
      (0...frame.presentVsync).contains(frame.dropped), frame.askedVsync <= frame.beginVsync
    else { throw Self.outOfOrder }
    guard frame.workEnd >= frame.begin, frame.ready >= frame.workEnd else {
      throw InputError("the frame's work ends before it begins")
    }
    return frame
  }

  private func hangs(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> [TimeSpan] {
    guard let hangsBetween else { return [] }
    let text = fields.plain(hangsBetween, of: line)
    guard let hangs = HangList.hangs(text, in: InputTime.spans) else {
      let name = FrameColumn.hangsBetween.name
      throw InputError("\(InputError.quoted(text)) in column \(name) is not a list of times")
    }
    return hangs
  }

  private func parts(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> [FramePartTime]
  {
    guard let parts else { return [] }
    let text = fields.plain(parts, of: line)
    guard let times = PartList.parts(text, in: InputTime.spans) else {
      let name = FrameColumn.parts.name
      throw InputError(
        "\(InputError.quoted(text)) in column \(name) is not a list of names with times")
    }
    return times
  }

  private func cause(
    _ fields: CSVFields, _ line: Span<UInt8>, _ place: Int?
  ) throws(InputError) -> Cause? {
    guard let place, !fields.range(place).isEmpty else { return nil }
    let name = fields.plain(place, of: line)
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
}

/// A column with numbers that have at most this many decimals.
private struct NumberColumn {
  private let name: String
  private let decimals: Int
  /// Nil if the file does not have it.
  private let place: Int?

  init(_ name: String, decimals: Int, in places: ColumnPlaces) {
    (self.name, self.decimals) = (name, decimals)
    place = places.place(name)
  }

  var exists: Bool { place != nil }

  /// The number in units of the last decimal.
  func value(
    _ fields: CSVFields, _ line: Span<UInt8>, in allowed: ClosedRange<Int64>
  ) throws(InputError) -> Int64 {
    if let place,
      let number = Decimal.units(line.extracting(fields.range(place)), places: decimals),
      allowed.contains(number)
    {
      return number
    }
    let text = place.map { fields.plain($0, of: line) } ?? ""
    guard let number = Decimal.units(text, places: decimals), allowed.contains(number) else {
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
}

extension RecordedRun {
  /// The frames of a run that was just made; nil if none were recorded.
  public init?(_ run: ReportRow) {
    if run.log.frames.records.isEmpty { return nil }
    self.init(
      keys: SummaryCSV.keys(run), refresh: run.log.frames.refresh, duration: run.log.duration,
      learned: run.keys.learned, frames: run.log.frames.records)
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
