internal import CFrameBudgetLinux
internal import Glibc

/// A file that commands change, one after the other: each puts a new one in its place, so that readers find it before or after
/// a change, whenever a process is killed.
enum KeptFile {
  /// The time to wait for other processes, in steps of 10 ms.
  private static let patience = 3000

  /// Puts what `changed` returns in the place of the file at `path`, which need not exist. Processes that do so wait for each
  /// other, so `changed` may read the file. They lock its folder, because the file itself is another one after each change.
  static func change(
    _ path: String, on console: Console, _ changed: () throws(ToolError) -> String
  ) throws(ToolError) {
    // A link keeps pointing to the file.
    let path = FilePath.resolved(path) ?? path
    let folder = FilePath.folder(of: path)
    let lock = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemError.last)")
    }
    defer { clinux_unlock_and_close(lock) }
    try wait(for: lock, path)
    StagedOutput.removeLeftovers(of: path, on: console)
    let text = try changed()
    let file = try NewFile(inPlaceOf: path)
    try file.write(text)
    try file.replace()
  }

  /// Some file systems have no locks; there two processes must not change a file at once.
  private static func wait(for lock: Int32, _ path: String) throws(ToolError) {
    for _ in 0..<patience {
      guard clinux_lock(lock) == EWOULDBLOCK else { return }
      usleep(10_000)
    }
    throw ToolError(.cannotWrite, "cannot write \(path): another process is writing it; try again")
  }
}
