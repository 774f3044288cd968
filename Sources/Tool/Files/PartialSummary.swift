internal import CLinux
internal import Glibc
internal import Parsing
internal import Reports

/// `summary.csv.partial`: the rows of finished runs, which a killed process leaves behind; in the end it becomes the
/// summary.
///
/// It is locked while its process lives. Once it holds a row it is measured work, and never removed.
struct PartialSummary: ~Copyable {
  static let name = "summary.csv.partial"

  private let folder: String
  private let file: Int32
  /// What signals remove: nothing once there is a row.
  private var place: Int32
  /// As far as rows are whole.
  private var length = 0
  /// Whether a row could not be written: then there is nothing to wait for.
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
      // What was measured keeps its place, and nothing unfinished is left on a full disk.
      _ = unsafe clinux_rename_new(path, "\(folder)/summary.csv")
    }
    clinux_finished(place)
    clinux_unlock_and_close(file)
  }

  private var path: String { "\(folder)/\(Self.name)" }

  mutating func append(_ row: ReportRow) throws(ToolError) {
    let bytes = Array(((length == 0 ? SummaryCSV.header : "") + SummaryCSV.line(row)).utf8)
    if let error = FileWriting.write(bytes, to: file) {
      isFull = true
      _ = ftruncate(file, length)
      throw ToolError(.cannotWrite, "cannot write \(path): \(error)")
    }
    length += bytes.count
    clinux_finished(place)
    place = -1
  }

  /// Gives it the summary's name, once all of it is on the disk.
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

  // MARK: One that is there already

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

  /// Refuses what a run has left, or is about to write; what a killed run has created and not begun may go.
  private static func removeEmpty(_ path: String, on console: Console?) throws(ToolError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if file >= 0 { clinux_unlock_and_close(file) } }
    if file >= 0, clinux_lock(file) == EWOULDBLOCK { throw busy(path) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_size == 0 else {
      throw ToolError(
        .cannotCreate,
        "\(path) exists already: a run that was killed had measured \(rows(path)); "
          + "choose another folder, or move it away")
    }
    unsafe clinux_remove(path)
    console?.note("removed \(path), which a run that was killed has left empty")
  }

  private static func busy(_ path: String) -> ToolError {
    ToolError(
      .cannotCreate,
      "\(path) exists already: a run goes on that writes it; wait for it, or choose another folder")
  }

  /// How many whole rows it holds, in words.
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
      // Whatever is damaged, the rows before it are counted.
    }
    return English.count(max(0, count), "row")
  }
}
