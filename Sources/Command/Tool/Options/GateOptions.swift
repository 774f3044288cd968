internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// The metrics that decide.
struct GateOptions: ParsableArguments {
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

  /// The gates of both options, or the standard ones.
  func chosen() throws(ToolError) -> [Gate] {
    var chosen: [Gate] = []
    do {
      if let gates { chosen += try Gate.gates(ByteSource(path: gates)) }
    } catch {
      throw ToolError(error)
    }
    do {
      var named: [Gate] = []
      for text in gate { named += try Gate.gates(text) }
      chosen += try Gate.once(named)
    } catch {
      throw ToolError(.usage, "--gate: \(error.reason)")
    }
    return chosen.isEmpty ? Gate.standard : chosen
  }
}

/// Further metrics.
struct ShowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Further metrics to show, or 'all'.", valueName: "metric,…"),
    completion: .metrics)
  var show: [String] = []

  /// The metrics that the arguments name, besides those of gates.
  func metrics() throws(ToolError) -> [String] {
    let names = MetricCatalog.compared.map(\.name)
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

extension ExitStatus {
  /// The status of a gate.
  init(_ outcome: ResultComparison.Outcome) {
    self =
      switch outcome {
      case .holds: .success
      case .regression: .failed
      case .inconclusive: .inconclusive
      }
  }
}
