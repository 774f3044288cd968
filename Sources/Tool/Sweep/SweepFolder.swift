internal import CLinux
internal import Glibc
internal import Parsing
internal import Reports

/// The folder of a sweep: its rows grow in `NAME.partial`, beside `sweep.json.partial`, which says what they are rows
/// of; all get their names once the sweep is whole, `sweep.json` last. An unfinished one can be gone on with.
struct SweepFolder: ~Copyable {
  let path: String
  /// How many runs are written.
  private(set) var runs = 0
  private let manifest: SweepManifest
  private var summary: GrowingFile
  private var workloads: GrowingFile
  /// Locked while this process writes.
  private let lock: FileLock
  /// Whether nothing was there to go on with.
  private let isNew: Bool
  private var isFinished = false

  static let summary = "summary.csv"
  static let workloads = "workloads.csv"
  static let names = [summary, workloads]
  private static let run = "run.json"

  /// Nil where the sweep is whole already and that is no fault, as with `resumes`.
  static func open(
    _ path: String, _ manifest: SweepManifest, resumes: Bool
  ) throws(ToolError) -> SweepFolder? {
    try ResultFolder.create(path)
    let whole = "\(path)/\(SweepManifest.name)"
    if resumes, exists(whole) {
      try require(whole, of: manifest)
      return nil
    }
    var folder = try SweepFolder(path, manifest, resumes: resumes)
    try folder.goOn()
    return folder
  }

  private init(
    _ path: String, _ manifest: SweepManifest, resumes: Bool
  ) throws(ToolError) {
    let marker = GrowingFile.partial(SweepManifest.name, in: path)
    let isThere = Self.exists(marker)
    if isThere { try Self.requireResuming(resumes, path, marker) }
    if !isThere { try Self.begin(path, manifest, marker) }
    let lock = try FileLock(marker)
    if isThere {
      try Self.require(marker, of: manifest)
      try Self.reopen(path)
    }
    let summary = try GrowingFile(Self.summary, in: path)
    let workloads = try GrowingFile(Self.workloads, in: path)
    self.path = path
    self.manifest = manifest
    self.lock = lock
    isNew = !isThere
    self.summary = summary
    self.workloads = workloads
  }

  deinit {
    if isNew, runs == 0, !isFinished {
      // Nothing was made: nothing to go on with.
      for name in Self.names + [SweepManifest.name] {
        unsafe clinux_remove(GrowingFile.partial(name, in: path))
      }
    }
  }

  mutating func append(_ batch: SweptBatch) throws(ToolError) {
    // Workloads first: of every run in the summary they are whole.
    try workloads.append(batch.workloads)
    try summary.append(batch.summary)
    runs += batch.count
  }

  /// Lets the files appear, and beside them what one process that made all of it has to say of `rows`.
  mutating func finish(
    _ rows: [ReportRow], _ circumstances: Circumstances
  ) throws(ToolError) {
    try finish()
    try NewFile.write(RunJSON.text(rows, circumstances), to: "\(path)/\(Self.run)")
  }

  /// Lets the files appear.
  mutating func finish() throws(ToolError) {
    isFinished = true
    var manifest = manifest
    for file in [try workloads.finish(), try summary.finish()].reversed() {
      manifest.files.append(.init(name: file.name, bytes: file.bytes, checksum: file.checksum))
    }
    try NewFile.write(manifest.text, to: "\(path)/\(SweepManifest.name)")
    unsafe clinux_remove(GrowingFile.partial(SweepManifest.name, in: path))
  }

  // MARK: What is there already

  private static func begin(
    _ path: String, _ manifest: SweepManifest, _ marker: String
  ) throws(ToolError) {
    for name in names + [SweepManifest.name, run] { try NewFile.requireAbsent("\(path)/\(name)") }
    for name in names { try NewFile.requireAbsent(GrowingFile.partial(name, in: path)) }
    try NewFile.write(manifest.text, to: marker)
  }

  private static func requireResuming(
    _ resumes: Bool, _ path: String, _ marker: String
  ) throws(ToolError) {
    if resumes { return }
    // One that is still being written is waited for, not gone on with.
    _ = try FileLock(marker)
    throw ToolError(
      .cannotCreate,
      "\(path) has an unfinished sweep; the same command with --resume goes on with it")
  }

  /// Fails unless the manifest at `file` is of the same sweep and shard.
  private static func require(_ file: String, of manifest: SweepManifest) throws(ToolError) {
    let found: SweepManifest
    do throws(InputError) {
      found = try SweepManifest(ByteSource(path: file))
    } catch {
      throw ToolError(error)
    }
    var difference = found.difference(from: manifest)
    if (found.shard, found.shards) != (manifest.shard, manifest.shards) {
      difference = "shard \(found.shard)/\(found.shards)"
    }
    guard let difference else { return }
    throw ToolError(.badInput, "\(file) is of another sweep: \(difference); choose another folder")
  }

  /// Takes names back that a process gave before it was killed, with others still to give.
  private static func reopen(_ path: String) throws(ToolError) {
    for name in names where exists("\(path)/\(name)") {
      let error = unsafe clinux_rename_new(
        "\(path)/\(name)", GrowingFile.partial(name, in: path))
      guard error == 0 else {
        throw ToolError(
          .cannotCreate, "cannot go on with \(path)/\(name): \(SystemError(number: error))")
      }
    }
  }

  /// Counts the whole runs that are there, and begins behind them.
  private mutating func goOn() throws(ToolError) {
    let headers = (
      summary: Array(SummaryCSV.header.utf8), workloads: Array(WorkloadsCSV.header.utf8)
    )
    guard summary.size >= headers.summary.count, workloads.size >= headers.workloads.count else {
      try summary.cut()
      try workloads.cut()
      try summary.append(headers.summary)
      return try workloads.append(headers.workloads)
    }
    summary.keep(headers.summary)
    workloads.keep(headers.workloads)
    do throws(InputError) {
      var rows = try SweepRows(
        summary: ByteSource(path: summary.partial), workloads: ByteSource(path: workloads.partial))
      while let run = try rows.next() {
        summary.keep(run.summary)
        workloads.keep(run.workloads)
        runs += 1
      }
    } catch {
      throw ToolError(error)
    }
    guard runs <= manifest.ownRuns else {
      throw ToolError(
        .badInput, "\(summary.partial) has \(runs) runs of \(manifest.ownRuns): it is damaged")
    }
    try summary.cut()
    try workloads.cut()
    // What is kept goes into files that others read.
    for file in [summary.partial, workloads.partial] {
      try ToolError.reading { () throws(InputError) in
        try ResultSet.requireReadable(ByteSource(path: file))
      }
    }
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

/// A file that nobody else has locked, as long as this value lives.
private struct FileLock: ~Copyable {
  private let descriptor: Int32

  init(_ path: String) throws(ToolError) {
    descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, clinux_lock(descriptor) != EWOULDBLOCK,
      StagedOutput.isAt(path, descriptor)
    else {
      if descriptor >= 0 { clinux_unlock_and_close(descriptor) }
      throw ToolError(
        .cannotCreate,
        "\(path): a sweep goes on that writes here; wait for it, or choose another folder")
    }
  }

  deinit { clinux_unlock_and_close(descriptor) }
}
