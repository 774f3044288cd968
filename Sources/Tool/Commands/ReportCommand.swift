internal import ArgumentParser
internal import Parsing
internal import Reports

/// Makes one self-contained HTML page of results.
struct ReportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "One self-contained HTML page with pictures.",
    discussion: """
      Takes folders that 'run -o' wrote, summary files, per-frame files, and traces. A frames.csv and a \
      trace.json in a folder are found there; from a trace the page draws what each thread did around the \
      worst hitch. The page needs no network and opens from disk. Without -o it goes to standard output.

      EXAMPLES:
        framebudget report results/today -o today.html
        framebudget report results/today frames.csv -o today.html
        framebudget run steady -o mine --frames mine/frames.csv --trace mine/trace.json
        framebudget report mine -o mine.html
        framebudget import capture.csv --hz 60 --format csv > capture-summary.csv
        framebudget report capture-summary.csv > capture.html
      """)

  @Argument(
    help: "Folders with a summary.csv, such files, per-frame files, or traces; at least one result."
  )
  var results: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the page there.", valueName: "file"))
  var output: String?

  @Option(help: "The page's heading.")
  var title = "Frame budget"

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    if let output { try NewFile.requireAbsent(output) }
    var rows: [ResultRow] = []
    var metrics: [String] = []
    var frames: [FrameSeries] = []
    var traces: [TracedRun] = []
    for path in results {
      let opening = try Self.opening(of: path)
      if TracedRun.isTrace(opening) {
        traces += try Self.traces(path)
        continue
      }
      // Its first line has a per-frame file's columns.
      if opening.prefix(while: { $0 != "\n" }).contains(",begin_vsync,") {
        frames += try Self.frames(path)
        continue
      }
      let set = try ResultSet.read(path)
      rows += set.rows
      metrics += set.metrics.filter { !metrics.contains($0) }
      if let companion = ResultPath.companion("frames.csv", of: path) {
        frames += try Self.frames(companion)
      }
      if let companion = ResultPath.companion("trace.json", of: path) {
        traces += try Self.traces(companion)
      }
    }
    guard !rows.isEmpty else {
      throw ToolError(.badInput, "only per-frame files or traces; add their result")
    }
    let page = ReportPage(
      title: title, results: ResultSet(rows: rows, metrics: metrics), frames: frames,
      traces: traces)
    guard let output else {
      try console.print(page.html())
      return .success
    }
    try NewFile.write(page.html(), to: output)
    console.note("wrote \(output)")
    return .success
  }

  /// How a file begins, or the summary in a folder.
  private static func opening(of path: String) throws(ToolError) -> String {
    do {
      var source = try ByteSource(path: ResultPath.file("summary.csv", at: path))
      return String(decoding: try source.peek(4096), as: UTF8.self)
    } catch {
      throw ToolError(error)
    }
  }

  private static func traces(_ path: String) throws(ToolError) -> [TracedRun] {
    do {
      return try TracedRun.read(ByteSource(path: path))
    } catch {
      throw ToolError(error)
    }
  }

  private static func frames(_ path: String) throws(ToolError) -> [FrameSeries] {
    do {
      return try FrameSeries.read(ByteSource(path: path))
    } catch {
      throw ToolError(error)
    }
  }
}
