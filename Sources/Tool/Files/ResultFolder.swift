internal import Glibc
internal import Reports

/// The folder of `-o DIR`: its three files appear at the end; until then a partial summary grows.
struct ResultFolder: ~Copyable {
  private let path: String
  private let partial: Int32
  /// Whether the partial summary holds what is nowhere else.
  private var keepsPartial = false

  /// Creates the folder if it is missing and makes sure that nothing in it is in the way: a minute's
  /// measurement should not be lost to a name.
  init(_ path: String) throws(ToolError) {
    try Self.create(path)
    for name in Self.names { try NewFile.requireAbsent("\(path)/\(name)") }
    partial = try Self.openPartial(path)
    self.path = path
  }

  deinit {
    close(partial)
    if !keepsPartial { _ = unsafe unlink("\(path)/\(Self.partialName)") }
  }

  /// Keeps a finished run, in case the process is killed before the last.
  mutating func append(_ row: ReportRow) throws(ToolError) {
    let text = (keepsPartial ? "" : SummaryCSV.header) + SummaryCSV.line(row)
    keepsPartial = true
    if let error = FileWriting.write(Array(text.utf8), to: partial) {
      throw ToolError(.cannotWrite, "cannot write \(path)/\(Self.partialName): \(error)")
    }
  }

  /// Writes the files of all runs; the partial summary goes once they are there.
  consuming func finish(_ rows: [ReportRow], _ circumstances: Circumstances) throws(ToolError) {
    try NewFile.write(SummaryCSV.text(rows), to: "\(path)/summary.csv")
    try NewFile.write(WorkloadsCSV.text(rows), to: "\(path)/workloads.csv")
    try NewFile.write(RunJSON.text(rows, circumstances), to: "\(path)/run.json")
    keepsPartial = false
  }

  private static let names = ["summary.csv", "workloads.csv", "run.json"]
  private static let partialName = "summary.csv.partial"

  private static func openPartial(_ path: String) throws(ToolError) -> Int32 {
    let name = "\(path)/\(partialName)"
    let file = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if file >= 0 { return file }
    if errno == EEXIST {
      throw ToolError(
        .cannotCreate,
        "\(name) exists already: a run was killed, or goes on; choose another folder, or move it away"
      )
    }
    throw ToolError(.cannotCreate, "cannot create \(name): \(SystemError.last)")
  }

  /// Creates the folder and those above it.
  private static func create(_ path: String) throws(ToolError) {
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

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
