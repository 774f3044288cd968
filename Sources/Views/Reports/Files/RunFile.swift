public import FrameBudgetParsing
internal import FrameBudget

/// The content of a `run.json`: the circumstances without assumed costs, and every run with its metrics, workloads and threads.
public struct RunFile: Sendable {
  let schema: Int
  public let circumstances: Circumstances
  let warnings: [String]
  var runs: [RunRecord]
  /// The name of the result that it is from, if there are several; otherwise empty.
  public var origin = ""
}

extension RunFile {
  /// The results of `rows`, measured under `circumstances`.
  public init(_ rows: [ReportRow], _ circumstances: Circumstances) {
    self.init(
      schema: MetricCatalog.schema, circumstances: circumstances,
      warnings: (MeasurementWarnings.interruption(circumstances)
        + MeasurementWarnings.warnings(rows, circumstances)).map(\.description)
        + circumstances.uncheckedBounds,
      runs: rows.map(\.record))
  }

  /// The model and the cores of the machine, in words; nil if unknown.
  public var machine: String? {
    let facts = Dictionary(circumstances.machine.map { ($0.name, $0.value) }) { first, _ in first }
    let words = [facts["model"], facts["cores"].map { "\($0) cores" }].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static let largest = 256 << 20

  /// Reads the output of `RunJSON`.
  public init(_ source: consuming ByteSource) throws(InputError) {
    let file = source.name
    do throws(InputError) {
      var reader = JSONReader(try source.readAll(limit: Self.largest))
      self = try Self.read(&reader)
      try reader.end()
    } catch {
      throw error.of(file)
    }
  }

  private static func read(_ reader: inout JSONReader) throws(InputError) -> RunFile {
    var schema: Int?
    var circumstances = Circumstances()
    var warnings: [String] = []
    var runs: [RunRecord]?
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "schema": schema = ReportRow.schema(try reader.numberText())
      case "command": circumstances.command = try reader.strings()
      case "started": circumstances.started = try reader.string()
      case "toolchain": try circumstances.readToolchain(&reader)
      case "machine": circumstances.machine = try reader.texts()
      case "pressure": circumstances.pressure = try Circumstances.Pressure(&reader)
      case "interrupted": circumstances.isInterrupted = try reader.boolean()
      case "warnings": warnings = try reader.strings()
      case "runs": runs = try reader.elements(RunRecord.init)
      default: try reader.skip()
      }
    }
    guard let schema, var runs else {
      throw InputError(
        "is not a run.json: it needs \"schema\", from 1 to \(MetricCatalog.schema), and \"runs\"")
    }
    for place in runs.indices { runs[place].adopt(schema) }
    return RunFile(schema: schema, circumstances: circumstances, warnings: warnings, runs: runs)
  }
}

extension RunRecord {
  /// Reads the output of `RunRecord.json`, in any order of members.
  fileprivate init(_ reader: inout JSONReader) throws(InputError) {
    self.init()
    var parts: [RunRecord] = []
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "metrics": try readMetrics(&reader)
      case "workloads":
        parts = try reader.elements { (reader) throws(InputError) in
          var part = RunRecord()
          try part.readMetrics(&reader)
          return part
        }
      case "threads": threads = try reader.elements(ThreadLog.init)
      case "responses": answers = try reader.elements(AnswerLog.init)
      case "deadlocks": deadlocks = try reader.strings()
      case "violations": violations = try reader.strings()
      default:
        guard let column = Self.texts[key] else { return try reader.skip() }
        try column.read?(&self, try reader.value(of: key)?.description ?? "")
      }
    }
    workloads = parts.map(workload)
    for record in [self] + workloads { try record.check() }
  }

  /// Reads the members of an object into the columns that they name.
  private mutating func readMetrics(_ reader: inout JSONReader) throws(InputError) {
    var numbers: [String: Double] = [:]
    try reader.object { (reader, name) throws(InputError) in
      let value = try reader.value(of: name)
      if let column = Self.texts[name] {
        try column.read?(&self, value?.description ?? "")
      } else if let value {
        guard let number = value.number else { throw reader.failure("\(name) should be a number") }
        numbers[name] = number
      }
    }
    self.numbers = RowNumbers(numbers)
  }

  /// The file has the schema of its runs once.
  fileprivate mutating func adopt(_ schema: Int) {
    self.schema = schema
    for place in workloads.indices { workloads[place].schema = schema }
  }

  /// The workload `part` of this run.
  private func workload(_ part: RunRecord) -> RunRecord {
    var record = keys
    (record.workload, record.item, record.numbers) = (part.workload, part.item, part.numbers)
    return record
  }

  private static let metrics = MetricCatalog.all.map { column($0) }

  /// Its members in `run.json`, without the schema, which the file has once.
  fileprivate var json: JSON {
    let ranges = [Self.ranges, Self.margins].flatMap { columns in
      columns.contains { $0.value(self) != nil } ? columns : []
    }
    let parts = workloads.map { JSON.object($0.members(WorkloadsCSV.columns)) }
    var all = members(Self.keys.dropFirst())
    all.append(("metrics", .object(members(Self.metrics + ranges))))
    all.append(("workloads", .array(parts)))
    all.append(("threads", .array(threads.map(\.json))))
    all.append(("violations", .array(violations.map(JSON.text))))
    if !deadlocks.isEmpty { all.append(("deadlocks", .array(deadlocks.map(JSON.text)))) }
    if !answers.isEmpty { all.append(("responses", .array(answers.map(\.json)))) }
    return .object(
      all + members(Self.remarks.filter { $0.value(self) != nil }))
  }

  private func members(
    _ columns: some Sequence<Column<RunRecord>>
  ) -> [(name: String, value: JSON)] {
    columns.map { JSON.member($0.name, $0.value(self)) }
  }
}

