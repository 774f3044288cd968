internal import Glibc
internal import Parsing

/// Where the files of a result lie, whether a folder was named or one of them.
enum ResultPath {
  /// The path of the first of `names` that is in the folder `path`, of the first where none is; `path` itself where
  /// that is a file.
  static func file(_ names: String..., at path: String) -> String {
    guard isFolder(path) else { return path }
    return names.lazy.compactMap { companion($0, of: path) }.first ?? folder(path) + names[0]
  }

  /// Fails where somebody names a scenario instead of the results of a run of it.
  static func requireNoScenario(_ path: String) throws(ToolError) {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return }
    let name = path.printable
    throw ToolError(
      .badInput,
      "\(name) is a scenario, and no result of it; 'framebudget run \(name) -o DIR' makes one")
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
