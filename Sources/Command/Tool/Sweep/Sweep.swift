internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports

/// All runs of a sweep in their total order, and those of this shard. The thread that makes a run also computes its
/// description, so a million runs need no memory.
struct Sweep: Sendable {
  let source: ScenarioSource
  let request: Comparison.Request
  let shard: Shard
  /// The number of runs of each combination.
  private let runsPerGroup: Int
  /// The scenarios of the validated combinations.
  let examples: [Scenario]

  init(
    _ source: ScenarioSource, _ request: Comparison.Request, _ shard: Shard
  ) throws(ToolError) {
    self.source = source
    self.request = request
    self.shard = shard
    let variants = try request.requireDifferentRuns(of: source)
    examples = variants.map(\.scenario)
    runsPerGroup = variants.first?.count ?? 0
    for variant in variants { try Self.require(variant, runsPerGroup) }
  }

  /// The number of runs in all shards.
  var runs: Int { request.grid.count * runsPerGroup }

  /// Makes the runs of this shard at `places`; fewer if it is interrupted or a run is invalid.
  func batch(_ places: Range<Int>, keeping kept: SweepBatch.Kept) -> SweepBatch {
    var batch = SweepBatch(keeping: kept)
    var last: (place: Int, variant: Variant)?
    for place in places {
      guard Interruption.signal == nil else {
        batch.isCut = true
        return batch
      }
      let (variation, run) = position(place).quotientAndRemainder(dividingBy: runsPerGroup)
      do throws(ToolError) {
        let variant = try variant(at: variation, after: last)
        try Self.require(variant, runsPerGroup)
        last = (variation, variant)
        let row = variant.run(at: run).simulated(.summary, ranges: request.ranges)
        // A row that an interruption has cut short would stay after --resume.
        guard row.log.status != .interrupted else {
          batch.isCut = true
          return batch
        }
        batch.add(row)
      } catch {
        batch.failure = error
        return batch
      }
    }
    return batch
  }

  /// The combination at `place`, from the one that was last used if it is the same or only has another seed.
  private func variant(
    at place: Int, after last: (place: Int, variant: Variant)?
  ) throws(ToolError) -> Variant {
    if let last {
      if last.place == place { return last.variant }
      if let seed = request.seed(of: place, after: last.place),
        let variant = last.variant.having(seed: seed)
      {
        return variant
      }
    }
    return try Variant(source, request, at: place)
  }

  /// The number of workloads of the run at `place` of this shard, from which the kept part of a resumed sweep is known.
  func workloads(at place: Int) throws(ToolError) -> Int {
    let counts = Set(examples.map(\.workloads.count))
    // Only a value in the middle of a range could have another number than the ends.
    if let count = counts.first, counts.count == 1 { return count }
    return try Variant(source, request, at: position(place) / runsPerGroup).scenario.workloads.count
  }

  /// The place in the total order, from 0, of the run at `place` of this shard.
  private func position(_ place: Int) -> Int { place * shard.count + shard.number - 1 }

  private static func require(_ variant: Variant, _ runs: Int) throws(ToolError) {
    guard variant.count != runs else { return }
    throw ToolError(
      .usage, "--vary changes the number of strategies; name them with --strategy instead")
  }
}

/// Consecutive runs of a sweep, in the form in which they are written.
struct SweepBatch: Sendable {
  /// The parts of a run to keep besides its line of the summary.
  struct Kept: OptionSet, Sendable {
    let rawValue: Int

    static let workloads = Self(rawValue: 1)
    /// The run itself.
    static let rows = Self(rawValue: 2)
  }

  private let kept: Kept
  private(set) var count = 0
  private(set) var summary: [UInt8] = []
  private(set) var workloads: [UInt8] = []
  private(set) var rows: [ReportRow] = []
  private(set) var violations: [String] = []
  /// The error of the run after these, if it failed.
  var failure: ToolError?
  /// Whether an interruption prevented some of the runs.
  var isCut = false

  init(keeping kept: Kept) { self.kept = kept }

  var isComplete: Bool { !isCut && failure == nil }

  /// Adds a run that is already written, in another folder.
  mutating func add(_ run: SweepRows.Run) {
    count += 1
    summary += run.summary
    workloads += run.workloads
  }

