public import FrameBudgetParsing
internal import FrameBudget

/// `sweep.json`: the sweep and the shard of the rows beside it. It does not depend on where or when they were made.
public struct SweepManifest: Hashable, Sendable {
  /// The tool's version.
  public let version: String
  /// As on the command line.
  public let scenario: String
  /// A checksum of the scenario and of the files that it names.
  public let content: String
  /// The flags that determine the rows, as typed.
  public let options: [String]
  /// The number of runs in all shards.
  public let runs: Int
  /// From 1 to `shards`.
  public var shard: Int
  public var shards: Int
  /// The files of the rows, once they are complete.
  public var files: [File]

  public struct File: Hashable, Sendable {
    public let name: String
    public let bytes: Int
    public let checksum: String

    public init(name: String, bytes: Int, checksum: String) {
      self.name = name
      self.bytes = bytes
      self.checksum = checksum
    }
  }

  public static let name = "sweep.json"
  /// The limit for shards, above the number of processes of any cluster.
  public static let maxShards = 1_000_000

  public init(
    version: String, scenario: String, content: String, options: [String], runs: Int,
    shard: Int = 1, shards: Int = 1, files: [File] = []
  ) {
    self.version = version
    self.scenario = scenario
    self.content = content
    self.options = options
    self.runs = runs
    self.shard = shard
    self.shards = shards
    self.files = files
  }

  /// The number of runs of this shard: those whose place in the total order, from 1, is `shard` modulo `shards`.
  public var ownRuns: Int { (runs - shard + shards) / shards }

  /// The differences from another sweep, in words; nil if it is the same sweep. The shard may differ.
  public func difference(from other: SweepManifest) -> String? {
    if version != other.version { return "version \(version) instead of \(other.version)" }
    if content != other.content { return "another scenario" }
    if options != other.options {
      return "other options (\(Self.words(options)) instead of \(Self.words(other.options)))"
    }
    if runs != other.runs { return "\(runs) runs instead of \(other.runs)" }
    return nil
  }

  private static func words(_ options: [String]) -> String {
    options.isEmpty ? "none" : options.joined(separator: " ")
  }

  public var text: String { json.written() + "\n" }

  private static let schema = 1

  private var json: JSON {
    let head: [(name: String, value: JSON)] = [
      ("sweep", .number(String(Self.schema))), ("framebudget", .text(version)),
      ("scenario", .text(scenario)), ("content", .text(content)),
      ("options", .array(options.map(JSON.text))), ("runs", .number(String(runs))),
      ("shard", .number(String(shard))), ("shards", .number(String(shards))),
    ]
    let files = files.map { file in
      JSON.object([
        ("name", .text(file.name)), ("bytes", .number(String(file.bytes))),
        ("fnv1a64", .text(file.checksum)),
      ])
    }
    return .object(head + (files.isEmpty ? [] : [("files", .array(files))]))
  }

  // MARK: Reading

  private static let largest = 1 << 20

  /// Reads the output of `text`.
  public init(_ source: consuming ByteSource) throws(InputError) {
    let file = source.name
    do throws(InputError) {
      var reader = JSONReader(try source.readAll(limit: Self.largest))
      var read = Members()
      try reader.object { (reader, key) throws(InputError) in try read.add(key, &reader) }
      try reader.end()
      self = try read.manifest()
    } catch {
      throw error.of(file)
    }
  }

  private struct Members {
    private var texts: [String: String] = [:]
    private var numbers: [String: Int] = [:]
    private var options: [String]?
    private var files: [File] = []

    mutating func add(_ key: String, _ reader: inout JSONReader) throws(InputError) {
      switch key {
      case "options": options = try reader.strings()
      case "files":
        files = try reader.elements { (reader) throws(InputError) in
          var file = Members()
          try reader.object { (reader, key) throws(InputError) in try file.add(key, &reader) }
          return try file.file()
        }
      case _ where try reader.kind() == .string: texts[key] = try reader.string()
      case _ where try reader.kind() == .number:
        numbers[key] = InputNumber.whole(try reader.numberText())
      default: try reader.skip()
      }
    }

