internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Compares results with statistics, and says by its exit status whether they got worse.
struct CompareCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "compare",
      success: "no regression",
      failed: "a gated metric is worse",
      inconclusive:
        "too noisy, some runs are better and others worse, or the new result lacks something")
  ]

  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare results statistically, for example as a gate in CI.",
    discussion: """
      Measured results, and virtual ones of different seeds, are compared by the Mann-Whitney test, corrected for the number \
      of gated metrics, and by the 95 % interval of a difference that belongs to that test. A metric is worse if a difference \
      is unlikely to be chance and reaches its threshold (default: \(GateMargin.standards)). It is the same if no likely difference exceeds \
      the threshold or, without one, \(GateMargin.floors), because rare counts and short times vary by more than 5 %. It is \
      no worse if that holds only for changes to the worse, otherwise inconclusive. Virtual results of the same seeds have \
      no noise: every difference counts, except changes of times below 1 %.

      A value >X is a lower bound: a response was still open at the end. The metric is inconclusive unless the bound \
      suffices for a verdict. If the results have different schemas, metrics whose meaning has changed do not gate; they are \
      listed. Of runs of different lengths, counts, sums and extremes are inconclusive, and nothing is without noise.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget compare results/before results/after
        framebudget compare before after \\
          --gate dropped_frames_pct=0.5,frame_ms_p99=10%
        framebudget compare before after --gates ci-gates.txt --format markdown
        framebudget compare before after --format junit -o frames.xml
        framebudget compare base new --skip-undecided
      """)

  enum Format: String, ResultFormat { case table, markdown, csv, json, junit, github }

  @Argument(
    help: "The base: a folder of 'run -o', a summary.csv, or a workloads.csv.", completion: .file())
  var base: String

  @Argument(help: "The new result, in the same form.", completion: .file())
  var new: String

  @OptionGroup var gates: GateOptions

  @OptionGroup var further: ShowOptions

  @Flag(
    help:
      "For 'git bisect run': end with 125, which skips the commit, if the new result is inconclusive, cannot be read or has nothing to compare, and with 128, which ends the search, after other errors."
  )
  var skipUndecided = false

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var output: OutputOptions<Format>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    let gates = try self.gates.chosen()
    let named = try further.metrics()
    let known = gates.map(\.metric) + named
    var now = try newResult(known + MetricSet.allCases.flatMap(\.names), on: console)
    let shown = named + (numbers.metrics?.sets ?? now.suggestedMetrics).flatMap(\.names)
    now.keep(Set(known + shown))
    let comparison = ResultComparison(
      base: try baseline(known + shown, on: console), new: now, gates: gates, shown: shown)
    if !output.quiet { comparison.warnings.forEach(console.note) }
    guard !comparison.groups.isEmpty else {
      throw ToolError(
        skipUndecided ? .skipped : .badInput,
        "\(base) and \(new) have no complete run of the same thing in common to which these metrics apply"
          + (comparison.areCaptures
            ? "; 'framebudget import --name APP' gives captures on both sides the same name" : "")
      )
    }
    try place.write(text(comparison, isColored: place.isColored(output.color)))
    let isSkipped = skipUndecided && comparison.outcome == .inconclusive
    return isSkipped ? .skipped : ExitStatus(comparison.outcome)
  }

  /// Git takes all statuses below 128, except for 125, for a worse result.
  static func status(of error: ToolError, _ arguments: [String]) -> ExitStatus {
    guard arguments.contains("--skip-undecided"), error.status != .skipped,
      error.status.rawValue < ExitStatus.stopped.rawValue
    else { return error.status }
    return .stopped
  }

  /// Read before the base, because it decides what is shown; but errors of the base come first.
  private func newResult(_ metrics: [String], on console: Console) throws(ToolError) -> ComparedRows
  {
    do {
      return try ComparedRows.read(new, metrics, on: console)
    } catch {
      _ = try baseline([], on: console)
      throw skipUndecided ? ToolError(.skipped, error.message) : error
    }
  }

  /// The first build of a project has no baseline, so the error says how to create one.
  private func baseline(_ metrics: [String], on console: Console) throws(ToolError) -> ComparedRows
  {
    do {
      return try ComparedRows.read(base, metrics, on: console)
    } catch  where error.status == .noInput {
      throw ToolError(
        .noInput,
        "\(error.message); 'framebudget run SCENARIO -o \(base.printable)' makes a baseline")
    }
  }

  private func text(_ comparison: ResultComparison, isColored: Bool) -> String {
    switch output.format {
    case .table: ComparisonText.table(comparison, isColored: isColored)
    case .markdown: ComparisonText.markdown(comparison)
    case .csv: ComparisonText.records(comparison).csv
    case .json: ComparisonText.records(comparison).json
    case .junit: ComparisonExchange.junit(comparison)
    case .github: ComparisonExchange.github(comparison)
    }
  }
}

extension MetricSet {
  fileprivate var names: [String] { metrics.map(\.metric.name) }
}