extension JSONReader {
  mutating func strings() throws(InputError) -> [String] {
    try elements { (reader) throws(InputError) in try reader.string() }
  }

  fileprivate mutating func texts() throws(InputError) -> [(name: String, value: String)] {
    var texts: [(name: String, value: String)] = []
    try object { (reader, key) throws(InputError) in texts.append((key, try reader.string())) }
    return texts
  }

  /// The value of a metric or a key.
  fileprivate mutating func value(of name: String) throws(InputError) -> MetricValue? {
    switch try kind() {
    case .string: return .text(try string())
    case .number:
      let text = try numberText()
      // A seed may exceed what a count holds.
      if name == RunKey.seed.name, InputNumber.seed(text) != nil { return .text(text) }
      let most = Int(InputNumber.greatest)
      if let count = InputNumber.whole(text, in: -most...most) { return .count(count) }
      guard let real = InputNumber.real(text) else {
        throw failure("\(InputError.quoted(text)) is not a valid number for a run")
      }
      return .real(real)
    case .null:
      try skip()
      return nil
    case .object, .array, .boolean: throw failure("a text, a number or null is expected here")
    }
  }
}

extension Circumstances {
  fileprivate mutating func readToolchain(_ reader: inout JSONReader) throws(InputError) {
    for (name, value) in try reader.texts() {
      switch name {
      case "framebudget": version = value
      case "swift": swift = value
      case "build": isDebugBuild = value == "debug"
      default: break
      }
    }
  }
}

extension Circumstances.Pressure {
  fileprivate init(_ reader: inout JSONReader) throws(InputError) {
    var read = Self(stealPercent: 0, othersPercent: 0, loadBefore: 0, loadAfter: 0)
    try reader.object { (reader, key) throws(InputError) in
      guard let path = Self.keys.first(where: { $0.name == key })?.path else {
        return try reader.skip()
      }
      read[keyPath: path] = try reader.number()
    }
    self = read
  }
}

/// The keys of a thread in the file.
enum ThreadKey: String {
  case name, nice
  case cpu = "cpu_ms"
}

extension ThreadLog {
  fileprivate init(_ reader: inout JSONReader) throws(InputError) {
    var (name, nice, cpu) = ("", 0, TimeSpan.zero)
    try reader.object { (reader, key) throws(InputError) in
      switch ThreadKey(rawValue: key) {
      case .name: name = try reader.string()
      case .nice:
        nice = Int(try reader.fixedPoint(places: 0).value(in: Lane.measuredNiceValues) ?? 0)
      case .cpu:
        cpu = .nanoseconds(try reader.fixedPoint(places: 6).value(in: InputTime.spans) ?? 0)
      case nil: try reader.skip()
      }
    }
    self.init(name: name, nice: nice, cpu: cpu)
  }

  fileprivate var json: JSON {
    .object([
      (ThreadKey.name.rawValue, .text(name)),
      (ThreadKey.nice.rawValue, .number(String(nice))),
      (ThreadKey.cpu.rawValue, JSON(cpu.inMilliseconds)),
    ])
  }
}

/// `run.json`: the command, the machine and its state, and every run with its metrics, workloads and threads.
public enum RunJSON {
  public static func text(_ rows: [ReportRow], _ circumstances: Circumstances) -> String {
    text(RunFile(rows, circumstances))
  }

  /// The output of `run --format json`: `run.json` with the verdict after its schema. The file has only measurements, from
  /// which the verdict follows.
  public static func printed(
    _ rows: [ReportRow], _ circumstances: Circumstances, _ expectations: ExpectationResult? = nil
  ) -> String {
    let verdict = VerdictSummary(verdicts: Verdict.all(rows), expectations: expectations).json
    var members = members(RunFile(rows, circumstances))
    members.insert((RecordTable.verdict, verdict), at: 1)
    return JSON.object(members).written() + "\n"
  }

  static func text(_ file: RunFile) -> String { JSON.object(members(file)).written() + "\n" }

  private static func members(_ file: RunFile) -> [(name: String, value: JSON)] {
    head(file.schema, file.circumstances, file.warnings)
      + [("runs", .array(file.runs.map(\.json)))]
  }

  /// The first members of every file of measurements: the command, the machine, the time, and warnings.
  static func head(
    _ schema: Int, _ circumstances: Circumstances, _ warnings: [String]
  ) -> [(name: String, value: JSON)] {
    var members: [(name: String, value: JSON)] = [
      (RunKey.schema.name, .number(String(schema))),
      ("command", .array(circumstances.command.map(JSON.text))),
      ("started", .text(circumstances.started)),
      (
        "toolchain",
        .object([
          ("framebudget", .text(circumstances.version)), ("swift", .text(circumstances.swift)),
          ("build", .text(circumstances.isDebugBuild ? "debug" : "release")),
        ])
      ),
    ]
    if !circumstances.machine.isEmpty {
      members.append(("machine", .object(circumstances.machine.map { ($0, .text($1)) })))
    }
    if let pressure = circumstances.pressure { members.append(("pressure", json(pressure))) }
    if circumstances.isInterrupted { members.append(("interrupted", .flag(true))) }
    if let costs = circumstances.costs { members.append(("costs", AssumedCosts.json(costs))) }
    members.append(("warnings", .array(warnings.map(JSON.text))))
    return members
  }

  private static func json(_ pressure: Circumstances.Pressure) -> JSON {
    .object(Circumstances.Pressure.keys.map { ($0.name, JSON(pressure[keyPath: $0.path])) })
  }
}
