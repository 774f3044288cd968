internal import FrameBudget
internal import Parsing
internal import RealTime
internal import Reports

/// Where the runs of a sweep go as they come: its folder, standard output, and, as long as they are few, a table.
struct SweepWriter: ~Copyable {
  /// More do not fit a table, nor `run.json`.
  static let mostShown = 1000
  /// How many runs go from one thread to the other at once.
  static let batchSize = 8

  let manifest: SweepManifest
  private var outcome: RunOutcome
  private var folder: SweepFolder?
  /// How many were there before this process.
  private let runsBefore: Int
  private var runsMade = 0
  private let prints: Bool
  private var violations = 0
  private let path: String?

  private static let mostViolations = 10

  init(
    _ manifest: SweepManifest, folder path: String?, resumes: Bool, prints: Bool,
    _ circumstances: Circumstances
  ) throws(ToolError) {
    self.manifest = manifest
    self.prints = prints
    self.path = path
    outcome = RunOutcome(circumstances: circumstances)
    var runs = 0
    if let path {
      folder = try SweepFolder.open(path, manifest, resumes: resumes)
      runs = folder?.runs ?? manifest.ownRuns
    }
    runsBefore = runs
  }

  /// How many there are, those of an earlier process too.
  var runs: Int { runsBefore + runsMade }

  var isWhole: Bool { runs == manifest.ownRuns }

  /// What it needs of the runs: for the folder, if there is one, and to show them at the end.
  var kept: SweptBatch.Kept {
    var kept: SweptBatch.Kept = []
    if folder != nil { kept.insert(.workloads) }
    if showsRows { kept.insert(.rows) }
    return kept
  }

  /// Whether the runs can be shown at the end: all of the sweep were made here, and they are few.
  private var showsRows: Bool {
    runsBefore == 0 && manifest.shards == 1 && manifest.ownRuns <= Self.mostShown
  }

  /// Prints the rows that are there already, or the line above them.
  func begin(on console: Console) throws(ToolError) {
    guard prints else { return }
    guard let path, runsBefore > 0 else { return try console.print(SummaryCSV.header) }
    let file =
      folder == nil
      ? "\(path)/\(SweepFolder.summary)" : GrowingFile.partial(SweepFolder.summary, in: path)
    var records = RawRecords(
      try ToolError.reading { () throws(InputError) in try ByteSource(path: file) })
    while let record = try ToolError.reading({ () throws(InputError) in try records.next() }) {
      try console.print(bytes: record)
    }
  }

  mutating func append(_ batch: SweptBatch, on console: Console) throws(ToolError) {
    if batch.count > 0 {
      try folder?.append(batch)
      runsMade += batch.count
      if prints { try console.print(bytes: batch.summary) }
    }
    outcome.rows += batch.rows
    outcome.runFailure = batch.failure
    for violation in batch.violations {
      violations += 1
      if violations <= Self.mostViolations { console.complain(violation) }
    }
  }

  /// Lets the files appear, prints what is to be printed, and says how it ended.
  consuming func conclude(
    _ command: RunCommand, _ summary: SeedSummaryFile?, on console: Console
  ) throws(ToolError) -> ExitStatus {
    if isWhole { try folder?.finish(outcome.rows, outcome.circumstances) }
    if let summary, isWhole {
      try summary.write(command, on: console)
    } else if !prints, !outcome.rows.isEmpty {
      try console.print(command.text(outcome, on: console))
    }
    if !command.output.quiet { comment(on: console) }
    if violations > Self.mostViolations {
      console.complain("\(violations) faults in all; the first \(Self.mostViolations) are above")
    }
    if let failure = outcome.runFailure { throw failure }
    if violations > 0 { return .invalidRun }
    guard !isWhole, let signal = Interruption.signal else { return .success }
    return .interrupted(by: signal)
  }

  private func comment(on console: Console) {
    for warning in MeasurementWarnings.warnings(outcome.rows, outcome.circumstances) {
      console.note("warning: \(warning)")
    }
    if isWhole {
      if let path { console.note("\(manifest.ownRuns) runs are in \(path)") }
    } else if path == nil {
      console.note("interrupted after \(runs) of \(manifest.ownRuns) runs")
    } else if runs > 0 {
      console.note(
        "interrupted after \(runs) of \(manifest.ownRuns) runs; the same command with --resume goes on"
      )
    }
  }
}
