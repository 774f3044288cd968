internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// All runs of one command, in their order: by combination of what is varied, repetition, strategy, engine.
struct Comparison {
  let runs: [PlannedRun]
  /// The strategies of `all` that the scenario or this build cannot run, with the reasons.
  let omissions: [String]

  /// The largest number of rows that a table shows; more would also take too long in real time.
  static let maxVariations = 1000

  /// What to run.
  struct Request: Sendable {
    let options: ScenarioChoice
    let engines: [EngineKind]
    let repetitions: Int
    /// The overrides of `--set`, for every run.
    let set: [Override]
    /// The values of `--vary`; each combination has its own runs.
    var grid = VariationGrid()
    /// Overrides with separate flags and columns.
    var hidden: [Override]
    let costs: Costs
    /// Whether sweeps show by how much figures vary.
    var ranges = false
    /// Costs that replace those of the scenario.
    var counted: CountedCosts?
    /// The carriers of real runs.
    var carriers = CarrierSupply.ofThisBuild

    init(
      _ options: ScenarioChoice, on engine: EngineChoice, repetitions: Int
    ) throws(ToolError) {
      self.options = options
      self.repetitions = repetitions
      engines = engine.engines
      set = try options.overrides()
      hidden = options.flagOverrides
      costs = try options.assumedCosts() ?? .standard
    }

    /// The seed of the combination at `place`, if the one at `last` differs from it in nothing else; otherwise nil.
    func seed(of place: Int, after last: Int) -> UInt64? {
      let (old, new) = (grid.overrides(at: last), grid.overrides(at: place))
      let changed = new.indices.filter { new[$0] != old[$0] }
      guard changed.count == 1, new[changed[0]].path == Override.seed,
        !hidden.contains(where: { $0.path == Override.seed })
      else { return nil }
      return UInt64(new[changed[0]].value)
    }

    /// Why this build cannot run `strategy` on the engines; nil if it can.
    func lack(for strategy: Strategy) -> CarrierError? {
      engines.contains(.real) ? carriers.lack(for: strategy.arrangement) : nil
    }
  }

  init(_ source: ScenarioSource, _ request: Request) throws(ToolError) {
    guard request.grid.count <= Self.maxVariations else {
      throw ToolError(
        .usage,
        "--vary has \(request.grid.count) combinations; allowed: \(Self.maxVariations) here, "
          + "and a million with only --engine virtual, without --frames and --trace")
    }
    try request.requireDifferentRuns(of: source)
    var runs: [PlannedRun] = []
    var omissions: [String] = []
    for place in 0..<request.grid.count {
      let variant = try Variant(source, request, at: place)
      omissions += variant.omissions.filter { !omissions.contains($0) }
      runs += (0..<variant.count).map(variant.run)
    }
    self.runs = runs
    self.omissions = omissions
  }

  /// The total time of the real runs, at most 292 years.
  var realTime: TimeSpan {
    let real = runs.lazy.filter { $0.engine == .real }
    let sum = real.reduce(Int128(0)) { $0 + Int128($1.realLength.nanoseconds) }
    // No earlier run has left threads to the first one.
    let first = real.first.map { $0.realLength - $0.length } ?? .zero
    return TimeSpan(nanoseconds: Int64(clamping: sum - Int128(first.nanoseconds)))
  }
}

/// One combination of what is varied, and its runs: by repetition, strategy, engine.
///
/// Repetitions are interleaved over strategies, so that a machine that slows down slows all of them.
struct Variant {
  private(set) var scenario: Scenario
  /// The strategies of `all` that the scenario or this build cannot run, with the reasons.
  let omissions: [String]
  private let strategies: [Strategy]
  private let request: Comparison.Request
  private let changes: String

