internal import ArgumentParser
internal import FrameBudgetParsing
internal import FrameBudget
internal import FrameBudgetReports
internal import Glibc

/// Keeps results of commits, and finds the commits that changed a metric.
struct HistoryCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "history --fail-within",
      success: "the newest change of no gated metric is for the worse, or it is older",
      failed: "the newest change of a gated metric is for the worse",
      inconclusive: "no series of a gated metric is long enough, or N is below 3 for a measured one"
    )
  ]

  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep results of commits, and find the commits that changed a metric.",
    discussion: """
      'history add' keeps the metrics that gate of a result, and those of --show, in a CSV file. A result of the same commit \
      replaces the earlier one. 'history' shows them from commit to commit, in the order in which they were added, with the \
      commits that changed them. Virtual results of the same seeds have no noise, so each difference that 'compare' would \
      report is a change. In others a change is a place at which random orders of the values hardly ever seem to change as \
      much (p at most 0.01; E-divisive). That takes 10 commits, 3 of them after the change. The verdict says whether the change \
      is as large as the gate.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget history add results --commit HEAD
        framebudget history
        framebudget history --fail-within 20 --gate frame_ms_p99=2%
        framebudget history --format markdown -o history.md
      """)

  enum Action: String, CaseIterable, ExpressibleByArgument { case add }

  enum Format: String, ResultFormat { case table, markdown, csv, json }

  @Argument(help: "Keep a result; without it, the history is shown.")
  var action: Action?

  @Argument(
    help: "With add: a folder of 'run -o', or a summary.csv.", completion: .file())
  var result: String?

  @Option(
    help: ArgumentHelp(
      "With add: the commit of the result; git resolves HEAD and branches.", valueName: "id"))
  var commit: String?

  @Option(help: "The file of the history.", completion: .file())
  var file = "history.csv"

  @OptionGroup var gates: GateOptions

  @OptionGroup var further: ShowOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail if the newest change of a gated metric is for the worse, and in that many newest commits.",
      valueName: "commits"),
    transform: WholeNumber.commits)
  var failWithin: Int?

  @OptionGroup var output: OutputOptions<Format>

  @OptionGroup var target: FileOptions

  func validate() throws {
    guard action == nil else {
      guard result != nil, commit?.isEmpty == false else {
        throw ValidationError("history add needs a result and --commit")
      }
      guard failWithin == nil, target.file == nil else {
        throw ValidationError("--fail-within and -o are for the history, not for history add")
      }
      return
    }
    guard commit == nil else {
      throw ValidationError("--commit is for 'history add RESULT --commit ID'")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    if let result, let commit {
      try add(result, of: commit, on: console)
      return .success
    }
    var place = try target.open(on: console, quiet: output.quiet)
    let history = History(
      try records(), gates: try gates.chosen(), shown: try further.metrics())
    guard !history.series.isEmpty else {
      throw ToolError(
        .badInput,
        "\(file.printable) has none of these metrics; history add --show keeps further ones")
    }
    try place.write(
      text(HistoryText(history, within: failWithin), isColored: place.isColored(output.color)))
    return failWithin.map { ExitStatus(history.outcome(within: $0)) } ?? .success
  }

  private func text(_ text: HistoryText, isColored: Bool) -> String {
    switch output.format {
    case .table: text.table(isColored: isColored)
    case .markdown: text.markdown
    case .csv: text.records.csv
    case .json: text.records.json
    }
  }

  private func records() throws(ToolError) -> [HistoryRecord] {
    do {
      return try HistoryRecord.records(ByteSource(path: file))
    } catch {
      let error = ToolError(error)
      guard error.status == .noInput else { throw error }
      throw ToolError(
        .noInput, "\(error.message); 'framebudget history add RESULT --commit ID' begins one")
    }
  }

  private func add(
    _ result: String, of commit: String, on console: Console
  ) throws(ToolError) {
    let kept = try gates.chosen().map(\.metric) + further.metrics()
    let rows = try ComparedRows.read(result, kept, on: console)
    let name = commit == "HEAD" ? try Git.head() : Git.fixed(commit)
    let records = HistoryRecord.records(
      of: rows, commit: name, started: rows.started, metrics: kept)
    guard !records.isEmpty else {
      throw ToolError(
        .badInput, "\(result.printable) has no complete run to which these metrics apply")
    }
    var replaced = 0
    try KeptFile.change(file, on: console) { () throws(ToolError) in
      let old = unsafe access(file, F_OK) == 0 ? try self.records() : []
      let all = HistoryRecord.adding(records, to: old)
      replaced = all.replaced
      return HistoryRecord.table(all.records).csv
    }
    console.setLastWords("interrupted; the result is in \(file)")
    guard !output.quiet else { return }
    let earlier = replaced > 0 ? ", \(replaced) of them instead of earlier ones" : ""
    console.note("\(file) has \(English.count(records.count, "figure")) of \(name)\(earlier)")
  }
}
