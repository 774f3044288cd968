internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// The folder of a sweep. Rows are appended to `NAME.partial`, beside `sweep.json.partial`, which describes the sweep. When the
/// sweep is complete, the files of rows are renamed, then `sweep.json` is written in place of `sweep.json.partial`. An
/// unfinished sweep can be resumed.
struct SweepFolder: ~Copyable {
  let path: String
  /// The number of written runs.
  private(set) var runs = 0
  private let manifest: SweepManifest
  private var summary: GrowingFile
  private var workloads: GrowingFile
  /// Locked while this process writes.
  private let lock: FileLock
  /// Whether there was nothing to resume.
  private let isNew: Bool
  private var isFinished = false

  static let summary = "summary.csv"
  static let workloads = "workloads.csv"
  static let names = [summary, workloads]
  private static let run = "run.json"

  /// Nil if `resumes` and the sweep is complete.
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
    try folder.resume()
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
      // Without a run there is nothing to resume.
      for name in Self.names + [SweepManifest.name] {
        unsafe clinux_remove(GrowingFile.partial(name, in: path))
      }
    }
  }

  mutating func append(_ batch: SweepBatch) throws(ToolError) {
    // Workloads first, so that they are complete for every run in the summary.
    try workloads.append(batch.workloads)
    try summary.append(batch.summary)
    runs += batch.count
  }

  /// Does the same, and writes the `run.json` of a sweep made by one process.
  mutating func finish(
    _ rows: [ReportRow], _ circumstances: Circumstances
  ) throws(ToolError) {
    try finish()
    try NewFile.write(RunJSON.text(rows, circumstances), to: "\(path)/\(Self.run)")
  }

  /// Renames the files of rows, and writes the complete manifest in place of the partial one.
  mutating func finish() throws(ToolError) {
    isFinished = true
    var manifest = manifest
    for file in [try workloads.finish(), try summary.finish()].reversed() {
      manifest.files.append(.init(name: file.name, bytes: file.bytes, checksum: file.checksum))
    }
    try NewFile.write(manifest.text, to: "\(path)/\(SweepManifest.name)")
    unsafe clinux_remove(GrowingFile.partial(SweepManifest.name, in: path))
  }

  // MARK: Existing files

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
    // A sweep that another process is writing cannot be resumed.
    _ = try FileLock(marker)
    throw ToolError(
      .cannotCreate,
      "\(path) has an unfinished sweep; the same command with --resume continues it")
  }

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

  /// Renames files back if a process was killed between two renames.
  private static func reopen(_ path: String) throws(ToolError) {
    for name in names where exists("\(path)/\(name)") {
      let error = unsafe clinux_rename_new(
        "\(path)/\(name)", GrowingFile.partial(name, in: path))
      guard error == 0 else {
        throw ToolError(
          .cannotCreate, "cannot resume \(path)/\(name): \(SystemError(number: error))")
      }
    }
  }

  /// Counts the complete runs in the files, and continues after them.
  private mutating func resume() throws(ToolError) {
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
    try ToolError.reading { () throws(InputError) in
      var rows = try SweepRows(
        summary: ByteSource(path: summary.partial), workloads: ByteSource(path: workloads.partial))
      while let run = try rows.next() {
        summary.keep(run.summary)
        workloads.keep(run.workloads)
        runs += 1
      }
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

/// A lock on a file, held as long as this value lives.
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
        "\(path): another sweep is writing here; wait for it, or choose another folder")
    }
  }

  deinit { clinux_unlock_and_close(descriptor) }
}

/// A file of rows that is written as `NAME.partial` and renamed when complete. It can be resumed after a kill.
struct GrowingFile: ~Copyable {
  let name: String
  private let folder: String
  private let descriptor: Int32
  /// The length of the complete rows.
  private(set) var length = 0
  private var checksum = Checksum()

  init(_ name: String, in folder: String) throws(ToolError) {
    self.name = name
    self.folder = folder
    descriptor = unsafe open(Self.partial(name, in: folder), O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw ToolError(
        .cannotCreate, "cannot create \(Self.partial(name, in: folder)): \(SystemError.last)")
    }
  }

  deinit { close(descriptor) }

  static func partial(_ name: String, in folder: String) -> String { "\(folder)/\(name).partial" }

  var partial: String { Self.partial(name, in: folder) }

  /// The number of bytes, including incomplete rows.
  var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// Counts existing bytes as complete.
  mutating func keep(_ bytes: [UInt8]) {
    length += bytes.count
    checksum.add(bytes)
  }

  /// Removes incomplete rows.
  mutating func cut() throws(ToolError) {
    guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) == length else {
      throw failure(.last)
    }
  }

  mutating func append(_ bytes: [UInt8]) throws(ToolError) {
    if let error = FileWriting.write(bytes, to: descriptor) {
      try cut()
      throw failure(error)
    }
    keep(bytes)
  }

  /// Renames the file after its contents have reached the disk, and returns its description.
  func finish() throws(ToolError) -> (name: String, bytes: Int, checksum: String) {
    guard fsync(descriptor) == 0 else { throw failure(.last) }
    let error = unsafe clinux_rename_new(partial, "\(folder)/\(name)")
    guard error == 0 else {
      throw ToolError(
        error == EEXIST ? .cannotCreate : .cannotWrite,
        "cannot write \(folder)/\(name): \(SystemError(number: error))")
    }
    return (name, length, checksum.text)
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(partial): \(error)")
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
