internal import Foundation
internal import FrameBudget
internal import Reports
internal import Scenarios
internal import ShippedScenarios
internal import Simulation

/// How close each model of a machine comes to what was measured: on the rows by which one was chosen, and on the others.
struct MachineTable {
  /// A way to simulate a machine.
  private struct Model {
    let name: String
    let scheduler: Machine.Scheduler
    let hasPools: Bool

    func metrics(of row: MeasuredRow) -> RunMetrics {
      var machine = row.scenario.machine.having(cores: PublishedResults.cores)
      machine.scheduler = scheduler
      machine.hasPools = hasPools
      return RunMetrics(
        VirtualEngine(machine: machine).run(RunPlan(row.scenario, under: row.strategy)))
    }
  }

  private static let models = [
    Model(name: "`global`", scheduler: .global, hasPools: false),
    Model(name: "`global`, pools", scheduler: .global, hasPools: true),
    Model(name: "`per-core`", scheduler: .perCore, hasPools: false),
    Model(name: "`per-core`, pools", scheduler: .perCore, hasPools: true),
  ]

  /// A metric, and whether a prediction of it is close to what was measured.
  private struct Criterion: Sendable {
    let metric: Metric
    let title: String
    let isMet: @Sendable (_ predicted: Double, _ measured: Double) -> Bool
  }

  private static let criteria = [
    Criterion(metric: .droppedPercent, title: "dropped within 2 points") { abs($0 - $1) <= 2 },
    Criterion(metric: .makespan, title: "makespan within 3 %") { abs($0 - $1) <= 0.03 * $1 },
    Criterion(metric: .response(.p99), title: "response p99 within 20 % or 5 ms") {
      abs($0 - $1) <= max(0.2 * $1, 5)
    },
  ]

  private struct Comparison {
    let row: MeasuredRow
    /// By model.
    let predicted: [RunMetrics]

    /// Nil where the metric is not known on both sides.
    func isMet(_ criterion: Criterion, by model: Int) -> Bool? {
      let name = criterion.metric.name
      guard let predicted = predicted[model].observed(name),
        let measured = row.measured.median(name)
      else { return nil }
      return criterion.isMet(predicted.value, measured.value)
    }
  }

  private let rows: [Comparison]

  init(_ folder: URL) throws {
    rows = try MeasuredRow.all(in: folder).map { row in
      Comparison(row: row, predicted: Self.models.map { $0.metrics(of: row) })
    }
  }

  /// Whether the default was chosen by the rows of a scenario: a rule that knows nothing of what they say.
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
        + Self.criteria.flatMap { criterion in parts.map { Self.count($0, criterion, by: model) } }
        + parts.map { Self.pointsOff($0, by: model) }
    }
    return MarkdownTable.text(["model"] + titles, body) + "\n" + differences
  }

  private static func count(_ rows: [Comparison], _ criterion: Criterion, by model: Int) -> String {
    let answers = rows.compactMap { $0.isMet(criterion, by: model) }
    return "\(answers.count { $0 }) of \(answers.count)"
  }

  /// How far predictions and measurements of dropped frames are apart, all rows together.
  private static func pointsOff(_ rows: [Comparison], by model: Int) -> String {
    let name = Metric.droppedPercent.name
    return Figure.text(
      rows.reduce(0.0) { sum, comparison in
        guard let predicted = comparison.predicted[model].observed(name),
          let measured = comparison.row.measured.median(name)
        else { return sum }
        return sum + abs(predicted.value - measured.value)
      })
  }

  /// The rows whose dropped frames some model does not come close to.
  private var differences: String {
    let dropped = Self.criteria[0]
    let missed = rows.filter { row in
      Self.models.indices.contains { row.isMet(dropped, by: $0) == false }
    }
    let body = missed.map { comparison in
      let row = comparison.row
      let predicted = Self.models.indices.map { model in
        let value = comparison.predicted[model].observed(dropped.metric.name)
        let mark = comparison.isMet(dropped, by: model) == false ? " *" : ""
        return (value.map(Figure.text) ?? "") + mark
      }
      let measured = row.measured.median(dropped.metric.name).map(Figure.text) ?? ""
      let part = Self.isChosenBy(row) ? "chosen by" : "held back"
      return ["\(row.scenario.name), \(row.strategy.label)", part, measured] + predicted
    }
    return MarkdownTable.text(
      ["dropped frames, %", "row", "measured"] + Self.models.map(\.name), body)
  }
}

/// What becomes of one scenario under every strategy on machines that are not the usual one: cores of unequal speed, and
/// other processes that want the cores too.
struct OtherMachinesTable {
  /// What the part of the page is said to be generated by in which it stands.
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
  private let measured: [ResultRow]

  /// `folder` holds what `make measure` leaves.
  init(_ folder: URL) throws {
    guard let shipped = ShippedScenarios.scenario(Self.scenario) else {
      preconditionFailure("a shipped scenario")
    }
    scenario = try shipped.scenario
    measured = try PublishedResults.rows(
      in: folder.appending(path: "beside-burners/\(Self.scenario)"))
  }

  var markdown: String {
    get throws {
      let body = try StrategyCatalog.all(for: scenario).map { named in
        try cells(StrategyCatalog.strategy(named.name, for: scenario))
      }
      let head = ["strategy"] + Self.machines.map(\.title)
      return MarkdownTable.text(
        head + (measured.isEmpty ? [] : ["measured beside two burning processes"]), body)
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

  /// Dropped frames in percent, and until when the items were done in ms.
  private func text(_ value: (String) -> Observation?) -> String {
    [Metric.droppedPercent, .makespan].map { value($0.name).map(Figure.text) ?? "–" }
      .joined(separator: " / ")
  }
}
