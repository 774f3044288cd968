internal import Glibc

/// Paths as text, and the way between folders.
enum FilePath {
  /// That of the folder of the file at `path`, ending with a slash; empty for the current one.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// What stands before the name of a file in `folder` where a file in `start` names it; empty where both are one folder.
  ///
  /// Where they have nothing in common it is the whole path.
  static func way(from start: String, to folder: String) -> String {
    guard let here = resolved(start), let there = resolved(folder) else { return folder }
    let (mine, others) = (here.split(separator: "/"), there.split(separator: "/"))
    let common = zip(mine, others).prefix { $0 == $1 }.count
    guard common > 0 || here == there else { return there + "/" }
    let up = String(repeating: "../", count: mine.count - common)
    return up + others.dropFirst(common).map { "\($0)/" }.joined()
  }

  private static func resolved(_ folder: String) -> String? {
    guard let path = unsafe realpath(folder.isEmpty ? "." : folder, nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
