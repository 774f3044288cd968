internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing

/// Files that appear together in a folder, which may hold others.
///
/// They are written to the folder `.result.PROCESS.unfinished` in it. `commit` renames that to `.result.PROCESS.whole`: from
/// then on the result counts as written, and its files move to their places. If the process is killed meanwhile, the next one
/// that writes or reads there moves the rest.
struct OutputFiles: ~Copyable {
  private let folder: String
  private let place: StagedOutput

  /// Begins files in `folder`, which exists.
  init(in folder: String) throws(ToolError) {
    self.folder = folder
    do {
      place = try StagedOutput(beside: Self.stem(folder), isFolder: true)
    } catch {
      throw ToolError(.cannotWrite, "cannot write to \(folder): \(error)")
    }
  }

  func write(_ text: String, to name: String) throws(ToolError) {
    do {
      try place.write(Array(text.utf8), to: name, synced: true)
    } catch {
      throw failure(name, error)
    }
  }

  /// The path of its files until they are committed.
  var hidden: String { place.path }

  /// Adds a complete file of rows, which also keeps its growing name until all files are committed.
  func add(_ file: borrowing GrowingFile) throws(ToolError) {
    try file.sync()
    let target = "\(hidden)/\(file.name)"
    if unsafe link(file.partial, target) == 0 { return }
    // For file systems without links.
    let error = unsafe clinux_rename_new(file.partial, target)
    if error != 0 { throw failure(file.name, SystemError(number: error)) }
  }

  consuming func commit() throws(ToolError) {
    for name in StagedOutput.names(in: place.path) {
      try NewFile.requireAbsent("\(folder)/\(name)")
    }
    let whole = StagedOutput.hidden(Self.stem(folder), Self.whole)
    let error = place.rename(to: whole)
    guard error == 0 else { throw failure("", SystemError(number: error)) }
    try Self.move(whole, to: folder)
  }

  static func write(
    _ files: [(name: String, text: String)], in folder: String
  ) throws(ToolError) {
    let output = try OutputFiles(in: folder)
    for file in files { try output.write(file.text, to: file.name) }
    try output.commit()
  }

  private func failure(_ name: String, _ error: SystemError) -> ToolError {
    ToolError(.cannotWrite, "cannot write \(folder)/\(name): \(error)")
  }

  // MARK: The folder

  /// Creates the folder if it is missing, and refuses it if one of `names` is in it. Completes and removes what killed
  /// processes have left.
  static func prepare(
    _ folder: String, for names: [String], on console: Console?
  ) throws(ToolError) {
    try create(folder)
    try complete(folder, on: console)
    if let console { StagedOutput.removeLeftovers(of: stem(folder), on: console) }
    for name in names { try NewFile.requireAbsent("\(folder)/\(name)") }
  }

  /// Creates the folder and those above it.
  private static func create(_ path: String) throws(ToolError) {
    guard !path.isEmpty else { throw ToolError(.usage, "-o needs the name of a folder") }
    var part = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      part += part.isEmpty || part == "/" ? String(name) : "/\(name)"
      guard unsafe mkdir(part, 0o777) != 0, errno != EEXIST else { continue }
      // If a parent folder exists, the system may refuse with other errors than that it exists.
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

  // MARK: Results of killed processes

  private static let whole = ".whole"

  private static func stem(_ folder: String) -> String { "\(folder)/result" }

  /// Moves the files of committed results to their places, if a process was killed before it could.
  static func complete(_ folder: String, on console: Console?) throws(ToolError) {
    try StagedOutput.forEach(of: stem(folder), whole) { (left) throws(ToolError) in
      let isMoved = try StagedOutput.lock(left) { () throws(ToolError) in
        try move(left, to: folder)
      }
      guard isMoved else {
        throw ToolError(
          .cannotCreate, "\(folder): another process is writing its result; try again")
      }
      console?.note("completed the result in \(folder), which a killed run had written")
    }
  }

  private static func move(_ whole: String, to folder: String) throws(ToolError) {
    for name in StagedOutput.names(in: whole) {
      // Its growing name goes first: a file that has moved is not seen here again.
      unsafe unlink(GrowingFile.partial(name, in: folder))
      let error = unsafe clinux_rename_new("\(whole)/\(name)", "\(folder)/\(name)")
      guard error == 0 else {
        throw ToolError(
          error == EEXIST ? .cannotCreate : .cannotWrite,
          "cannot move \(whole)/\(name) to \(folder): \(SystemError(number: error))")
      }
    }
    guard unsafe rmdir(whole) == 0 else {
      throw ToolError(.cannotWrite, "cannot remove \(whole): \(SystemError.last)")
    }
  }
}
