internal import Glibc
internal import Reports

/// The folder of `-o DIR`: its three files appear at the end; until then a partial summary grows.
struct ResultFolder: ~Copyable {
  private let path: String
  private var partial: PartialSummary

  static let names = ["summary.csv", "workloads.csv", "run.json"]

  /// Creates the folder if it is missing and makes sure that nothing in it is in the way: a minute's
  /// measurement should not be lost to a name.
  init(_ path: String, on console: Console? = nil) throws(ToolError) {
    try Self.prepare(path, for: Self.names, on: console)
    partial = try PartialSummary(in: path, on: console)
    self.path = path
  }

  /// Keeps a finished run, in case the process is killed before the last.
  mutating func append(_ row: ReportRow) throws(ToolError) { try partial.append(row) }

  /// Lets the files of all runs appear; the partial summary is whole by now.
  consuming func finish(_ rows: [ReportRow], _ circumstances: Circumstances) throws(ToolError) {
    try partial.finish()
    try NewFile.write(WorkloadsCSV.text(rows), to: "\(path)/workloads.csv")
    try NewFile.write(RunJSON.text(rows, circumstances), to: "\(path)/run.json")
  }

  /// Creates the folder if it is missing, and refuses it if one of `names` is in it.
  static func prepare(
    _ path: String, for names: [String], on console: Console?
  ) throws(ToolError) {
    try create(path)
    for name in names {
      if let console { StagedOutput.removeLeftovers(of: "\(path)/\(name)", on: console) }
      try NewFile.requireAbsent("\(path)/\(name)")
    }
  }

  /// Creates the folder and those above it.
  static func create(_ path: String) throws(ToolError) {
    guard !path.isEmpty else { throw ToolError(.usage, "-o needs the name of a folder") }
    var part = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      part += part.isEmpty || part == "/" ? String(name) : "/\(name)"
      guard unsafe mkdir(part, 0o777) != 0, errno != EEXIST else { continue }
      // Above a folder that is there, the system may refuse with other errors than that it exists.
      let error = SystemError.last
      guard !isFolder(part) else { continue }
      throw ToolError(.cannotCreate, "cannot create the folder \(path): \(error)")
    }
    guard isFolder(path) else {
      throw ToolError(.cannotCreate, "cannot create the folder \(path): a file has that name")
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
