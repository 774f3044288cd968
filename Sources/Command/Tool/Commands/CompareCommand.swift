internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Compares results with statistics, and says by its exit status whether they got worse.
struct CompareCommand: ToolCommand {
  static let outcomes = [
    CommandOutcomes(
      form: "compare",
      success: "no regression",
      failed: "a gated metric is worse",
      inconclusive: "too noisy, or some runs are better and others worse")
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
      listed.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget compare results/before results/after
        framebudget compare before after \\
          --gate dropped_frames_pct=0.5,frame_ms_p99=10%
        framebudget compare before after --gates ci-gates.txt --format markdown
        framebudget compare before after --format junit -o frames.xml
      """)

  enum Format: String, ResultFormat { case table, markdown, csv, json, junit, github }

  @Argument(
    help: "The base: a folder of 'run -o', a summary.csv, or a workloads.csv.", completion: .file())
  var base: String

  @Argument(help: "The new result, in the same form.", completion: .file())
  var new: String

  @Option(
    help: ArgumentHelp(
      "The gated metrics, with thresholds: shares of the base, or amounts in the metric's unit. Default: \(Gate.standard.map(\.metric).joined(separator: ", ")).",
      valueName: "metric[=5%|=0.5],…"), completion: .metrics)
  var gate: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file of gates, one per line; --gate takes precedence.", valueName: "file"),
    completion: .file())
  var gates: String?

  @Option(
    help: ArgumentHelp("Further metrics to show, or 'all'.", valueName: "metric,…"),
    completion: .metrics)
  var show: [String] = []

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var output: OutputOptions<Format>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    let gates = try chosenGates()
    let named = try namedMetrics()
    let known = gates.map(\.metric) + named
    var now = try newResult(known + MetricSet.allCases.flatMap(\.names), on: console)
    let shown = named + (numbers.metrics?.sets ?? now.suggestedMetrics).flatMap(\.names)
    now.keep(Set(known + shown))
    let comparison = ResultComparison(
      base: try baseline(known + shown, on: console), new: now, gates: gates, shown: shown)
    if !output.quiet { comparison.warnings.forEach(console.note) }
    guard !comparison.groups.isEmpty else {
      throw ToolError(
        .badInput,
        "\(base) and \(new) have no complete run of the same thing in common to which these metrics apply"
      )
    }
    try place.write(text(comparison, isColored: place.isColored(output.color)))
    return switch comparison.outcome {
    case .holds: .success
    case .regression: .failed
    case .inconclusive: .inconclusive
    }
  }

  /// Read before the base, because it decides what is shown; but errors of the base come first.
  private func newResult(_ metrics: [String], on console: Console) throws(ToolError) -> ComparedRows
  {
    do {
      return try ComparedRows.read(new, metrics, on: console)
    } catch {
      _ = try baseline([], on: console)
      throw error
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

  private func chosenGates() throws(ToolError) -> [Gate] {
    var chosen: [Gate] = []
    do {
      if let gates { chosen += try Gate.gates(ByteSource(path: gates)) }
    } catch {
      throw ToolError(error)
    }
    do {
      for text in gate { chosen += try Gate.gates(text) }
    } catch {
      throw ToolError(.usage, "--gate: \(error.reason)")
    }
    return chosen.isEmpty ? Gate.standard : chosen
  }

  /// The metrics that the arguments name, besides those of gates.
  private func namedMetrics() throws(ToolError) -> [String] {
    let names = MetricCatalog.numbers.map(\.name)
    let named = show.flatMap { $0.split(separator: ",").map(String.init) }
    if named.contains("all") { return names }
    for name in named where !names.contains(name) {
      let nearest = Spelling.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
      throw ToolError(
        .usage,
        "--show: '\(name)' is not a metric\(nearest ?? "; 'framebudget list metrics' shows them")")
    }
    return named
  }
}

extension MetricSet {
  fileprivate var names: [String] { metrics.map(\.metric.name) }
}

extension ComparedRows {
  /// Reads the results at `path`: a folder with a `summary.csv`, or such a file.
  fileprivate static func read(
    _ path: String, _ metrics: [String], on console: Console
  ) throws(ToolError) -> ComparedRows {
    let names = ["summary.csv"]
    try ResultPath.requireResult(path, names, on: console)
    var rows = try ToolError.reading { () throws(InputError) in
      try ComparedRows(ByteSource(path: ResultPath.file(names, at: path)), metrics)
    }
    if let machine = machine(of: path) { rows.note(machine: machine) }
    return rows
  }

  /// The machine of real runs, by the `run.json` of their folder; nil if there is none.
  private static func machine(of path: String) -> String? {
    guard OutputFiles.isFolder(path), let file = ResultPath.companion("run.json", of: path)
    else { return nil }
    return (try? RunFile(ByteSource(path: file)))?.machine
  }
}
