internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// The error of each machine model against measurements: on the rows by which one was chosen, and on the others.
struct MachineTable {
  /// A way to simulate a machine.
  private struct Model {
    let name: String
    let scheduler: Machine.Scheduler
    let hasPools: Bool

    func predicted(_ row: MeasuredRow) -> PredictedRow {
      var machine = row.scenario.machine.having(cores: PublishedResults.cores)
      machine.scheduler = scheduler
      machine.hasPools = hasPools
      return PredictedRow(row, on: machine)
    }
  }

  private static let models = [
    Model(name: "`global`", scheduler: .global, hasPools: false),
    Model(name: "`global`, pools", scheduler: .global, hasPools: true),
    Model(name: "`per-core`", scheduler: .perCore, hasPools: false),
    Model(name: "`per-core`, pools", scheduler: .perCore, hasPools: true),
  ]

  private struct Comparison {
    let row: MeasuredRow
    /// By model.
    let predicted: [PredictedRow]

    func isMet(_ criterion: Criterion, by model: Int) -> Bool? {
      criterion.isMet(predicted[model].metrics, row.measured)
    }
  }

  private static let criteria: [Criterion] = [.dropped, .makespan, .response]

  private let rows: [Comparison]

  init(_ folder: URL) throws {
    rows = try MeasuredRow.all(in: folder).map { row in
      Comparison(row: row, predicted: Self.models.map { $0.predicted(row) })
    }
  }

  /// The predictions of the default model, the last one.
  var predictions: [PredictedRow] { rows.map { $0.predicted[Self.models.count - 1] } }

  /// Whether the default model was chosen by the rows of a scenario. The rule does not look at their values.
  private static func isChosenBy(_ row: MeasuredRow) -> Bool {
    guard let first = row.scenario.name.first else { return false }
    return ("a"..."h").contains(first)
  }

  var markdown: String {
    let parts = [true, false].map { isChosen in
      rows.filter { Self.isChosenBy($0.row) == isChosen }
    }
    let titles = (Self.criteria.map(\.title) + ["points of dropped frames off, together"])
      .flatMap { ["\($0), chosen by", "held back"] }
    let body = Self.models.indices.map { model in
      [Self.models[model].name]
        + Self.criteria.flatMap { criterion in
          parts.map { part in Criterion.count(part.map { $0.isMet(criterion, by: model) }) }
        }
        + parts.map { Self.totalError($0, by: model) }
    }
    return MarkdownTable.text(["model"] + titles, body) + "\n" + differences
  }

  /// How far predictions and measurements of dropped frames are apart, all rows together.
  private static func totalError(_ rows: [Comparison], by model: Int) -> String {
    let name = Metric.droppedPercent.name
    return Figure.text(
      rows.reduce(0.0) { sum, comparison in
        guard let predicted = comparison.predicted[model].metrics.observed(name),
          let measured = comparison.row.measured.median(name)
        else { return sum }
        return sum + abs(predicted.value - measured.value)
      })
  }

  /// The rows with dropped frames that at least one model does not predict closely.
  private var differences: String {
    let missed = rows.filter { row in
      Self.models.indices.contains { row.isMet(.dropped, by: $0) == false }
    }
    let body = missed.map { comparison in
      let row = comparison.row
      let predicted = Self.models.indices.map { model in
        let value = comparison.predicted[model].metrics.observed(Metric.droppedPercent.name)
        let mark = comparison.isMet(.dropped, by: model) == false ? " *" : ""
        return (value.map(Figure.text) ?? "") + mark
      }
      let measured = row.measured.median(Metric.droppedPercent.name).map(Figure.text) ?? ""
      let part = Self.isChosenBy(row) ? "chosen by" : "held back"
      return ["\(row.scenario.name), \(row.strategy.label)", part, measured] + predicted
    }
    return MarkdownTable.text(
      ["dropped frames, %", "row", "measured"] + Self.models.map(\.name), body)
  }
}

/// A figure of a run, and whether a prediction of it is close enough to the measured one.
struct Criterion: Sendable {
  let title: String
  /// Nil if one side has no such figure.
  let isMet: @Sendable (_ predicted: RunMetrics, _ measured: [RunRecord]) -> Bool?

