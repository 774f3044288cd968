internal import Foundation
internal import FrameBudget

extension FrameReport {
  /// Writes a scenario for `framebudget run`, `advise` and `live`: the closures are workloads; the measured costs and arrivals
  /// are in a table in the same folder.
  ///
  /// - Parameter path: the path of the file, ending in `.yaml`; missing folders are created.
  /// - Throws: `file` if it cannot be written.
  public func writeScenario(to path: String) throws(MeasurementError) {
    let file = URL(filePath: path)
    let name = WorkloadName.cleaned(file.deletingPathExtension().lastPathComponent, to: 40)
    let text = ScenarioText(model, named: name, test: test)
    do {
      let folder = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, table) in text.tables {
        try Data(table.utf8).write(to: folder.appending(component: name), options: .atomic)
      }
      try Data(text.file.utf8).write(to: file, options: .atomic)
    } catch {
      throw settings.error(.file(path, problem: "cannot be written: \(error)"))
    }
  }
}

/// The files of a measurement's scenario.
struct ScenarioText {
  private let model: CostModel
  private let name: String
  private let test: String
  private let scenario: Scenario
  private let strategy: Strategy
  private let isFolded: Bool

  /// Just below the limit of steps in a scenario file.
  private static let maxPieces = 60

  init(_ measured: CostModel, named name: String, test: String) {
    model = measured.folded(to: Self.maxPieces)
    isFolded = measured.routes.contains { $0.places.count > Self.maxPieces }
    self.name = name
    self.test = test
    scenario = model.scenario()
    strategy = model.strategy(for: scenario)
  }

  // MARK: The file

  var file: String {
    var lines = [
      "# Measured by FrameBudgetTesting; costs and arrivals are in the tables beside this file."
    ]
    if isFolded {
      lines.append(
        "# Items of more than \(Self.maxPieces) pieces have fewer here, so more frames may be dropped than in the test."
      )
    }
    lines += [
      "scenario: \(name)",
      "about: \(OutputContext.yaml.escaped(OutputContext.terminal.escaped("Measured in \(test).")))",
    ]
    lines += display
    lines += [
      "duration: \(scenario.duration)", "warmup: 0 s", "phase: recorded",
      "machine: {cores: \(model.cores)}",
    ]
    if !scenario.workloads.isEmpty {
      lines += services + ["workloads:"] + model.routes.flatMap(workload)
    }
    lines += strategies
    return lines.joined(separator: "\n") + "\n"
  }

  private var display: [String] {
    var lines = [
      "display:", "  refresh: \(scenario.display.refresh)", "  main-loop: \(model.settings.loop)",
      "  frame-time: newest",
    ]
    switch scenario.display.render {
    case .recorded: lines.append("  render: {recorded: \(framesFile), column: render_ms}")
    default: lines.append("  render: \(scenario.display.render.mean)")
    }
    return lines
  }

  private var services: [String] { ["services:"] + scenario.services.map { "  \($0.name): {}" } }

  private func workload(_ route: CostModel.Route) -> [String] {
    let table = table(route)
    var lines = ["  - name: \(route.name)", "    \(table.arrivals)"]
    if let limit = route.workload.respondWithin { lines.append("    respond_within: \(limit)") }
    if route.workload.isInput { lines.append("    input: true") }
    if route.isUrgent { lines.append("    priority: user") }
    lines.append("    steps:")
    return lines
      + route.places.indices.map { place in
        let fork = route.isAwaited(place) ? "" : ", await: false"
        return
          "      - {service: \(route.service(at: route.places[place])), "
          + "name: \(column(place, route)), \(table.costs(ofStep: place))\(fork)}"
      }
  }

  private var strategies: [String] {
    guard !scenario.workloads.isEmpty else { return ["strategies: [main-thread]"] }
    let lanes = strategy.arrangement.lanes.dropFirst().map { lane in
      "\(lane.name): {carrier: \(lane.carrier.rawValue), nice: \(lane.nice)"
        + (lane.overtaking ? ", overtaking: true}" : "}")
    }
    let homes = zip(scenario.services, strategy.arrangement.placement).compactMap {
      service, place in
      guard case .home(let lane) = place, lane != .main else { return nil as String? }
      return "\(service.name): \(strategy.arrangement.lanes[lane].name)"
    }
    var lines = ["strategies:", "  - as: \(strategy.name)"]
    if !lanes.isEmpty { lines.append("    lanes: {\(lanes.joined(separator: ", "))}") }
    if !homes.isEmpty { lines.append("    services: {\(homes.joined(separator: ", "))}") }
    if case .drained(let budget) = strategy.arrangement.returning {
      lines.append("    results: {drain: \(budget)}")
    }
    lines.append("    yield: {every: step, resumes: in-turn}")
    return lines + ["  - main-thread", "  - yielding", "  - schedulable"]
  }

  // MARK: Its tables

  /// The tables that the scenario refers to.
  var tables: [(name: String, text: String)] {
    let items = model.routes.map { (file(of: $0), table($0).text) }
    guard case .recorded(let renders) = scenario.display.render else { return items }
    let rows = (0..<renders.count).map { renders[$0].inCell }
    return items + [(framesFile, "render_ms\n" + rows.joined(separator: "\n") + "\n")]
  }

  private var framesFile: String { "\(name)-frames.csv" }
  private func file(of route: CostModel.Route) -> String { "\(name)-\(route.name).csv" }

  private func column(_ place: Int, _ route: CostModel.Route) -> String {
    "\(place + 1)-\(route.service(at: route.places[place]))"
  }

  private func table(_ route: CostModel.Route) -> ItemTable<CostModel.Route.Item> {
    ItemTable(
      file: file(of: route), steps: route.places.indices.map { column($0, route) }, route.items,
      arrival: { $0.arrival.nanoseconds }
    ) { ($0.pieces[$1].cpu.nanoseconds, $0.pieces[$1].wait.nanoseconds) }
  }
}
