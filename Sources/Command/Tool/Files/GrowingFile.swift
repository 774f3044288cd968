internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudget
internal import FrameBudgetReports

/// A file of rows that is written as `NAME.partial`, which survives a kill, and gets its name with the other files of its result.
///
/// It is locked while its process runs. With at least one row it is never removed.
struct GrowingFile: ~Copyable {
  let name: String
  private let folder: String
  private let descriptor: Int32
  /// Registers its removal by a signal, until there is a row.
  private var place: Int32 = -1
  /// The length of the complete rows.
  private(set) var length = 0
  private(set) var checksum = Checksum()

  /// Creates the file. Opens an existing one if `resumes`, or if it is the empty leftover of a killed process.
  init(
    _ name: String, in folder: String, resumes: Bool = false, on console: Console? = nil
  ) throws(ToolError) {
    let path = Self.partial(name, in: folder)
    let file = try Self.opened(path, resumes: resumes, on: console)
    self.name = name
    self.folder = folder
    descriptor = file
    if size == 0 { place = unsafe clinux_unfinished(path) }
  }

  deinit {
    if size == 0, StagedOutput.isAt(partial, descriptor) { unsafe clinux_remove(partial) }
    clinux_finished(place)
    clinux_unlock_and_close(descriptor)
  }

  /// The locked file. Throws if a running process has locked it, or a killed one has left rows.
  private static func opened(
    _ path: String, resumes: Bool, on console: Console?
  ) throws(ToolError) -> Int32 {
    let isThere = unsafe access(path, F_OK) == 0
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o666)
    guard file >= 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemError.last)")
    }
    var obstacle: String?
    if clinux_lock(file) == EWOULDBLOCK || !StagedOutput.isAt(path, file) {
      obstacle = "another run is writing it; wait for it, or choose another folder"
    } else if !resumes, lseek(file, 0, SEEK_END) > 0 {
      obstacle =
        "a run that did not end had measured \(rows(path)); choose another folder, or move it away"
    }
    if let obstacle {
      clinux_unlock_and_close(file)
      throw ToolError(.cannotCreate, "\(path) exists already: \(obstacle)")
    }
    if isThere, !resumes { console?.note("removed \(path), an empty leftover of a killed run") }
    return file
  }

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
  func cut() throws(ToolError) {
    guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) == length else {
      throw failure(.last)
    }
  }

  /// Appends complete rows, the first ones after `header`.
  mutating func append(_ rows: [UInt8], after header: String) throws(ToolError) {
    let bytes = length == 0 ? Array(header.utf8) + rows : rows
    if let error = FileWriting.write(bytes, to: descriptor) {
      try cut()
      throw failure(error)
    }
    keep(bytes)
    clinux_finished(place)
    place = -1
  }

  /// Returns once its contents have reached the disk.
  func sync() throws(ToolError) {
    guard fsync(descriptor) == 0 else { throw failure(.last) }
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(partial): \(error)")
  }

  /// The number of complete rows, in words.
  static func rows(_ path: String) -> String {
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