  /// The combination at `place` of the request's grid.
  init(
    _ source: ScenarioSource, _ request: Comparison.Request, at place: Int
  ) throws(ToolError) {
    let varied = request.grid.overrides(at: place)
    let options = StrategyOverrides(
      request.set + varied, isChosen: !request.options.strategy.isEmpty)
    let written = try source.scenario(
      (request.set + varied).filter { !options.holds($0) } + request.hidden)
    let scenario = request.counted?.applied(to: written) ?? written
    var omissions: [String] = []
    let asked = try request.options.strategies(for: scenario, options) { strategy in
      guard let lack = request.lack(for: strategy) else { return true }
      omissions.append("\(strategy.label) is left out: \(lack)")
      return false
    }
    omissions += request.options.unsupported(by: scenario).map {
      "\($0.name) is left out: it \($0.lack)"
    }
    strategies = asked ?? scenario.strategies
    guard !strategies.isEmpty else {
      throw ToolError(.usage, "the scenario names no strategies; --strategy NAME chooses some")
    }
    for strategy in strategies {
      guard let lack = request.lack(for: strategy) else { continue }
      throw ToolError(.unavailable, "\(strategy.label): \(lack)")
    }
    for strategy in strategies { try request.options.checkCores(of: strategy) }
    self.omissions = omissions
    self.scenario = scenario
    self.request = request
    let assumed = request.options.costs.map { [(name: "costs", value: $0)] } ?? []
    let overrides = (request.set + varied).filter {
      $0.path != Override.seed || !varied.contains($0)
    }
    changes = CellList.text(settings: overrides.map { ($0.path, $0.value) } + assumed)
  }

  /// The same combination with another seed; nil if the scenario is invalid with it.
  func having(seed: UInt64) -> Variant? {
    var variant = self
    guard let scenario = scenario.having(seed: seed) else { return nil }
    variant.scenario = scenario
    return variant
  }

  /// What its runs depend on, as far as options can change it.
  struct Content: Hashable {
    let scenario: Scenario
    let strategies: [Strategy]
  }

  var content: Content { Content(scenario: scenario, strategies: strategies) }

  /// The number of runs.
  var count: Int { request.repetitions * strategies.count * request.engines.count }

  /// The run at `place`, from 0.
  func run(at place: Int) -> PlannedRun {
    let engines = request.engines.count
    let strategy = strategies[place / engines % strategies.count]
    return PlannedRun(
      plan: RunPlan(scenario, under: strategy), engine: request.engines[place % engines],
      changes: changes, repetition: place / engines / strategies.count + 1,
      cores: request.options.cores, costs: request.costs)
  }
}

