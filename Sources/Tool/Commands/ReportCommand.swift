internal import ArgumentParser
internal import Parsing
internal import Reports

/// Makes one self-contained HTML page of results.
struct ReportCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "One self-contained HTML page with pictures.",
    discussion: """
      Takes folders that 'run -o', 'limit -o' and 'advise -o' wrote, summary files, per-frame files, traces, and what \
      'explain --format csv' printed. What lies beside a summary (workloads.csv, run.json, limit.csv, advice.csv, \
      frames.csv, trace.json) is on the page too; from a trace it draws what each thread did around the worst hitch. It \
      needs no network and opens from disk. Without -o it goes to standard output.

      EXAMPLES:
        framebudget report results/today -o today.html
        framebudget report results/today --metrics chrome -o today.html
        framebudget report results/today frames.csv -o today.html
        framebudget run steady -o mine --frames mine/frames.csv --trace mine/trace.json
        framebudget report mine -o mine.html
        framebudget limit steady -o bears && framebudget report mine bears -o both.html
        framebudget advise steady -o advised/ && framebudget report advised -o advice.html
        framebudget explain old.yaml new.yaml --format csv -o shares.csv
        framebudget report old new shares.csv -o both.html
        framebudget import capture.csv --hz 60 --format csv > capture-summary.csv
        framebudget report capture-summary.csv > capture.html
      """)

  @Argument(
    help:
      "Folders with a summary.csv, limit.csv or advice.csv, such files, per-frame files, or traces; at least one result."
  )
  var results: [String]

  @OptionGroup var target: FileOptions

  @Option(help: "The page's heading.")
  var title = "Frame budget"

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var notes: NoteOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    if target.file == nil && console.isTerminal {
      throw ToolError(.usage, "a page is nothing to read on a terminal; add -o PAGE.html")
    }
    var place = try target.open(on: console, quiet: notes.quiet)
    let content = try read(notes.quiet ? nil : ReadingBar(on: console))
    if !notes.quiet { for note in content.notes { console.note(note) } }
    guard content.hasResults else {
      throw ToolError(.badInput, "none of these is a summary.csv, or a folder with one; add it")
    }
    try place.write(content.page(title, metrics: numbers.metrics?.sets))
    return .success
  }

  private func read(_ bar: ReadingBar?) throws(ToolError) -> ReportContent {
    defer { bar?.wipe() }
    var content = ReportContent(bar)
    for path in results { try content.add(path, origin: results.count > 1 ? path : "") }
    return content
  }
}
