internal import Glibc

/// Where the files of a result lie, whether a folder was named or one of them.
enum ResultPath {
  /// The path of `name` in the folder `path`, or `path` itself where that is a file.
  static func file(_ name: String, at path: String) -> String {
    isFolder(path) ? folder(path) + name : path
  }

  /// The path of `name` beside or in `path`; nil where there is none.
  static func companion(_ name: String, of path: String) -> String? {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let candidate = (isFolder(path) ? folder(path) : parent) + name
    return unsafe access(candidate, R_OK) == 0 ? candidate : nil
  }

  private static func folder(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    // `status` is a whole stat that the call fills in.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