extension Comparison.Request {
  /// Throws if two values of a `--vary` make the same runs: they are two spellings of one value, or another `--vary` sets the
  /// same place by another path. Rows of the same run would count as several, and some would be labelled with what did not run.
  @discardableResult
  func requireDifferentRuns(of source: ScenarioSource) throws(ToolError) -> [Variant] {
    var variants: [Int: Variant] = [:]
    for place in grid.representatives { variants[place] = try Variant(source, self, at: place) }
    for axis in grid.representativesByAxis {
      var seen: [Variant.Content: String] = [:]
      for (value, place) in axis.values {
        guard let content = variants[place]?.content else { continue }
        if let twin = seen.updateValue(value, forKey: content) {
          throw ToolError(
            .usage,
            "--vary \(axis.path): \(twin) and \(value) make the same runs; they are one value, or another --vary sets it"
          )
        }
      }
    }
    return variants.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// A run to make.
struct PlannedRun {
  let plan: RunPlan
  let engine: EngineKind
  let changes: String
  let repetition: Int
  /// Cores of the simulated machine, if `--cores` sets them.
  let cores: Int?
  /// The assumptions of the simulation.
  let costs: Costs

  var scenario: Scenario { plan.scenario }
  var length: TimeSpan { scenario.duration + scenario.warmup }
  /// The length with the longest wait for threads of the run before.
  var realLength: TimeSpan {
    plan.arrangement.usesPools ? length + ThreadSupply.poolIdle : length
  }

  /// The simulated machine.
  var machine: Machine { cores.map(scenario.machine.having) ?? scenario.machine }

  /// Makes the run. `progress` follows a real one.
  func made(
    _ options: RealEngine.Options, progress: RunProgress
  ) throws(ToolError) -> ReportRow {
    guard engine == .real else { return simulated(options.detail, ranges: false) }
    var options = options
    options.awaitsEmptyPools = true
    do {
      let log = try RealEngine(options, carriers: .ofThisBuild).run(plan, progress: progress)
      return row(RunMetrics(log), cores: HostFacts.usableCores)
    } catch {
      throw ToolError(error, of: plan.strategy.label)
    }
  }

  /// Makes the run in virtual time; with `ranges`, also the runs that show by how much its figures vary.
  func simulated(_ detail: FrameLedger.Detail, ranges: Bool) -> ReportRow {
    let log = simulator(detail).run(plan) { Interruption.signal == nil }
    let made = row(RunMetrics(log), cores: machine.cores)
    return ranges ? row(made, ranging: (0..<VirtualEngine.runsForRange).map(figures)) : made
  }

  private func simulator(_ detail: FrameLedger.Detail) -> VirtualEngine {
    precondition(engine == .virtual, "a real run happens on the main thread")
    return VirtualEngine(machine: machine, costs: costs, detail: detail)
  }

  /// The figures of the run with a small change; nil if the user interrupts.
  func figures(change number: Int) -> PredictionRange.Figures? {
    simulator(.summary).figures(of: plan, change: number) { Interruption.signal == nil }
  }

  /// The `row` of this run with the range that includes the figures `changed`; without one if some are missing, or if the run itself
  /// was interrupted.
  func row(_ row: ReportRow, ranging changed: [PredictionRange.Figures?]) -> ReportRow {
    let known = changed.compactMap(\.self)
    guard known.count == changed.count, row.log.status != .interrupted else { return row }
    let range = PredictionRange(.init(row.metrics), changed: known, of: plan, on: machine)
    return self.row(row.metrics.having(range), cores: machine.cores)
  }

  private func row(_ metrics: RunMetrics, cores: Int) -> ReportRow {
    ReportRow(metrics, changes: changes, cores: cores, repetition: repetition)
  }
}

/// A row, or the figures of a change of its run, which are nil if the user interrupts.
private enum RowPart {
  case row(ReportRow)
  case figures(PredictionRange.Figures?)
}

extension [PlannedRun] {
  /// Makes the runs in virtual time, on all of this machine's cores at once; with `ranges`, also those that show by how much
  /// figures vary, so that even one row keeps all cores busy.
  func simulated(_ detail: FrameLedger.Detail, ranges: Bool) -> [ReportRow] {
    let changes = ranges ? VirtualEngine.runsForRange : 0
    let inputs = indices.flatMap { run in (0...changes).map { (run: run, place: $0) } }
    let outputs = inputs.concurrentMap { input -> RowPart in
      let run = self[input.run]
      return input.place == 0
        ? .row(run.simulated(detail, ranges: false))
        : .figures(run.figures(change: input.place - 1))
    }
    var rows: [ReportRow] = []
    var figures: [PredictionRange.Figures?] = []
    for (input, output) in zip(inputs, outputs) {
      switch output {
      case .row(let row):
        rows.append(row)
        figures = []
      case .figures(let change): figures.append(change)
      }
      guard changes > 0, input.place == changes, let row = rows.popLast() else { continue }
      rows.append(self[input.run].row(row, ranging: figures))
    }
    return rows
  }
}

extension ToolError {
  init(_ error: RealEngineError, of strategy: String) {
    switch error {
    case .files(let problem): self.init(.noInput, problem.description)
    case .threads: self.init(.unavailable, "\(strategy): \(error)")
    case .carrier, .notPermitted: self.init(.unavailable, error.description)
    }
  }
}

/// The engines that `--engine` asks for.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
  case real, virtual, both

  var engines: [EngineKind] {
    switch self {
    case .real: [.real]
    case .virtual: [.virtual]
    case .both: [.real, .virtual]
    }
  }
}
