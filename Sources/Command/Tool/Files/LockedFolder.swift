internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import Glibc

/// A temporary folder with a lock: one in which a browser writes everything, or of the commits that `bisect` measures.
///
/// The process that creates it holds a lock in it. If that process is killed, the next command that needs such a folder removes it,
/// which it recognizes by its free lock. A browser's guard creates the browser's; if the guard is killed, `record` removes it.
struct LockedFolder {
  let path: String

  /// The open lock of a folder that this process has created, for all copies of the value.
  private final class Lock {
    var descriptor: Int32 = -1
  }

  private let own = Lock()

  private static let prefix = "framebudget-"
  private static let folders = [
    FileManager.default.temporaryDirectory.path(percentEncoded: false), "/tmp",
  ]

  init(path: String) { self.path = path }

  /// The longest path in which a browser can create its sockets: the path of a socket has at most 107 bytes, 45 of which the
  /// browser adds.
  static let longestOfBrowser = 62

  /// A name that is free, with a path of at most `longest` bytes.
  static func new(longest: Int = .max) -> LockedFolder {
    let name = prefix + UUID().uuidString.prefix(8)
    let paths = folders.map { URL(filePath: $0).appending(component: name).path }
    return LockedFolder(path: paths.first { $0.utf8.count <= longest } ?? "/tmp/\(name)")
  }

  private var lock: String { path + "/lock" }

  /// Where `bisect` checks out commits.
  var worktree: String { path + "/worktree" }

  /// Creates the folder, and locks it until it is removed or this process ends. Returns the error, if any.
  func create() -> SystemError? {
    var error = created()
    // Another process took it for a leftover before it was locked, and removes it.
    for _ in 1..<Self.maxTries where error.map({ Self.isLost.contains($0.number) }) ?? false {
      usleep(1000)
      error = created()
    }
    return error
  }

  private static let maxTries = 1000
  /// The folder is there, is gone, or is locked.
  private static let isLost: Set<Int32> = [EEXIST, ENOENT, EWOULDBLOCK]

  private func created() -> SystemError? {
    guard unsafe mkdir(path, 0o700) == 0 else { return SystemError.last }
    own.descriptor = unsafe open(lock, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard own.descriptor >= 0 else { return SystemError.last }
    let error = clinux_lock(own.descriptor)
    if error == 0, StagedOutput.isAt(lock, own.descriptor) { return nil }
    close(own.descriptor)
    own.descriptor = -1
    return SystemError(number: error == 0 ? ENOENT : error)
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    if own.descriptor >= 0 { close(own.descriptor) }
    own.descriptor = -1
  }

  /// Removes the folders of killed processes, and says so.
  static func removeLeftovers(on console: Console) {
    for path in removeLeftovers() {
      console.note("removed \(path), which a killed command has left")
    }
  }

  /// Removes the folders of killed processes; returns their paths.
  static func removeLeftovers() -> [String] {
    var removed: [String] = []
    for folder in folders.distinct() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 8 {
        let left = LockedFolder(path: URL(filePath: folder).appending(component: name).path)
        if left.removeLeftover() { removed.append(left.path) }
      }
    }
    return removed
  }

  /// Removes it if this user has created it and no process holds its lock, and with it the worktree of a `bisect`; returns
  /// whether it did. The lock is held meanwhile, so that whoever has just created it knows.
  func removeLeftover() -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return false }
    let file = unsafe open(lock, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard clinux_lock(file) == 0, StagedOutput.isAt(lock, file) else { return false }
    Worktree.removeLeftover(at: worktree)
    remove()
    return true
  }
}
