internal import Glibc

/// A folder of files that appears under its name whole or not at all, and never in place of another.
struct NewFolder: ~Copyable {
  private let path: String
  private let place: StagedOutput

  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if let console { StagedOutput.removeLeftovers(of: path, on: console) }
    try NewFile.requireAbsent(path)
    do {
      place = try StagedOutput(beside: path, isFolder: true)
    } catch {
      throw ToolError(.cannotCreate, "cannot create \(path): \(error)")
    }
    self.path = path
  }

  /// Where its files are until it has its name.
  var hidden: String { place.path }

  func write(_ bytes: [UInt8], to name: String) throws(ToolError) {
    let file = try open(name)
    defer { close(file) }
    if let error = FileWriting.write(bytes, to: file) { throw failure(error) }
  }

  /// Opens a new file in it, which the caller closes.
  func open(_ name: String) throws(ToolError) -> Int32 {
    let file = unsafe openat(
      place.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(.last) }
    return file
  }

  /// Gives the folder its name.
  consuming func commit() throws(ToolError) {
    let error = place.rename(to: path)
    if error != 0 { throw failure(SystemError(number: error)) }
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(path): \(error)")
  }
}
