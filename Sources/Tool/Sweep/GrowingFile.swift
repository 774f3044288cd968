internal import CLinux
internal import Glibc
internal import Parsing

/// A file of rows that grows as `NAME.partial` and gets its name once it is whole; what a killed process leaves of it
/// can be gone on with.
struct GrowingFile: ~Copyable {
  let name: String
  private let folder: String
  private let descriptor: Int32
  /// As far as rows are whole.
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

  /// How many bytes there are, whole rows or not.
  var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// Counts bytes as whole that are there already.
  mutating func keep(_ bytes: [UInt8]) {
    length += bytes.count
    checksum.add(bytes)
  }

  /// Forgets what is behind the whole rows.
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

  /// Gives the file its name, once all of it is on the disk, and says what is in it.
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
