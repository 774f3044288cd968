internal import Glibc
internal import FrameBudgetCaptures
internal import FrameBudgetParsing
internal import FrameBudgetReports
internal import FrameBudgetScenarios

enum FilePath {
  /// The path of the folder of the file at `path`, ending with a slash; empty for the current folder.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The name of the file at `path`, without its folder.
  static func name(of path: String) -> String { String(path.dropFirst(folder(of: path).count)) }

  /// Whether a file of ordinary bytes is at `path`, which can be read again.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The path without slashes at its end.
  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The relative path from `start` to `folder`, with a trailing slash; empty if both are the same. The absolute path if they
  /// have nothing in common.
  static func way(from start: String, to folder: String) -> String {
    guard let here = resolved(start), let there = resolved(folder) else { return folder }
    let (mine, others) = (here.split(separator: "/"), there.split(separator: "/"))
    let common = zip(mine, others).prefix { $0 == $1 }.count
    guard common > 0 || here == there else { return there + "/" }
    let up = String(repeating: "../", count: mine.count - common)
    return up + others.dropFirst(common).map { "\($0)/" }.joined()
  }

  /// The absolute path without links; nil if nothing is there.
  static func resolved(_ path: String) -> String? {
    guard let path = unsafe realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

/// The identity of a future file, independent of the notation of its path: `out/a.csv`, `./out//a.csv`, or via a link to `out`.
struct FileIdentity: Hashable {
  /// The nearest existing folder.
  private let device: UInt
  private let inode: UInt
  /// The path below it.
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

  /// Refuses two flags with the same file.
  static func requireDifferent(_ files: [(flag: String, path: String)]) throws(ToolError) {
    var flags: [FileIdentity: String] = [:]
    for file in files {
      if let other = flags.updateValue(file.flag, forKey: FileIdentity(file.path)) {
        throw ToolError(
          .usage, "\(file.flag) \(file.path): \(other) writes that file too; choose another name")
      }
    }
  }
}

/// Finds the files of a result, given its folder or one of them.
enum ResultPath {
  /// The path of the first of `names` that is in the folder `path`, or of the first name if none is; `path` itself if it is a
  /// file.
  static func file(_ names: [String], at path: String) -> String {
    guard OutputFiles.isFolder(path) else { return path }
    return names.lazy.compactMap { companion($0, of: path) }.first ?? folder(path) + names[0]
  }

  /// Rejects a scenario instead of its results, and a folder without one of `names` where only rows of one have been written.
  /// Completes a result in the folder that a killed process had written.
  static func requireResult(
    _ path: String, _ names: [String], on console: Console
  ) throws(ToolError) {
    if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
      let name = path.printable
      throw ToolError(
        .badInput,
        "\(name) is a scenario, and no result of it; 'framebudget run \(name) -o DIR' makes one")
    }
    let isFolder = OutputFiles.isFolder(path)
    let parent = isFolder ? path : FilePath.folder(of: path)
    try OutputFiles.complete(FilePath.trimmed(parent.isEmpty ? "." : parent), on: console)
    guard isFolder, !names.contains(where: { companion($0, of: path) != nil }) else { return }
    for name in names {
      guard let rows = companion("\(name).partial", of: path) else { continue }
      let isSweep = companion("\(SweepManifest.name).partial", of: path) != nil
      throw ToolError(
        .badInput,
        "\(path) is unfinished: \(rows) has \(GrowingFile.rows(rows)) so far; "
          + (isSweep
            ? "the same command with --resume continues it" : "name that file to read these"))
    }
  }

  /// The error on a file that is no result: a frame log of another tool becomes one by `import`. Streams can be read only once.
  static func error(_ error: InputError, at path: String) -> ToolError {
    guard error.kind != .unreadable, let log = log(at: path) else { return ToolError(error) }
    return log
  }

  /// The error on a frame log instead of a result; nil for other files, and for logs of ours if only those of other tools
  /// are meant.
  static func log(at path: String, isForeign: Bool = false) -> ToolError? {
    guard FilePath.isRegular(path), let format = LogFormat.format(of: path),
      !isForeign || ![.frames, .trace].contains(format)
    else { return nil }
    let name = path.printable
    return ToolError(
      .badInput,
      "\(name): is a log of frames (\(format.rawValue)), not a result; "
        + "'framebudget import \(name) -o RESULT.csv' makes one")
  }

  /// The path of `name` beside or in `path`; nil if there is no such file.
  static func companion(_ name: String, of path: String) -> String? {
    let parent = OutputFiles.isFolder(path) ? folder(path) : FilePath.folder(of: path)
    let candidate = parent + name
    return unsafe access(candidate, R_OK) == 0 ? candidate : nil
  }

  private static func folder(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }
}

/// Bytes of a file or a stream.
enum InputBytes {
  static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let file = InputFile.open(path)
    guard file >= 0 else { throw SystemError(number: -file) }
    defer { close(file) }
    return try read(from: file)
  }

  /// Like `read`, for an input of a command.
  static func readInput(_ path: String) throws(ToolError) -> [UInt8] {
    do {
      return try read(path)
    } catch {
      throw ToolError(.noInput, "cannot open \(path): \(error)")
    }
  }

  /// Reads at most one byte more than the limit; the parser then reports that the input is too large.
  static func read(from file: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Limits.fileBytes {
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe Glibc.read(file, block.baseAddress, block.count)
      }
      if count == 0 { break }
      if count > 0 {
        bytes += block[..<count]
      } else if errno != EINTR {
        throw .last
      }
    }
    return bytes
  }
}

enum FileWriting {
  /// Writes all of `bytes`. Returns the error, if any.
  static func write(_ bytes: [UInt8], to file: Int32) -> SystemError? {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        return .last
      }
    }
    return nil
  }
}

/// An error number of the system, in its words.
struct SystemError: Error, Hashable, CustomStringConvertible {
  let number: Int32

  static var last: SystemError { SystemError(number: errno) }

  var description: String { InputFile.describe(number) }
}
