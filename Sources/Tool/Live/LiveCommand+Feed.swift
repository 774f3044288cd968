internal import FrameBudget
internal import Parsing
internal import Reports

// What the command line asks to be shown.

extension LiveCommand {
  /// The runs of a per-frame file, as many as fit side by side.
  func recorded(on console: Console) throws(ToolError) -> [RecordedRun] {
    guard subject.isEmpty else {
      throw ToolError(.usage, "a recorded run is shown as it was; leave the options out")
    }
    let bar = ReadingBar(on: console)
    defer { bar?.wipe() }
    do throws(InputError) {
      let progress = bar?.progress(of: scenario)
      let runs = try FramesFile(try ByteSource(path: scenario, progress: progress)).runs
      bar?.wipe()
      let gaps = runs.reduce(into: LongGaps()) { $0 += $1.gaps }
      if let note = gaps.note { console.note("\(scenario): \(note)") }
      guard runs.count > Self.most else { return runs }
      console.note("\(scenario) has \(runs.count) runs; shown are the first \(Self.most)")
      return Array(runs.prefix(Self.most))
    } catch {
      throw ToolError(error)
    }
  }

  /// The scenario, and every strategy that can run it.
  func plan(on console: Console) throws(ToolError) -> LiveFeed.Plan {
    let source = try ScenarioSource(scenario, on: console)
    let scenario = try source.scenario(subject.overrides() + subject.flagged)
    console.warn(of: [scenario])
    let asked = try askedStrategies(for: scenario)
    var strategies = scenario.strategies
    strategies += asked.filter { !strategies.contains($0) }
    strategies += Self.named(for: scenario).filter { named in
      !strategies.contains { $0.name == named.name }
    }
    for strategy in strategies { try subject.checkCores(of: strategy) }
    let chosen = asked.compactMap { strategies.firstIndex(of: $0) }
    guard !strategies.isEmpty else {
      throw ToolError(.badInput, "no strategy can run this scenario")
    }
    return LiveFeed.Plan(
      scenario: scenario, strategies: strategies, chosen: chosen.isEmpty ? [0] : chosen,
      engine: engine == .real ? .real : .virtual,
      machine: subject.cores.map(scenario.machine.having) ?? scenario.machine,
      costs: try subject.assumedCosts() ?? .standard, metrics: numbers.metrics?.sets)
  }

  private func askedStrategies(for scenario: Scenario) throws(ToolError) -> [Strategy] {
    guard let asked = try subject.strategies(for: scenario) else { return [] }
    guard asked.count <= Self.most else {
      throw ToolError(.usage, "--strategy: at most \(Self.most) run side by side")
    }
    guard asked.count == 1 || engine == .virtual else {
      throw ToolError(
        .usage, "strategies side by side are for the virtual engine; add --engine virtual")
    }
    return asked
  }

  /// Named arrangements that can run `scenario`, with their default options.
  private static func named(for scenario: Scenario) -> [Strategy] {
    StrategyCatalog.all.compactMap { try? StrategyCatalog.strategy($0.name, for: scenario) }
  }

  private static let most = 4
}