  static let dropped = close(.droppedPercent, "dropped within 2 points") { abs($0 - $1) <= 2 }
  static let makespan = close(.makespan, "makespan within 3 %") { abs($0 - $1) <= 0.03 * $1 }
  static let response = close(.response(.p99), "response p99 within 20 % or 5 ms") {
    abs($0 - $1) <= max(0.2 * $1, 5)
  }
  static let switches = close(.contextSwitches, "switches within 25 %") {
    abs($0 - $1) <= 0.25 * $1
  }
  /// Only of runs that dropped more than 2 % of their frames. Of two causes with the same count either is the largest.
  static let cause = Criterion(title: "largest cause") { predicted, measured in
    guard let dropped = measured.median(Metric.droppedPercent.name), dropped.value > 2 else {
      return nil
    }
    let largest = Cause.largest { measured.median($0)?.value }
    return !Cause.largest { predicted.observed($0)?.value }.isDisjoint(with: largest)
  }

  private static func close(
    _ metric: Metric, _ title: String,
    _ isClose: @escaping @Sendable (_ predicted: Double, _ measured: Double) -> Bool
  ) -> Criterion {
    Criterion(title: title) { predicted, measured in
      guard let predicted = predicted.observed(metric.name),
        let measured = measured.median(metric.name)
      else { return nil }
      return isClose(predicted.value, measured.value)
    }
  }

  /// `3 of 4`.
  static func count(_ answers: [Bool?]) -> String {
    let answers = answers.compactMap { $0 }
    return "\(answers.count { $0 }) of \(answers.count)"
  }
}

extension Cause {
  /// The causes with the most dropped frames; `value` gives the value of a column.
  static func largest(_ value: (String) -> Double?) -> Set<Cause> {
    let counts = allCases.map { ($0, value(Metric.drops(by: $0).name) ?? 0) }
    let most = counts.map(\.1).max() ?? 0
    return most > 0 ? Set(counts.filter { $0.1 == most }.map(\.0)) : []
  }
}

/// The accuracy of predictions if more threads want to run than there are cores: the scenarios of `benchmarks/threads`.
struct ThreadsTable {
  static let marker = "make measure, threads"

  private struct Group {
    let title: String
    let rows: [PredictedRow]

    init(_ title: String, _ rows: [PredictedRow]) { (self.title, self.rows) = (title, rows) }

    init(_ title: String, _ rows: [MeasuredRow], cores: Int = PublishedResults.cores, busy: Int = 0)
    {
      self.title = title
      self.rows = rows.map { row in
        var machine = row.scenario.machine.having(cores: cores)
        machine.busy = busy
        // Linux's slice depends on the cores of the machine, also for a process that may use fewer.
        machine.slice = machine.slice ?? FairShare.standard(cores: PublishedResults.cores).slice
        return PredictedRow(row, on: machine)
      }
    }
  }

  private static let criteria: [Criterion] = [.dropped, .switches, .response, .makespan, .cause]

  private let groups: [Group]

  /// `shipped` are the rows of the shipped scenarios, which another table has simulated.
  init(_ project: URL, shipped: MachineTable) throws {
    let measured = project.appending(path: "results/measured")
    let folder = project.appending(path: "benchmarks/threads")
    let looked = try Self.scenarios(in: folder)
    let held = try Self.scenarios(in: folder.appending(path: "held-back"))
    func rows(_ scenarios: [Scenario], _ part: String) throws -> [MeasuredRow] {
      try scenarios.flatMap { scenario in
        try MeasuredRow.rows(
          of: scenario, under: scenario.strategies, in: measured, "threads/\(part)/\(scenario.name)"
        )
      }
    }
    groups = [
      Group("shipped scenarios", shipped.predictions),
      Group("ten to look at", try rows(looked, "two-cores")),
      Group("five held back", try rows(held, "two-cores")),
      Group("all fifteen, one core", try rows(looked + held, "one-core"), cores: 1),
      Group("all fifteen, beside two busy processes", try rows(looked + held, "busy"), busy: 2),
    ]
  }

