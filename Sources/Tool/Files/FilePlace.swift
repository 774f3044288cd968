internal import Glibc

/// Where a file is to be, whichever way its path is written: `out/a.csv`, `./out//a.csv`, or by a link to `out`.
struct FilePlace: Hashable {
  /// The nearest folder that is there.
  private let device: UInt
  private let inode: UInt
  /// What is below it.
  private let names: [Substring]

  init(_ path: String) {
    var above = path.split(separator: "/").filter { $0 != "." }[...]
    var below: [Substring] = []
    var status = stat()
    while unsafe stat(Self.folder(above, path), &status) != 0, let name = above.popLast() {
      below.insert(name, at: 0)
    }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    names = below
  }

  private static func folder(_ names: ArraySlice<Substring>, _ path: String) -> String {
    (path.hasPrefix("/") ? "/" : "./") + names.joined(separator: "/")
  }

  /// Refuses files of which two would be the same; each is named by its flag.
  static func requireDifferent(_ files: [(flag: String, path: String)]) throws(ToolError) {
    var flags: [FilePlace: String] = [:]
    for file in files {
      if let other = flags.updateValue(file.flag, forKey: FilePlace(file.path)) {
        throw ToolError(
          .usage, "\(file.flag) \(file.path): \(other) writes that file too; choose another name")
      }
    }
  }
}
