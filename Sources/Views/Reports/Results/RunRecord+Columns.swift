internal import FrameBudget
internal import FrameBudgetParsing

/// The columns of runs: each with what it writes of a record and, unless it is a number by its name, how it is read.
extension RunRecord {
  /// The columns that distinguish a run from others, the first of every file of runs.
  static let keys: [Column<RunRecord>] = RunKey.allCases.map(column)

  static func column(_ key: RunKey) -> Column<RunRecord> {
    switch key {
    case .schema: .schema
    case .scenario: .key(key, \.scenario)
    case .strategy: .key(key, \.strategy)
    case .options: .key(key, \.options)
    case .changes: .key(key, \.changes)
    case .engine: .key(key, \.engine)
    case .cores: .count(key, \.cores)
    case .repetition: .count(key, \.repetition)
    case .seed: .optional(key.name, key.meaning, \.seed)
    case .refresh: .number(key, \.refreshHz)
    case .duration: .number(key, \.durationMilliseconds)
    case .warmup: .count(key, \.warmupFrames)
    }
  }

  /// The column of a metric of a run, which is usually one of `names`.
  static func column(
    _ metric: Metric, in names: RowNumbers.Names = ReportRow.names
  ) -> Column<RunRecord> {
    if metric.name == Metric.status.name { return .text(metric.name, metric.formula, \.status) }
    let (name, place) = (metric.name, names.place(metric.name) ?? 0)
    return Column(name, metric.formula, metric.unit) {
      $0.numbers[name, near: place].map(MetricValue.real)
    }
  }

  /// The ranges of metrics if costs and arrivals differ slightly; empty if `run` was not asked for them.
  static let ranges: [Column<RunRecord>] = PredictionRange.metrics.flatMap {
    metric -> [Column<RunRecord>] in
    let (low, high) = (Metric.low(of: metric.name), Metric.high(of: metric.name))
    return [
      Column(
        low,
        "the smallest \(metric.name) over small changes of costs and arrivals (`run`, virtual engine)",
        metric.unit
      ) { $0[low].map(MetricValue.real) },
      Column(
        high, "the largest \(metric.name) over small changes of costs and arrivals", metric.unit
      ) { $0[high].map(MetricValue.real) },
    ]
  }

  static let rangeNames = ranges.map(\.name)

  /// The columns that are not numbers by their names, in files of runs and of workloads.
  static let texts: [String: Column<RunRecord>] = Dictionary(
    uniqueKeysWithValues: (keys + [column(.status), .learned, .like, .workload, .item]).map {
      ($0.name, $0)
    })
}

extension Column where Row == RunRecord {
  /// The name of the workload, after the keys of its run.
  static let workload = text("workload", "its name", \.workload)
  /// The name of an item, after the metrics of earlier schemas.
  static let item = optional(
    "item", "the name of one of its items; empty if the scenario has none", \.item)

  /// The platform of the screen, which selects the numbers that results show.
  static let like = Self(
    "like", "the platform of the scenario's screen; empty if it names none"
  ) { $0.platform.map { .text($0.rawValue) } }
  .reading { $0.platform = ScreenPlatform(rawValue: $1) }

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

  fileprivate typealias TextPath = any WritableKeyPath<RunRecord, String> & Sendable

  fileprivate static func key(_ key: RunKey, _ path: TextPath) -> Self {
    text(key.name, key.meaning, path)
  }

  fileprivate static func text(_ name: String, _ meaning: String, _ path: TextPath) -> Self {
    Self(name, meaning) { .text($0[keyPath: path]) }.reading { $0[keyPath: path] = $1 }
  }

  /// A text that may be missing.
  fileprivate static func optional(_ name: String, _ meaning: String, _ path: TextPath) -> Self {
    Self(name, meaning) { $0[keyPath: path].isEmpty ? nil : .text($0[keyPath: path]) }
      .reading { $0[keyPath: path] = $1 }
  }

  /// A whole number, which other tools' logs may lack.
  fileprivate static func count(_ key: RunKey, _ path: TextPath) -> Self {
    Self(key.name, key.meaning) { record in
      let text = record[keyPath: path]
      return text.isEmpty ? nil : Int(text).map(MetricValue.count) ?? .text(text)
    }.reading { $0[keyPath: path] = $1 }
  }

  fileprivate static func number(
    _ key: RunKey, _ path: any WritableKeyPath<RunRecord, Double?> & Sendable
  ) -> Self {
    Self(key.name, key.meaning) { $0[keyPath: path].map(MetricValue.real) }
      .reading { (record, text) throws(InputError) in
        record[keyPath: path] = text.isEmpty ? nil : try InputNumber.cell(text, key.name)
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
