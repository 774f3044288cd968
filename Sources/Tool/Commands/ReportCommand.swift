internal import ArgumentParser
internal import Parsing
internal import Reports

/// Makes one self-contained HTML page of results.
struct ReportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "One self-contained HTML page with pictures.",
    discussion: """
      Takes folders that 'run -o' wrote, summary files, per-frame files, and traces. What lies beside a summary \
      (workloads.csv, run.json, frames.csv, trace.json) is on the page too; from a trace it draws what each \
      thread did around the worst hitch. It needs no network and opens from disk. Without -o it goes to \
      standard output.

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
    var file: NewFile?
    if let output { file = try NewFile(output, on: console) }
    var content = ReportContent()
    for path in results { try content.add(path, origin: results.count > 1 ? path : "") }
    guard !content.results.rows.isEmpty else {
      throw ToolError(.badInput, "none of these is a summary.csv, or a folder with one; add it")
    }
    let page = content.page(title)
    guard let output else {
      try console.print(page)
      return .success
    }
    try file?.write(page)
    try file.take()?.commit()
    console.note("wrote \(output)")
    return .success
  }
}