  mutating func add(_ row: ReportRow) {
    count += 1
    SummaryCSV.append(row, to: &summary)
    if kept.contains(.workloads) { WorkloadsCSV.append(row, to: &workloads) }
    violations += row.log.violations.map {
      "\(row.log.strategy.label) with \(row.changes), seed \(row.log.seed), is invalid: \($0)"
    }
    if kept.contains(.rows) { rows.append(row.withoutSpans) }
  }
}

/// The outputs of a sweep: its folder, standard output and, if there are few runs, a table.
struct SweepWriter: ~Copyable {
  /// The limit for tables and `run.json`.
  static let maxShown = 1000
  /// The number of runs that threads pass on at once.
  static let batchSize = 8

  let manifest: SweepManifest
  private var outcome: RunOutcome
  private var folder: SweepFolder?
  /// The number of runs before this process.
  private let runsBefore: Int
  private var runsMade = 0
  private let prints: Bool
  private var violations = 0
  private let path: String?
  /// Whether a run is missing that was to be made.
  private(set) var isCut = false

  private static let maxViolations = 10

  init(
    _ sweep: Sweep, _ manifest: SweepManifest, folder path: String?, resumes: Bool, prints: Bool,
    _ circumstances: Circumstances, on console: Console
  ) throws(ToolError) {
    self.manifest = manifest
    self.prints = prints
    self.path = path
    outcome = RunOutcome(circumstances: circumstances)
    if !circumstances.uncheckedBounds.isEmpty { outcome.expectations = .unchecked }
    var runs = 0
    if let path {
      folder = try SweepFolder.open(
        path, manifest, resumes: resumes, workloads: sweep.workloads, on: console)
      runs = folder?.runs ?? manifest.ownRuns
    }
    runsBefore = runs
  }

  /// The number of runs, including those of an earlier process.
  var runs: Int { runsBefore + runsMade }

  var isWhole: Bool { runs == manifest.ownRuns && !isCut }

  /// The runs of an earlier process that are made again because the end shows them: `run.json` has more of a run than the rows.
  var repeated: Range<Int> { 0..<(showsRows ? runsBefore : 0) }

  /// The data that it needs of each run: for the folder, if there is one, and for showing them at the end.
  var kept: SweepBatch.Kept {
    var kept: SweepBatch.Kept = []
    if folder != nil { kept.insert(.workloads) }
    if showsRows { kept.insert(.rows) }
    return kept
  }

  /// Whether the runs are shown at the end: they are few, all are of this shard, and not in a complete folder.
  private var showsRows: Bool {
    (folder != nil || path == nil) && manifest.shards == 1 && manifest.ownRuns <= Self.maxShown
  }

  /// Prints the existing rows, or the header.
  func begin(on console: Console) throws(ToolError) {
    guard prints else { return }
    guard let path, runsBefore > 0 else { return try console.print(SummaryCSV.header) }
    try console.printRecords(of: summary(in: path))
  }

  /// The rows so far.
  private func summary(in path: String) -> String {
    folder == nil
      ? "\(path)/\(SweepFolder.summary)" : GrowingFile.partial(SweepFolder.summary, in: path)
  }

  mutating func append(_ batch: SweepBatch, on console: Console) throws(ToolError) {
    if batch.count > 0 {
      try folder?.append(batch)
      runsMade += batch.count
      if prints { try console.print(bytes: batch.summary) }
    }
    show(batch, on: console)
  }

  /// Takes runs whose rows are written.
  mutating func show(_ batch: SweepBatch, on console: Console) {
    outcome.rows += batch.rows
    outcome.runFailure = outcome.runFailure ?? batch.failure
    isCut = isCut || !batch.isComplete
    for violation in batch.violations {
      violations += 1
      if violations <= Self.maxViolations { console.printError(violation) }
    }
  }

  /// Finishes the files, prints the result, and returns the exit status.
  consuming func conclude(
    _ command: RunCommand, _ summary: SeedSummaryFile?, on console: Console
  ) throws(ToolError) -> ExitStatus {
    let signal = isWhole ? nil : Interruption.signal
    outcome.circumstances.isInterrupted = signal != nil
    var seeds: MadeSeedSummary?
    if isWhole {
      if let summary, let path {
        seeds = try summary.made(from: self.summary(in: path), on: console)
      }
      if folder == nil {
        try seeds?.commit()
      } else {
        try folder?.finish(outcome.rows, outcome.circumstances, seeds)
      }
    }
    if let summary, let seeds {
      try summary.print(seeds, command, on: console)
    } else if !prints, !outcome.rows.isEmpty {
      try console.print(command.text(outcome, on: console))
    }
    if !command.output.quiet { comment(on: console) }
    if signal != nil { console.note(interruption) }
    if violations > Self.maxViolations {
      console.printError("\(violations) faults; the first \(Self.maxViolations) are above")
    }
    if let failure = outcome.runFailure { throw failure }
    if violations > 0 { return .brokenInvariant }
    return signal.map { .interrupted(by: $0) } ?? .success
  }

