internal import Foundation
internal import FrameBudget
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetCaptures
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// Predictions for a scenario's strategies, learned from the trace of a run on the main thread, compared with runs of the
/// scenario itself.
struct ClosedLoop {
  /// Dropped frames under a strategy, in percent of the vsyncs that wanted one.
  struct Row {
    let strategy: String
    let predicted: Double
    let simulated: Double
    /// The median on a real machine, if published.
    let measured: Double?

    var error: Double { abs(predicted - simulated) }
  }

  let scenario: String
  let rows: [Row]

  init(scenario: String, rows: [Row]) { (self.scenario, self.rows) = (scenario, rows) }

  private static let cores = 2
  /// The arrangement of the trace; it is not a prediction.
  private static let source = StrategyCatalog.all[0].name

  /// Strategies that move the first services of the file; a recording does not show which services are first.
  private static let unnamed: Set<String> = ["schedulable-partial"]

  /// Nil if no item ran on the main thread, so that nothing can be learned.
  init?(_ shipped: ShippedScenario, measured: URL) throws {
    let scenario = try shipped.scenario
    self.scenario = scenario.name
    guard let learned = try Self.learn(scenario) else { return nil }
    let replayed = try LearnedReplay(learned).scenario
    let published = try PublishedResults.rows(in: measured.appending(component: shipped.name))
    rows = try Self.strategies(of: scenario).compactMap { strategy in
      // An arrangement of the scenario's own names services that a recording does not know.
      guard let same = try? StrategyList.parse(strategy.label, for: replayed).first else {
        return nil
      }
      return Row(
        strategy: strategy.label, predicted: try Self.dropped(replayed, under: same),
        simulated: try Self.dropped(scenario, under: strategy),
        measured: published.measured(under: strategy).median(Metric.droppedPercent.name)?.value)
    }
  }

  /// The scenario learned from a trace of the main thread, like any other recording.
  private static func learn(_ scenario: Scenario) throws -> LearnedScenario? {
    let strategy = try StrategyCatalog.strategy(source, for: scenario)
    let engine = VirtualEngine(machine: Machine(cores: cores), detail: .trace)
    let row = ReportRow(engine.run(RunPlan(scenario, under: strategy)), cores: cores)
    var file = TraceFile()
    var text = TraceFile.head
    file.write(row) { text += $0 }
    text += TraceFile.tail
    let recording = try RecordingFile.read(Array(text.utf8), name: "trace.json")
    return LearnedScenario(recording, name: "learned", source: "trace.json")
  }

  /// The strategies of the scenario, and all others of the catalogue that it can run.
  private static func strategies(of scenario: Scenario) throws -> [Strategy] {
    let named = try StrategyCatalog.all(for: scenario).map {
      try StrategyCatalog.strategy($0.name, for: scenario)
    }
    var labels: Set<String> = [source]
    return (scenario.strategies + named).filter { strategy in
      !unnamed.contains(strategy.name) && labels.insert(strategy.label).inserted
    }
  }

  private static func dropped(_ scenario: Scenario, under strategy: Strategy) throws -> Double {
    let metrics = PublishedResults.prediction(of: scenario, under: strategy)
    return metrics.frames.droppedPercent ?? 0
  }
}

extension ClosedLoop {
  /// Kendall's tau-b of predictions and simulations; see `Ranking`.
  var tau: Double? { Ranking.tau(rows.map { ($0.predicted, $0.simulated) }) }

  /// The median of the errors, in points.
  var medianError: Double? { rows.map(\.error).median }

  /// The strategy with the largest error.
  var worst: Row? { rows.max { $0.error < $1.error } }
}

/// The closed loop over all shipped scenarios: a table, and all figures as CSV.
struct ClosedLoopTable {
  private let loops: [ClosedLoop]
  /// Scenarios with a main thread from which nothing can be learned.
  private let skippedScenarios: [String]

  static func file(in project: URL) -> URL {
    project.appending(components: "results", "learned", "closed-loop.csv")
  }

  static func measured(in project: URL) -> URL {
    project.appending(components: "results", "measured", "every-scenario")
  }

  init(_ project: URL) throws {
    var (loops, skippedScenarios): ([ClosedLoop], [String]) = ([], [])
    for shipped in ShippedScenarios.all {
      if let loop = try ClosedLoop(shipped, measured: Self.measured(in: project)) {
        loops.append(loop)
      } else {
        skippedScenarios.append(shipped.name)
      }
    }
    (self.loops, self.skippedScenarios) = (loops, skippedScenarios)
  }

  static let head =
    "scenario,strategy,predicted_dropped_pct,simulated_dropped_pct,measured_dropped_pct\n"

  /// A line for each strategy of each scenario.
  var csv: String { Self.head + loops.map(Self.lines).joined() }

  static func lines(of loop: ClosedLoop) -> String {
    loop.rows.map { row in
      let figures = [row.predicted, row.simulated, row.measured].map { figure in
        figure.map { Decimal.text($0, places: 3) } ?? ""
      }
      return ([loop.scenario, row.strategy] + figures).joined(separator: ",") + "\n"
    }.joined()
  }

  var markdown: String {
    let head = [
      "scenario", "strategies", "tau-b", "median error, points", "worst", "predicted, %", "true, %",
    ]
    return MarkdownTable.text(head, loops.map(Self.cells)) + "\n" + summary
  }

  private static func cells(of loop: ClosedLoop) -> [String] {
    let worst = loop.worst.map {
      [$0.strategy, Figure.text($0.predicted), Figure.text($0.simulated)]
    }
    return [
      loop.scenario, "\(loop.rows.count)",
      loop.tau.map { Decimal.text($0, places: 2) } ?? "all tie",
      loop.medianError.map { Decimal.text($0, places: 1) } ?? "",
    ] + (worst ?? ["", "", ""])
  }

  private var summary: String {
    let taus = loops.compactMap(\.tau)
    let errors = loops.flatMap { $0.rows.map(\.error) }
    let none =
      skippedScenarios.isEmpty
      ? "" : " Nothing is learned from \(skippedScenarios.joined(separator: ", "))."
    let (tau, error) = (
      RecordingTable.figure(taus.median, 2), RecordingTable.figure(errors.median, 2)
    )
    return """
      Kendall's tau-b is \(tau) in the middle of \(taus.count) scenarios; in \
      \(loops.count - taus.count) all strategies tie. The median error of \(errors.count) predictions is \
      \(error) points, and \(errors.count { $0 > 2 }) are off by more than 2.\(none)

      """
  }
}
