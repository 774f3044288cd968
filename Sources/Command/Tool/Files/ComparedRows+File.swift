internal import FrameBudgetParsing
internal import FrameBudgetReports

extension ComparedRows {
  private static let names = [ResultFolder.summary]

  /// Reads the results at `path`: a folder with a `summary.csv` and perhaps a `spans.csv`, or such a file.
  static func read(
    _ path: String, _ metrics: [String], on console: Console
  ) throws(ToolError) -> ComparedRows {
    try ResultPath.requireResult(path, names, on: console)
    let file = ResultPath.file(names, at: path)
    var rows: ComparedRows
    do throws(InputError) {
      rows = try ComparedRows(ByteSource(path: file), metrics)
    } catch {
      throw ResultPath.error(error, at: file)
    }
    try rows.addSpans(of: path)
    if let run = run(of: path) {
      rows.started = run.circumstances.started
      if let machine = run.machine { rows.note(machine: machine) }
    }
    return rows
  }

  /// The same rows with those of a further result at `path`.
  func adding(_ path: String, on console: Console) throws(ToolError) -> ComparedRows {
    try ResultPath.requireResult(path, Self.names, on: console)
    var rows = self
    try ToolError.reading { () throws(InputError) in
      try rows.read(ByteSource(path: ResultPath.file(Self.names, at: path)))
    }
    try rows.addSpans(of: path)
    return rows
  }

  /// Adds the spans of a folder of `measure`.
  private mutating func addSpans(of path: String) throws(ToolError) {
    guard OutputFiles.isFolder(path),
      let file = ResultPath.companion(ResultFolder.spans, of: path)
    else { return }
    do throws(InputError) {
      try read(ByteSource(path: file))
    } catch {
      throw ToolError(error)
    }
  }

  /// The `run.json` of a folder; nil if there is none.
  private static func run(of path: String) -> RunFile? {
    guard OutputFiles.isFolder(path), let file = ResultPath.companion("run.json", of: path)
    else { return nil }
    return try? RunFile(ByteSource(path: file))
  }
}