    func file() throws(InputError) -> File {
      guard let name = texts["name"], let bytes = numbers["bytes"],
        let checksum = texts["fnv1a64"]
      else { throw InputError("a file needs \"name\", \"bytes\" and \"fnv1a64\"") }
      return File(name: name, bytes: bytes, checksum: checksum)
    }

    func manifest() throws(InputError) -> SweepManifest {
      guard numbers["sweep"] == SweepManifest.schema, let version = texts["framebudget"],
        let scenario = texts["scenario"], let content = texts["content"], let options,
        let runs = numbers["runs"], let shard = numbers["shard"], let shards = numbers["shards"],
        runs > 0, shards > 0, shard > 0, shard <= shards, shards <= SweepManifest.maxShards
      else { throw InputError("is not a sweep manifest that this version can read") }
      return SweepManifest(
        version: version, scenario: scenario, content: content, options: options, runs: runs,
        shard: shard, shards: shards, files: files)
    }
  }
}

/// The output of a sweep, run by run and byte for byte: the line of `summary.csv` and those of `workloads.csv`.
public struct SweepRows: ~Copyable {
  /// A run's lines in both files.
  public struct Run: Sendable {
    public let summary: [UInt8]
    public let workloads: [UInt8]
    /// The number of lines of workloads.
    public let count: Int

    /// Whether the runs are of the same scenario with the same changes, and have not as many workloads: lines are lost.
    public func contradicts(_ other: Self) -> Bool {
      count != other.count
        && SweepRows.field(.scenario, of: summary) == SweepRows.field(.scenario, of: other.summary)
        && SweepRows.field(.changes, of: summary) == SweepRows.field(.changes, of: other.summary)
    }
  }

  private var summary: RawRecords
  private var workloads: RawRecords
  /// The first line of workloads that is not in a run yet.
  private var nextWorkload: [UInt8]?

  /// Throws unless both files begin with the headers of this version.
  public init(
    summary: consuming ByteSource, workloads: consuming ByteSource
  ) throws(InputError) {
    self.summary = RawRecords(summary)
    self.workloads = RawRecords(workloads)
    guard try self.summary.next() == Array(SummaryCSV.header.utf8) else {
      throw InputError("has a header that this version does not write", file: self.summary.name)
    }
    guard try self.workloads.next() == Array(WorkloadsCSV.header.utf8) else {
      throw InputError("has a header that this version does not write", file: self.workloads.name)
    }
    nextWorkload = try self.workloads.next()
  }

  /// The next run with a complete line; nil after the last.
  public mutating func next() throws(InputError) -> Run? {
    guard let line = try summary.next() else { return nil }
    let keys = Self.keys(of: line)
    var lines: [UInt8] = []
    var names: Set<ArraySlice<UInt8>> = []
    // Runs with the same keys have the same workloads, so a repeated workload belongs to the next run.
    while let workload = nextWorkload, Self.keys(of: workload) == keys,
      names.insert(Self.field(of: workload, from: keys.count)).inserted
    {
      lines += workload
      nextWorkload = try workloads.next()
    }
    return Run(summary: line, workloads: lines, count: names.count)
  }

  /// Whether something is left once `next` has returned nil: an incomplete line, or workloads without a run.
  public var hasRest: Bool { summary.torn > 0 || workloads.torn > 0 || nextWorkload != nil }

  /// The beginning of a line that identifies its run, with the comma after it.
  private static func keys(of line: [UInt8]) -> ArraySlice<UInt8> {
    var end = 0
    for _ in RunKey.allCases.indices { end += field(of: line, from: end).count }
    return line[..<end]
  }

  /// The field of a key, with the comma after it.
  fileprivate static func field(_ key: RunKey, of line: [UInt8]) -> ArraySlice<UInt8> {
    var start = 0
    for _ in RunKey.allCases.prefix(while: { $0 != key }) {
      start += field(of: line, from: start).count
    }
    return field(of: line, from: start)
  }

  /// The field that begins at `start`, with the comma after it.
  private static func field(of line: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    var isQuoted = false
    for place in line.indices[start...] {
      if line[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if line[place] == UInt8(ascii: ","), !isQuoted { return line[start...place] }
    }
    return line[start...]
  }
}
