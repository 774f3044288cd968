internal import CLinux
internal import Glibc

/// A folder of files that appears under its name whole or not at all, and never in place of another.
struct NewFolder: ~Copyable {
  private let path: String
  private let hiddenPath: String
  private var names: [String] = []

  init(_ path: String) throws(ToolError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    try NewFile.requireAbsent(path)
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let hiddenPath = String(path.dropLast(name.count)) + ".\(name).\(getpid())"
    guard unsafe mkdir(hiddenPath, 0o777) == 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemError.last)")
    }
    self.path = path
    self.hiddenPath = hiddenPath
  }

  deinit {
    // Where it was committed nothing has this name any more.
    for name in names { _ = unsafe unlink("\(hiddenPath)/\(name)") }
    _ = unsafe rmdir(hiddenPath)
  }

  mutating func write(_ bytes: [UInt8], to name: String) throws(ToolError) {
    let file = unsafe open("\(hiddenPath)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(.last) }
    defer { close(file) }
    names.append(name)
    if let error = FileWriting.write(bytes, to: file) { throw failure(error) }
  }

  /// Gives the folder its name.
  consuming func commit() throws(ToolError) {
    let error = unsafe clinux_rename_new(hiddenPath, path)
    if error != 0 { throw failure(SystemError(number: error)) }
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(path): \(error)")
  }
}
