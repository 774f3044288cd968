internal import Glibc

/// A file that appears under its name whole or not at all, and never in place of another.
///
/// It grows beside its name, and gets it by `commit`; without that it vanishes.
struct NewFile: ~Copyable {
  private let path: String
  private let place: StagedOutput

  /// `console` hears what of an earlier, killed run was removed.
  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    if let console { StagedOutput.removeLeftovers(of: path, on: console) }
    try Self.requireAbsent(path)
    do {
      place = try StagedOutput(beside: path)
    } catch {
      throw ToolError(.cannotCreate, "cannot create \(path): \(error)")
    }
    self.path = path
  }

  func write(_ text: String) throws(ToolError) {
    if let error = FileWriting.write(Array(text.utf8), to: place.descriptor) {
      throw failure(error)
    }
  }

  /// Gives the file its name, once all of it is on the disk.
  consuming func commit() throws(ToolError) {
    guard fsync(place.descriptor) == 0 else { throw failure(.last) }
    let error = place.rename(to: path)
    if error == EEXIST { throw Self.exists(path) }
    if error != 0 { throw failure(SystemError(number: error)) }
  }

  /// Checks before a long run that nothing has the name yet.
  static func requireAbsent(_ path: String) throws(ToolError) {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw exists(path) }
  }

  static func write(_ text: String, to path: String) throws(ToolError) {
    let file = try NewFile(path)
    try file.write(text)
    try file.commit()
  }

  /// Writes to the first of `PREFIXENDING`, `PREFIX-2ENDING` ... that nothing has yet; returns that name.
  static func write(
    _ text: String, toFirstFree prefix: String, _ ending: String
  ) throws(ToolError) -> String {
    var name = prefix + ending
    var number = 1
    var status = stat()
    while unsafe lstat(name, &status) == 0 {
      number += 1
      name = "\(prefix)-\(number)\(ending)"
    }
    try write(text, to: name)
    return name
  }

  private static func exists(_ path: String) -> ToolError {
    ToolError(.cannotCreate, "\(path) exists already; choose another name, or move it away")
  }

  private func failure(_ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(path): \(error)")
  }
}