  private static func scenarios(in folder: URL) throws -> [Scenario] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "yaml" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { try ScenarioFile.parse(Array(Data(contentsOf: $0)), file: $0.lastPathComponent) }
  }

  /// All predictions with what was measured.
  var predictions: [PredictedRow] { groups.flatMap(\.rows) }

  /// The number of rows that are predicted well, by group.
  var totals: String {
    let body = groups.map { group in
      [group.title]
        + Self.criteria.map { criterion in
          Criterion.count(group.rows.map { criterion.isMet($0.metrics, $0.row.measured) })
        }
    }
    return MarkdownTable.text(["rows"] + Self.criteria.map(\.title), body)
  }

  /// The number of rows of the shipped scenarios whose dropped frames are predicted well.
  var agreement: String {
    Criterion.count(groups[0].rows.map { Criterion.dropped.isMet($0.metrics, $0.row.measured) })
  }

  /// The rows of the new scenarios on two cores in which a prediction of dropped frames misses.
  var misses: String {
    let body = groups[1...2].flatMap { group in
      group.rows.filter { Criterion.dropped.isMet($0.metrics, $0.row.measured) == false }
        .map { predicted in
          let (row, metrics) = (predicted.row, predicted.metrics)
          return ["\(row.scenario.name), \(row.strategy.label)", group.title]
            + [Metric.droppedPercent, .contextSwitches].map { metric in
              Self.pair(metrics.observed(metric.name), row.measured.median(metric.name))
            }
            + [
              Self.cause { row.measured.median($0)?.value },
              Self.cause { metrics.observed($0)?.value },
            ]
        }
    }
    return MarkdownTable.text(
      [
        "row", "part", "dropped, %, predicted / measured", "switches", "largest cause, measured",
        "predicted",
      ], body)
  }

  private static func pair(_ predicted: Observation?, _ measured: Observation?) -> String {
    [predicted, measured].map { $0.map(Figure.text) ?? "–" }.joined(separator: " / ")
  }

  private static func cause(_ value: (String) -> Double?) -> String {
    let largest = Cause.largest(value)
    return largest.isEmpty
      ? "–" : Cause.allCases.filter(largest.contains).map(\.name).joined(separator: ", ")
  }
}

/// One scenario under every strategy on other machines: with cores of unequal speed, and with other processes that compete
/// for the cores.
struct OtherMachinesTable {
  /// The command that generates this part of the page.
  static let marker = "make results, other machines"
  static let scenario = "camera-upload"

  private static let usual = Machine(cores: PublishedResults.cores)
  private static let machines: [(title: String, machine: Machine)] = [
    ("two cores", usual),
    ("four, two of them at 0.4", Machine(speeds: [1000, 1000, 400, 400])),
    ("two, and two busy threads", busy(.perCore)),
    ("the same, `global`", busy(.global)),
  ]

  private static func busy(_ scheduler: Machine.Scheduler) -> Machine {
    var machine = usual
    machine.busy = 2
    machine.scheduler = scheduler
    return machine
  }

  private let scenario: Scenario
  private let measured: [RunRecord]

  /// `folder` is the output of `make measure`.
  init(_ folder: URL) throws {
    guard let shipped = ShippedScenarios.scenario(Self.scenario) else {
      preconditionFailure("a shipped scenario")
    }
    scenario = try shipped.scenario
    measured = try PublishedResults.rows(
      in: folder.appending(path: "beside-burners/\(Self.scenario)"))
  }

  /// The predictions beside busy processes, with what was measured.
  var predictions: [PredictedRow] {
    get throws {
      try StrategyCatalog.all(for: scenario).compactMap { named in
        let strategy = try StrategyCatalog.strategy(named.name, for: scenario)
        let rows = measured.filter { $0.label == strategy.label }
        let row = MeasuredRow(scenario: scenario, strategy: strategy, measured: rows)
        return rows.isEmpty ? nil : PredictedRow(row, on: Self.busy(.perCore))
      }
    }
  }

  var markdown: String {
    get throws {
      let body = try StrategyCatalog.all(for: scenario).map { named in
        try cells(StrategyCatalog.strategy(named.name, for: scenario))
      }
      let head = ["strategy"] + Self.machines.map(\.title)
      return MarkdownTable.text(
        head + (measured.isEmpty ? [] : ["measured, with two busy processes"]), body)
    }
  }

  private func cells(_ strategy: Strategy) -> [String] {
    let predicted = Self.machines.map { machine in
      let log = VirtualEngine(machine: machine.machine).run(RunPlan(scenario, under: strategy))
      return text(RunMetrics(log).observed)
    }
    let rows = measured.filter { $0.label == strategy.label }
    return [strategy.label] + predicted + (measured.isEmpty ? [] : [text(rows.median)])
  }

  /// Dropped frames in percent, and the time until the items were done, in ms.
  private func text(_ value: (String) -> Observation?) -> String {
    [Metric.droppedPercent, .makespan].map { value($0.name).map(Figure.text) ?? "–" }
      .joined(separator: " / ")
  }
}