  private func comment(on console: Console) {
    for warning in MeasurementWarnings.warnings(outcome.rows, outcome.circumstances) {
      console.note("warning: \(warning)")
    }
    if isWhole, let path { console.note("\(manifest.ownRuns) runs are in \(path)") }
  }

  private var interruption: String {
    let remedy = path == nil || runs == 0 ? "" : "; the same command with --resume continues"
    return "interrupted after \(runs) of \(manifest.ownRuns) runs\(remedy)"
  }
}

/// The `seeds.csv` of a whole sweep, computed from its `summary.csv`.
struct SeedSummaryFile {
  let folder: String
  let runsPerGroup: Int
  let expectations: [Expectation]

  static let name = "seeds.csv"

  private var path: String { "\(folder)/\(Self.name)" }

  /// Computes the file from the rows at `summary`, and the groups that a table shows.
  func made(from summary: String, on console: Console) throws(ToolError) -> MadeSeedSummary {
    let made = try MadeSeedSummary(path, on: console)
    try forEachGroup(of: summary) { (group) throws(ToolError) in try made.add(group) }
    try made.requireSame()
    return made
  }

  private func forEachGroup(
    of rows: String, _ body: (SeedSummary.Group) throws(ToolError) -> Void
  ) throws(ToolError) {
    var summary = SeedSummary(runsPerGroup: runsPerGroup, expectations: expectations)
    let failure = try ToolError.reading { () throws(InputError) in
      try summary.forEachGroup(of: ByteSource(path: rows), body)
    }
    if let failure { throw failure }
  }

  /// Prints the file, or a table of `made`.
  func print(
    _ made: MadeSeedSummary, _ command: RunCommand, on console: Console
  ) throws(ToolError) {
    guard command.output.format == .csv else {
      let isColored = console.isColored(command.output.color)
      return try console.print(SeedTable.text(made.shown, of: made.count, isColored: isColored))
    }
    // Either just made, or compared with what was made.
    try console.printRecords(of: path)
  }
}

/// A `seeds.csv` that is written but does not appear yet. One that the folder of a complete sweep has already must be the same.
final class MadeSeedSummary {
  private let path: String
  private var file: NewFile?
  /// Of the text so far.
  private var checksum = Checksum()
  private var length = 0
  private(set) var shown: [SeedSummary.Group] = []
  private(set) var count = 0

  fileprivate init(_ path: String, on console: Console) throws(ToolError) {
    self.path = path
    if unsafe access(path, F_OK) != 0 { file = try NewFile(path, on: console) }
    try write(SeedSummary.header)
  }

  private func write(_ text: String) throws(ToolError) {
    let bytes = Array(text.utf8)
    checksum.add(bytes)
    length += bytes.count
    try file?.write(text)
  }

  /// Throws if the folder has another `seeds.csv` than the one that was made.
  fileprivate func requireSame() throws(ToolError) {
    guard file == nil else { return }
    let found = try FileContent(path, upTo: length)
    guard (found.bytes, found.checksum.text) == (length, checksum.text) else {
      throw ToolError(
        .badInput, "\(path) is not of the runs beside it; move it away, and repeat the command")
    }
  }

  fileprivate func add(_ group: SeedSummary.Group) throws(ToolError) {
    try write(group.csv)
    if count < SweepWriter.maxShown { shown.append(group) }
    count += 1
  }

  /// Makes the file appear; as `hidden` if that is given, where its result is staged.
  func commit(as hidden: String? = nil) throws(ToolError) { try file.take()?.commit(as: hidden) }
}

extension Console {
  /// Prints the records of the file at `path` as they are.
  fileprivate func printRecords(of path: String) throws(ToolError) {
    var records = RawRecords(
      try ToolError.reading { () throws(InputError) in try ByteSource(path: path) })
    while let record = try ToolError.reading({ () throws(InputError) in try records.next() }) {
      try print(bytes: record)
    }
  }
}
