internal import FrameBudget
internal import FrameBudgetParsing

/// The columns of runs: each with what it writes of a record and, unless it is a number by its name, how it is read.
extension RunRecord {
  /// The columns that distinguish a run from others, the first of every file of runs.
  static let keys: [Column<RunRecord>] = RunKey.allCases.map(column)

  static func column(_ key: RunKey) -> Column<RunRecord> {
    switch key {
    case .schema: .schema
    case .scenario: .text(key.name, key.meaning, { $0.scenario }, { $0.scenario = $1 })
    case .strategy: .text(key.name, key.meaning, { $0.strategy }, { $0.strategy = $1 })
    case .options: .text(key.name, key.meaning, { $0.options }, { $0.options = $1 })
    case .changes: .text(key.name, key.meaning, { $0.changes }, { $0.changes = $1 })
    case .engine: .text(key.name, key.meaning, { $0.engine }, { $0.engine = $1 })
    case .cores: .count(key, { $0.cores }, { $0.cores = $1 })
    case .repetition: .count(key, { $0.repetition }, { $0.repetition = $1 })
    case .seed: .optional(key.name, key.meaning, { $0.seed }, { $0.seed = $1 })
    case .refresh: .number(key, { $0.refreshHz }, { $0.refreshHz = $1 })
    case .duration: .number(key, { $0.durationMilliseconds }, { $0.durationMilliseconds = $1 })
    case .warmup: .count(key, { $0.warmupFrames }, { $0.warmupFrames = $1 })
    }
  }

  /// The column of a metric of a run, which is usually one of `names`.
  static func column(
    _ metric: Metric, in names: RowNumbers.Names = ReportRow.names
  ) -> Column<RunRecord> {
    if metric.name == Metric.status.name {
      return
        .text(metric.name, metric.formula, { $0.status }, { $0.status = $1 })
    }
    let (name, place) = (metric.name, names.place(metric.name) ?? 0)
    return Column(name, metric.formula, metric.unit) {
      $0.numbers[name, near: place].map(MetricValue.real)
    }
  }

  /// Empty if `run` was not asked for them.
  static let ranges = Column<RunRecord>.ranges
  static let margins = Column<RunRecord>.margins

  /// The name of captures, after the metrics of earlier versions.
  static let app: Column<RunRecord> = .text(
    "app", "the name that captures of one app share: --name, or the process without its number",
    { $0.app }, { $0.app = $1 })
  static let machine: Column<RunRecord> = .text(
    "machine", "the processor and graphics card, or the device, if the log says them",
    { $0.machine }, { $0.machine = $1 })

  /// What a run has to say besides numbers, if anything.
  static let remarks: [Column<RunRecord>] = [
    .learned, .like, .movedKept, .partsInMemory, .rangeKind, .periodsLater, .waitsFor,
  ]

  /// The columns that are not numbers by their names, in files of runs and of workloads.
  static let texts: [String: Column<RunRecord>] = Dictionary(
    uniqueKeysWithValues: ([
      keys, remarks, [column(.status), .workload, .span, .item, app, machine],
    ] as [[Column]])
    .joined().map { ($0.name, $0) })
}

extension Column where Row == RunRecord {
  /// The name of the workload, after the keys of its run.
  static let workload = text("workload", "its name", { $0.workload }, { $0.workload = $1 })
  /// The name of a span, in a file of spans.
  static let span = text(
    "span", "the name of an interval, or `frame`", { $0.workload }, { $0.workload = $1 })
  /// The name of an item, after the metrics of earlier schemas.
  static let item = optional(
    "item", "the name of one of its items; empty if the scenario has none", { $0.item },
    { $0.item = $1 })

  /// The platform of the screen, which selects the numbers that results show.
  static let like = Self(
    "like", "the platform of the scenario's screen; empty if it names none"
  ) { $0.platform.map { .text($0.rawValue) } }
  .reading { $0.platform = ScreenPlatform(rawValue: $1) }

  /// What forbids to recommend the strategy.
  static let movedKept = optional(
    "moved_kept",
    "services with keep: true that the strategy has elsewhere than the first one, with ; between them",
    { CellList.text($0.movedKept) }, { $0.movedKept = CellList.elements($1) })

