internal import FrameBudget
internal import RealTime
internal import Scenarios

/// All runs of one command, in their order: by combination of what is varied, repetition, strategy, engine.
struct Comparison {
  let runs: [PlannedRun]
  /// Which strategies of `all` the scenario, or this build for real, cannot run, and why.
  let omissions: [String]

  /// More combinations than a table has lines, and than anybody waits for in real time.
  static let mostVariations = 1000

  /// What the command line asks for beside the scenario.
  struct Request: Sendable {
    let options: ScenarioOptions
    let engines: [EngineKind]
    let repetitions: Int
    /// What `--set` says: in every run.
    let set: [Override]
    /// What `--vary` says: each combination in runs of its own.
    var grid = VariationGrid()
    /// What has a flag of its own, and columns of its own in results.
    var hidden: [Override]
    let costs: Costs
    /// Whether sweeps show how far figures move.
    var ranges = false
    /// What real runs can have lanes on.
    var carriers = CarrierSupply.ofThisBuild

    init(
      _ options: ScenarioOptions, on engine: EngineChoice, repetitions: Int
    ) throws(ToolError) {
      self.options = options
      self.repetitions = repetitions
      engines = engine.engines
      set = try options.overrides()
      hidden = options.flagged
      costs = try options.assumedCosts() ?? .standard
    }

    /// Why this build cannot run `strategy` on the engines; nil if it can.
    func lack(for strategy: Strategy) -> CarrierError? {
      engines.contains(.real) ? carriers.lack(for: strategy.arrangement) : nil
    }
  }

  init(_ source: ScenarioSource, _ request: Request) throws(ToolError) {
    guard request.grid.count <= Self.mostVariations else {
      throw ToolError(
        .usage,
        "--vary has \(request.grid.count) combinations; allowed are \(Self.mostVariations) here, "
          + "and a million with --engine virtual alone, without --frames and --trace")
    }
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

  /// How long the runs take that happen in real time; at most 292 years.
  var realTime: TimeSpan {
    let sum = runs.filter { $0.engine == .real }.reduce(Int128(0)) {
      $0 + Int128($1.length.nanoseconds)
    }
    return TimeSpan(nanoseconds: Int64(clamping: sum))
  }
}
