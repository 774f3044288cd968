internal import ArgumentParser
internal import FrameBudget
internal import Parsing
internal import Reports

/// Compares results with statistics, and says by its exit status whether they got worse.
struct CompareCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare results, with statistics; the gate for CI.",
    discussion: """
      Measured results, and virtual ones of other seeds, are compared by the Mann-Whitney test, corrected for the \
      number of gated metrics, and by a bootstrap interval of the difference. A metric is worse when a difference is \
      unlikely to be chance and at least as large as its threshold: unless said otherwise \(GateMargin.standards). It is the \
      same when no difference is likely that is larger than that, or, without a threshold, than \
      \(GateMargin.floors): rare counts and short times vary by more than 5 % of themselves. It is no worse when that \
      holds for the worse side alone, else inconclusive. Virtual results of the same seeds have no noise: every \
      difference counts, except that times in ms which differ by under 0.1 % and under 0.01 ms are the same.

      A value printed as >X is at least X: somebody was still waiting at the end. It is decided only where \
      that decides it, else inconclusive. Of results with different schemas those metrics do not gate that \
      mean something else since; they are named.

      Exit status \(ExitStatus.meanings(.success, .failed, .inconclusive))

      EXAMPLES:
        framebudget compare results/before results/after
        framebudget compare before after --gate dropped_frames_pct=0.5,frame_ms_p99=10%
        framebudget compare before after --gates ci-gates.txt --format markdown
        framebudget compare before after --format junit -o frames.xml
      """)

  enum Format: String, ResultFormat { case table, markdown, csv, json, junit, github }

  @Argument(help: "A folder that 'run -o' wrote, a summary.csv, or a workloads.csv.")
  var base: String

  @Argument(help: "The same, to be compared with it.")
  var new: String

  @Option(
    help: ArgumentHelp(
      "The metrics that decide, with thresholds: shares of the base, or amounts in the metric's unit. If left out: \(Gate.standard.map(\.metric).joined(separator: ", ")).",
      valueName: "metric[=5%|=0.5],…"))
  var gate: [String] = []

  @Option(
    help: ArgumentHelp(
      "The same from a file, one on each line; --gate takes precedence.", valueName: "file"))
  var gates: String?

  @Option(
    help: ArgumentHelp("Metrics to show beside those; 'all' for every one.", valueName: "metric,…"))
  var show: [String] = []

  @OptionGroup var numbers: MetricsOptions

  @OptionGroup var output: OutputOptions<Format>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    let (old, now) = (try baseline(), try ResultSet.read(new))
    let comparison = ResultComparison(
      base: old, new: now, gates: try chosenGates(), shown: try shown(now.suggestedMetrics))
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

  /// The first build of a project has no baseline, so the error says how to create one.
  private func baseline() throws(ToolError) -> ResultSet {
    do {
      return try ResultSet.read(base)
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

  private func shown(_ suggested: [MetricSet]) throws(ToolError) -> [String] {
    let names = MetricCatalog.numbers.map(\.name)
    let named = show.flatMap { $0.split(separator: ",").map(String.init) }
    let wanted = named + (numbers.metrics?.sets ?? suggested).flatMap(\.metrics).map(\.metric.name)
    if wanted.contains("all") { return names }
    for name in wanted where !names.contains(name) {
      let nearest = Spelling.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
      throw ToolError(
        .usage,
        "--show: '\(name)' is not a metric\(nearest ?? "; 'framebudget list metrics' shows them")")
    }
    return wanted
  }
}

extension ResultSet {
  /// Reads the results at `path`: a folder with a `summary.csv`, or such a file.
  static func read(_ path: String) throws(ToolError) -> ResultSet {
    try ResultPath.requireNoScenario(path)
    return try ToolError.reading { () throws(InputError) in
      try ResultSet(ByteSource(path: ResultPath.file("summary.csv", at: path)))
    }
  }
}