  /// A price that no metric counts.
  static let partsInMemory = optional(
    "parts_in_memory",
    "what the strategy keeps in memory for parts of drawing, which no metric counts, with ; between them",
    { CellList.text($0.partsInMemory) }, { $0.partsInMemory = CellList.elements($1) })

  /// Another price that no metric counts.
  static let periodsLater = Self(
    "periods_later",
    "by how many periods the strategy shows every frame later than the scenario says, each from one more buffer; empty for none"
  ) { $0.periodsLater > 0 ? .count($0.periodsLater) : nil }
  .reading { (record, text) throws(InputError) in
    let most = Pipeline.deadlines.upperBound - 1
    guard let periods = text.isEmpty ? 0 : InputNumber.whole(text, in: 0...most) else {
      throw InputError(
        "\(InputError.quoted(text)) in column periods_later is not a whole number from 0 to \(most)"
      )
    }
    record.periodsLater = periods
  }

  /// What one metric counts together.
  static let waitsFor = Self(
    "waits_for",
    "what main waits for in lock_wait_ms_total, if not only for locks: "
      + StrategyPrice.Waits.allCases.compactMap(\.cell?.description).joined(separator: ", ")
  ) { $0.waits.cell }
  .reading { $0.waits = StrategyPrice.Waits(cell: $1) }

  /// The mark of learned scenarios.
  static let learned = learnedMark(by: \.learned).reading { $0.learned = $1 }

  fileprivate static let schema = Self(RunKey.schema.name, RunKey.schema.meaning) {
    .count($0.schema)
  }.reading { (record, text) throws(InputError) in
    guard let schema = ReportRow.schema(text) else {
      throw InputError(
        "schema \(InputError.quoted(text)) is not supported; supported: 1 to \(MetricCatalog.schema)"
      )
    }
    record.schema = schema
  }

  // Closures, because a key path copies the whole record for each cell.
  fileprivate typealias Getter<Value> = @Sendable (RunRecord) -> Value
  fileprivate typealias Setter<Value> = @Sendable (inout RunRecord, Value) -> Void

  fileprivate static func text(
    _ name: String, _ meaning: String, _ get: @escaping Getter<String>,
    _ set: @escaping Setter<String>
  ) -> Self {
    Self(name, meaning) { .text(get($0)) }.reading { set(&$0, $1) }
  }

  /// A text that may be missing.
  fileprivate static func optional(
    _ name: String, _ meaning: String, _ get: @escaping Getter<String>,
    _ set: @escaping Setter<String>
  ) -> Self {
    Self(name, meaning) { record in
      let text = get(record)
      return text.isEmpty ? nil : .text(text)
    }.reading { set(&$0, $1) }
  }

  /// A whole number, which other tools' logs may lack.
  fileprivate static func count(
    _ key: RunKey, _ get: @escaping Getter<String>, _ set: @escaping Setter<String>
  ) -> Self {
    Self(key.name, key.meaning) { record in
      let text = get(record)
      return text.isEmpty ? nil : Int(text).map(MetricValue.count) ?? .text(text)
    }.reading { set(&$0, $1) }
  }

  fileprivate static func number(
    _ key: RunKey, _ get: @escaping Getter<Double?>, _ set: @escaping Setter<Double?>
  ) -> Self {
    Self(key.name, key.meaning) { get($0).map(MetricValue.real) }
      .reading { (record, text) throws(InputError) in
        set(&record, text.isEmpty ? nil : try InputNumber.cell(text, key.name))
      }
  }
}

extension InputNumber {
  /// The number in the field at `place`, a cell of the column `name`.
  static func cell(
    _ fields: CSVFields, _ place: Int, of line: Span<UInt8>, _ name: String
  ) throws(InputError) -> Double {
    if let number = decimal(line.extracting(fields.range(place))), number.magnitude < greatest {
      return number
    }
    return try cell(fields.plain(place, of: line), name)
  }

  /// The number in a cell of the column `name`.
  static func cell(_ text: String, _ name: String) throws(InputError) -> Double {
    guard let number = decimal(text) else {
      throw InputError("\(InputError.quoted(text)) in column \(name) is not a number")
    }
    guard number.magnitude < greatest else {
      throw InputError("\(InputError.quoted(text)) in column \(name) is too large for a run")
    }
    return number
  }
}
