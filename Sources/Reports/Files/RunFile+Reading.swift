internal import FrameBudget
public import Parsing

extension RunFile {
  private static let largest = 256 << 20

  /// Reads what `RunJSON` writes.
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
    var runs: [Run]?
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "schema": schema = ReportRow.schema(try reader.numberText())
      case "command": circumstances.command = try reader.strings()
      case "started": circumstances.started = try reader.string()
      case "toolchain": try circumstances.readToolchain(&reader)
      case "machine": circumstances.machine = try reader.texts()
      case "pressure": circumstances.pressure = try Circumstances.Pressure(&reader)
      case "costs": circumstances.costs = try AssumedCosts.read(&reader)
      case "warnings": warnings = try reader.strings()
      case "runs": runs = try Self.runs(&reader)
      default: try reader.skip()
      }
    }
    guard let schema, let runs else {
      throw InputError(
        "is no run.json: it needs \"schema\", from 1 to \(MetricCatalog.schema), and \"runs\"")
    }
    return RunFile(schema: schema, circumstances: circumstances, warnings: warnings, runs: runs)
  }

  private static func runs(_ reader: inout JSONReader) throws(InputError) -> [Run] {
    var runs: [Run] = []
    try reader.array { (reader) throws(InputError) in
      var run = Run()
      try reader.object { (reader, key) throws(InputError) in
        switch key {
        case "metrics": run.metrics = try reader.members()
        case "workloads":
          try reader.array { (reader) throws(InputError) in
            run.workloads.append(try reader.members())
          }
        case "threads":
          try reader.array { (reader) throws(InputError) in
            run.threads.append(try ThreadLog(&reader))
          }
        case "responses":
          try reader.array { (reader) throws(InputError) in
            run.answers.append(try AnswerLog(&reader))
          }
        case "deadlocks": run.deadlocks = try reader.strings()
        case "violations": run.violations = try reader.strings()
        default: run.keys.append((key, try reader.value(of: key)))
        }
      }
      runs.append(run)
    }
    return runs
  }
}

extension JSONReader {
  fileprivate mutating func strings() throws(InputError) -> [String] {
    var strings: [String] = []
    try array { (reader) throws(InputError) in strings.append(try reader.string()) }
    return strings
  }

  fileprivate mutating func texts() throws(InputError) -> [(name: String, value: String)] {
    var texts: [(name: String, value: String)] = []
    try object { (reader, key) throws(InputError) in texts.append((key, try reader.string())) }
    return texts
  }

  fileprivate mutating func members() throws(InputError) -> [RunFile.Member] {
    var members: [RunFile.Member] = []
    try object { (reader, key) throws(InputError) in
      members.append((key, try reader.value(of: key)))
    }
    return members
  }

  /// A metric's or a key's value.
  fileprivate mutating func value(of name: String) throws(InputError) -> MetricValue? {
    switch try kind() {
    case .string: return .text(try string())
    case .number:
      let text = try numberText()
      // A seed may exceed what a count holds.
      if name == RunKey.seed.name, OutsideNumber.seed(text) != nil { return .text(text) }
      let most = Int(OutsideNumber.greatest)
      if let count = OutsideNumber.whole(text, in: -most...most) { return .count(count) }
      guard let real = OutsideNumber.real(text) else {
        throw failure("\(InputError.quoted(text)) is no number that a run comes to")
      }
      return .real(real)
    case .null:
      try skip()
      return nil
    case .object, .array, .boolean: throw failure("a text, a number or null should stand here")
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

/// What a run's file says of each thread.
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
        cpu = .nanoseconds(try reader.fixedPoint(places: 6).value(in: OutsideTime.spans) ?? 0)
      case nil: try reader.skip()
      }
    }
    self.init(name: name, nice: nice, cpu: cpu)
  }
}
