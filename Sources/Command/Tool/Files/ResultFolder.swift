internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// The folder of `-o DIR`: its three files appear at the end; until then a partial summary grows.
struct ResultFolder: ~Copyable {
  private let path: String
  private var partial: PartialSummary

  static let names = ["summary.csv", "workloads.csv", "run.json"]

  /// Creates the folder if it is missing, and checks before the measurement that nothing would be overwritten.
  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    try Self.prepare(path, for: Self.names, on: console)
    partial = try PartialSummary(in: path, on: console)
    self.path = path
  }

  /// Saves a finished run, in case the process is killed before the last one.
  mutating func append(_ row: ReportRow) throws(ToolError) { try partial.append(row) }

  /// Renames the files of all runs; the partial summary is complete by now.
  consuming func finish(_ rows: [ReportRow], _ circumstances: Circumstances) throws(ToolError) {
    try partial.finish()
    try NewFile.write(WorkloadsCSV.text(rows), to: "\(path)/workloads.csv")
    try NewFile.write(RunJSON.text(rows, circumstances), to: "\(path)/run.json")
  }

  /// Creates the folder if it is missing, and refuses it if one of `names` is in it.
  static func prepare(
    _ path: String, for names: [String], on console: Console?
  ) throws(ToolError) {
    try create(path)
    for name in names {
      if let console { StagedOutput.removeLeftovers(of: "\(path)/\(name)", on: console) }
      try NewFile.requireAbsent("\(path)/\(name)")
    }
  }

  /// Creates the folder and those above it.
  static func create(_ path: String) throws(ToolError) {
    guard !path.isEmpty else { throw ToolError(.usage, "-o needs the name of a folder") }
    var part = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      part += part.isEmpty || part == "/" ? String(name) : "/\(name)"
      guard unsafe mkdir(part, 0o777) != 0, errno != EEXIST else { continue }
      // If a parent folder exists, the system may refuse with other errors than that it exists.
      let error = SystemError.last
      guard !isFolder(part) else { continue }
      throw ToolError(.cannotCreate, "cannot create the folder \(path): \(error)")
    }
    guard isFolder(path) else {
      throw ToolError(.cannotCreate, "cannot create the folder \(path): a file has that name")
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The files that a command writes beside its output, as requested.
struct ResultFiles: ~Copyable {
  private var folder: ResultFolder?
  private var frames: NewFile?
  private var trace: NewFile?
  private var traceFile = TraceFile()

  /// Creates before the measurement every file that can be created.
  init(
    folder: String?, frames: String?, trace: String? = nil, on console: Console? = nil
  ) throws(ToolError) {
    if let folder { self.folder = try ResultFolder(folder, on: console) }
    if let frames {
      self.frames = try NewFile(frames, on: console)
      try self.frames?.write(FramesCSV.header)
    }
    if let trace {
      self.trace = try NewFile(trace, on: console)
      try self.trace?.write(TraceFile.head)
    }
  }

  /// Saves a finished run.
  mutating func append(_ row: ReportRow) throws(ToolError) {
    try folder?.append(row)
    try frames?.write(FramesCSV.lines(row))
    guard trace != nil else { return }
    try traceFile.write(row) { (text) throws(ToolError) in try trace?.write(text) }
  }

  /// Renames the files.
  consuming func finish(_ rows: [ReportRow], _ circumstances: Circumstances) throws(ToolError) {
    try folder.take()?.finish(rows, circumstances)
    try frames.take()?.commit()
    try trace?.write(TraceFile.tail)
    try trace.take()?.commit()
  }
}

/// `summary.csv.partial`: the rows of finished runs, which survive a kill; at the end it is renamed.
///
/// It is locked while its process runs. With at least one row it is never removed.
struct PartialSummary: ~Copyable {
  static let name = "summary.csv.partial"

  private let folder: String
  private let file: Int32
  /// Registers its removal by a signal, until there is a row.
  private var place: Int32
  /// The length of the complete rows.
  private var length = 0
  /// Whether a row could not be written; then no more rows are written.
  private var isFull = false

  init(in folder: String, on console: Console? = nil) throws(ToolError) {
    self.folder = folder
    let path = "\(folder)/\(Self.name)"
    file = try Self.created(path, on: console)
    place = unsafe clinux_unfinished(path)
  }

  deinit {
    if length == 0 {
      unsafe clinux_remove(path)
    } else if isFull {
      // The measured rows keep their file, and a full disk has no unfinished file.
      _ = unsafe clinux_rename_new(path, "\(folder)/summary.csv")
    }
    clinux_finished(place)
    clinux_unlock_and_close(file)
  }

  private var path: String { "\(folder)/\(Self.name)" }

  mutating func append(_ row: ReportRow) throws(ToolError) {
    var bytes = length == 0 ? Array(SummaryCSV.header.utf8) : []
    SummaryCSV.append(row, to: &bytes)
    if let error = FileWriting.write(bytes, to: file) {
      isFull = true
      _ = ftruncate(file, length)
      throw ToolError(.cannotWrite, "cannot write \(path): \(error)")
    }
    length += bytes.count
    clinux_finished(place)
    place = -1
  }

  /// Renames it to the summary after its contents have reached the disk.
  consuming func finish() throws(ToolError) {
    guard length > 0 else { return }
    let fault = fsync(file) == 0 ? nil : SystemError.last
    let error = unsafe clinux_rename_new(path, "\(folder)/summary.csv")
    guard error == 0, fault == nil else {
      throw ToolError(
        error == EEXIST ? .cannotCreate : .cannotWrite,
        "cannot write \(folder)/summary.csv: \(fault ?? SystemError(number: error))")
    }
  }

  // MARK: An existing partial summary

  private static func created(_ path: String, on console: Console?) throws(ToolError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    var file = unsafe open(path, flags, 0o666)
    if file < 0, errno == EEXIST {
      try removeEmpty(path, on: console)
      file = unsafe open(path, flags, 0o666)
    }
    guard file >= 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemError.last)")
    }
    guard clinux_lock(file) != EWOULDBLOCK, StagedOutput.isAt(path, file) else {
      clinux_unlock_and_close(file)
      throw busy(path)
    }
    return file
  }

  /// Rejects a file with rows, or of a running process; removes an empty leftover.
  private static func removeEmpty(_ path: String, on console: Console?) throws(ToolError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { clinux_unlock_and_close(file) } }
    if file >= 0, clinux_lock(file) == EWOULDBLOCK { throw busy(path) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_size == 0 else {
      throw ToolError(
        .cannotCreate,
        "\(path) exists already: a killed run had measured \(rows(path)); "
          + "choose another folder, or move it away")
    }
    unsafe clinux_remove(path)
    console?.note("removed \(path), an empty leftover of a killed run")
  }

  private static func busy(_ path: String) -> ToolError {
    ToolError(
      .cannotCreate,
      "\(path) exists already: another run is writing it; wait for it, or choose another folder")
  }

  /// The number of complete rows, in words.
  private static func rows(_ path: String) -> String {
    var count = -1
    do throws(InputError) {
      var records = CSVRecords(try ByteSource(path: path))
      var columns = 0
      try records.forEach { (fields) throws(InputError) in
        if columns == 0 { columns = fields.count }
        if fields.count == columns { count += 1 }
      }
    } catch {
      // Counts the rows before any damage.
    }
    return English.count(max(0, count), "row")
  }
}
