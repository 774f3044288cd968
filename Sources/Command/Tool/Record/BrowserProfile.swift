internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import Glibc

/// The temporary folder in which a browser writes everything: its profile, caches, sockets and crash reports.
///
/// The guard creates it and holds a lock in it. If the guard is killed, `record` removes the folder; if both are killed, the
/// next `record` does, which recognizes such a folder by its free lock.
struct BrowserProfile {
  let path: String

  private static let prefix = "framebudget-"
  private static let folders = [
    FileManager.default.temporaryDirectory.path(percentEncoded: false), "/tmp",
  ]

  init(path: String) { self.path = path }

  /// A name that is free. The browser creates a socket in its profile. The path of a socket has at most 107 bytes, 45 of which
  /// the browser adds.
  static func new() -> BrowserProfile {
    let name = prefix + UUID().uuidString.prefix(8)
    let paths = folders.map { URL(filePath: $0).appending(component: name).path }
    return BrowserProfile(path: paths.first { $0.utf8.count <= 62 } ?? "/tmp/\(name)")
  }

  private var lock: String { path + "/lock" }

  /// Creates the folder, and locks it until this process ends. Returns the error, if any.
  func create() -> SystemError? {
    guard unsafe mkdir(path, 0o700) == 0 else { return SystemError.last }
    let file = unsafe open(lock, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0, clinux_lock(file) == 0 else { return SystemError.last }
    return nil
  }

  /// The environment that makes a browser write here what does not belong to its profile.
  var environment: [(name: String, value: String)] {
    [("TMPDIR", path), ("XDG_CACHE_HOME", path + "/cache"), ("BREAKPAD_DUMP_LOCATION", path)]
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folders of killed processes; returns their paths.
  static func removeLeftovers() -> [String] {
    var removed: [String] = []
    for folder in folders.distinct() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 8 {
        let profile = BrowserProfile(path: URL(filePath: folder).appending(component: name).path)
        if profile.isLeftover {
          profile.remove()
          removed.append(profile.path)
        }
      }
    }
    return removed
  }

  /// Whether this user has created it and no guard holds its lock.
  private var isLeftover: Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return false }
    let file = unsafe open(lock, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    return clinux_lock(file) == 0
  }
}
