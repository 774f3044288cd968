internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// The folder of a sweep. Rows are appended to `NAME.partial`, beside `sweep.json.partial`, which describes the sweep. When the
/// sweep is complete, all its files appear together. An unfinished sweep can be resumed.
struct SweepFolder: ~Copyable {
  let path: String
  /// The number of written runs.
  private(set) var runs = 0
  private let manifest: SweepManifest
  private var summary: GrowingFile
  private var workloads: GrowingFile

  static let summary = "summary.csv"
  static let workloads = "workloads.csv"
  static let names = [summary, workloads]
  private static let run = "run.json"

  /// Nil if `resumes` and the sweep is complete. `workloads` is the number of workloads of the run at a place, if it is known:
  /// a run with another number of lines is not complete.
  static func open(
    _ path: String, _ manifest: SweepManifest, resumes: Bool,
    workloads: (Int) throws(ToolError) -> Int? = { _ in nil }, on console: Console
  ) throws(ToolError) -> SweepFolder? {
    let whole = "\(path)/\(SweepManifest.name)"
    try OutputFiles.prepare(path, for: [], on: console)
    if resumes, exists(whole) {
      try require(whole, of: manifest)
      return nil
    }
    // Totals of other runs would be taken for those of this sweep.
    for name in names + [SweepManifest.name, run, SeedSummaryFile.name] {
      try NewFile.requireAbsent("\(path)/\(name)")
    }
    var folder = try SweepFolder(path, manifest, resumes: resumes, on: console)
    try folder.resume(workloads)
    return folder
  }

  private init(
    _ path: String, _ manifest: SweepManifest, resumes: Bool, on console: Console
  ) throws(ToolError) {
    let marker = GrowingFile.partial(SweepManifest.name, in: path)
    let isThere = Self.exists(marker)
    // Their locks keep other processes away.
    let summary = try GrowingFile(Self.summary, in: path, resumes: isThere, on: console)
    let workloads = try GrowingFile(Self.workloads, in: path, resumes: isThere, on: console)
    if isThere, !resumes {
      throw ToolError(
        .cannotCreate,
        "\(path) has an unfinished sweep; the same command with --resume continues it")
    }
    if isThere { try Self.require(marker, of: manifest) }
    if !isThere { try NewFile.write(manifest.text, to: marker, on: console) }
    self.path = path
    self.manifest = manifest
    self.summary = summary
    self.workloads = workloads
  }

  deinit {
    // Without a run there is nothing to resume.
    if summary.size == 0 { unsafe clinux_remove(GrowingFile.partial(SweepManifest.name, in: path)) }
  }

  mutating func append(_ batch: SweepBatch) throws(ToolError) {
    // Workloads first, so that they are complete for every run in the summary.
    try workloads.append(batch.workloads, after: WorkloadsCSV.header)
    try summary.append(batch.summary, after: SummaryCSV.header)
    runs += batch.count
  }

  /// Makes all files appear, with the `run.json` of `rows` if one process made the sweep, and with `seeds` if it is wanted.
  mutating func finish(
    _ rows: [ReportRow]? = nil, _ circumstances: Circumstances = Circumstances(),
    _ seeds: MadeSeedSummary? = nil
  ) throws(ToolError) {
    // A shard without runs has headers, too.
    if runs == 0 { try append(SweepBatch(keeping: .workloads)) }
    var manifest = manifest
    manifest.files = [summary.listed, workloads.listed]
    let files = try OutputFiles(in: path)
    try files.write(manifest.text, to: SweepManifest.name)
    if let rows { try files.write(RunJSON.text(rows, circumstances), to: Self.run) }
    try seeds?.commit(as: "\(files.hidden)/\(SeedSummaryFile.name)")
    try files.add(summary)
    try files.add(workloads)
    try files.commit()
  }

  // MARK: Existing files

  /// Fails unless the manifest at `file` is of the same sweep and shard.
  private static func require(_ file: String, of manifest: SweepManifest) throws(ToolError) {
    let found = try SweepManifest.read(file)
    var difference = found.difference(from: manifest)
    if (found.shard, found.shards) != (manifest.shard, manifest.shards) {
      difference = "shard \(found.shard)/\(found.shards)"
    }
    guard let difference else { return }
    throw ToolError(.badInput, "\(file) is of another sweep: \(difference); choose another folder")
  }

  /// Counts the complete runs in the files, and continues after them. After a crash of the machine or on a full disk, each file
  /// may lack lines that the other has.
  private mutating func resume(
    _ expected: (Int) throws(ToolError) -> Int?
  ) throws(ToolError) {
    let headers = (
      summary: Array(SummaryCSV.header.utf8), workloads: Array(WorkloadsCSV.header.utf8)
    )
    guard summary.size >= headers.summary.count, workloads.size >= headers.workloads.count else {
      try summary.cut()
      return try workloads.cut()
    }
    summary.keep(headers.summary)
    workloads.keep(headers.workloads)
    var rows = try ToolError.reading { () throws(InputError) in
      try SweepRows(
        summary: ByteSource(path: summary.partial), workloads: ByteSource(path: workloads.partial))
    }
    var last: SweepRows.Run?
    while let run = try ToolError.reading({ () throws(InputError) in try rows.next() }) {
      let count = runs < manifest.ownRuns ? try expected(runs) : nil
      guard run.count == count ?? run.count, last.map(run.contradicts) != true else { break }
      summary.keep(run.summary)
      workloads.keep(run.workloads)
      runs += 1
      last = run
    }
    guard runs <= manifest.ownRuns else {
      throw ToolError(
        .badInput, "\(summary.partial) has \(runs) runs of \(manifest.ownRuns): it is damaged")
    }
    try summary.cut()
    try workloads.cut()
    // Other programs may read these files, so they are cut to complete runs.
    for file in [summary.partial, workloads.partial] {
      try ToolError.reading { () throws(InputError) in
        try ResultSet.requireReadable(ByteSource(path: file))
      }
    }
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

extension GrowingFile {
  /// Its description in the manifest of a sweep.
  fileprivate var listed: SweepManifest.File {
    .init(name: name, bytes: length, checksum: checksum.text)
  }
}

extension SweepManifest {
  static func read(_ file: String) throws(ToolError) -> SweepManifest {
    try ToolError.reading { () throws(InputError) in try SweepManifest(ByteSource(path: file)) }
  }

  /// The command that makes this shard in `folder`, for a shell.
  func command(into folder: String) -> String {
    let words =
      ["framebudget", "run", scenario, "--engine", "virtual"] + options
      + (shards > 1 ? ["--shard", "\(shard)/\(shards)"] : []) + ["-o", folder]
    return ShellWord.line(words)
  }
}
