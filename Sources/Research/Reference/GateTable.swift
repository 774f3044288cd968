internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// How often `compare` passes results that differ only by their seeds, and how often it finds that all costs grew by a tenth.
///
/// The shipped scenarios nearly all have constant costs. Here they vary by a tenth.
struct GateTable {
  /// Pairs of each scenario.
  static let pairs = 10
  /// Runs on each side of a pair.
  static let runs = 10
  /// The number of seeds for pairs, and for pairs with grown costs.
  private static let (seeds, grownSeeds) = (60, 30)
  private static let growth = 1.1
  private static let deviation = 0.1

  private static let head = [
    "scenario", "strategies", "pairs", "other seeds: pass", "undecided", "false alarm",
    "pass at 5 % alone", "arrivals moved, too: pass", "costs +10 %: found", "found at 5 % alone",
  ]

  /// The page; its other parts are written by hand.
  static func page(in project: URL) -> URL {
    project.appending(components: "results", "reference", "gates.md")
  }

  /// The table for all scenarios, with its totals; takes some minutes.
  static var markdown: String {
    get throws {
      let rows = try ShippedScenarios.all.map { try (name: $0.name, counts: counts(of: $0)) }
      let all = rows.map(\.counts).reduce(into: Counts()) { $0.add($1) }
      return MarkdownTable.text(
        head, rows.map { [$0.name] + $0.counts.cells } + [["**all**"] + all.cells])
    }
  }

  /// The table's line for one scenario.
  static func line(of shipped: ShippedScenario) throws -> String {
    MarkdownTable.line([shipped.name] + (try counts(of: shipped).cells))
  }

  // MARK: Counts

  struct Counts {
    private(set) var strategies = 0
    private(set) var pairs = 0
    /// By outcome: the number of pairs that differ only by their seeds.
    private(set) var same: [ResultComparison.Outcome: Int] = [:]
    /// The number of these that pass if all gates are shares.
    private(set) var sameByShare = 0
    /// The number that pass if each run has other phases of arrivals.
    private(set) var moved = 0
    /// How often the growth is found, and how often if all gates are shares.
    private(set) var found = 0
    private(set) var foundByShare = 0

    init() {}

    init(_ strategies: Int) { self.strategies = strategies }

    mutating func add(
      _ base: ResultSet, same: ResultSet, moved: (ResultSet, ResultSet), grown: ResultSet
    ) {
      pairs += 1
      if Self.outcome(moved.0, moved.1, Gate.standard) == .holds { self.moved += 1 }
      self.same[Self.outcome(base, same, Gate.standard), default: 0] += 1
      let shares = Gate.standard.map { Gate($0.metric, threshold: GateMargin.standard) }
      if Self.outcome(base, same, shares) == .holds { sameByShare += 1 }
      if Self.outcome(base, grown, Gate.standard) == .regression { found += 1 }
      if Self.outcome(base, grown, shares) == .regression { foundByShare += 1 }
    }

    mutating func add(_ other: Counts) {
      strategies += other.strategies
      pairs += other.pairs
      same.merge(other.same, uniquingKeysWith: +)
      sameByShare += other.sameByShare
      moved += other.moved
      found += other.found
      foundByShare += other.foundByShare
    }

    private static func outcome(
      _ base: ResultSet, _ new: ResultSet, _ gates: [Gate]
    ) -> ResultComparison.Outcome {
      ResultComparison(base: base, new: new, gates: gates).outcome
    }

    var cells: [String] {
      let outcomes: [ResultComparison.Outcome] = [.holds, .inconclusive, .regression]
      let counts = outcomes.map { same[$0] ?? 0 } + [sameByShare, moved, found, foundByShare]
      return ["\(strategies)", "\(pairs)"] + counts.map(String.init)
    }
  }

  private static func counts(of shipped: ShippedScenario) throws -> Counts {
    let scenario = try shipped.scenario.varying(by: deviation)
    let calm = (0..<seeds).map { rows(of: scenario, seed: UInt64($0 + 1)) }
    let moved = (0..<seeds).map { place in
      let seed = UInt64(place + 1)
      return rows(of: scenario.moving(by: seed), seed: seed)
    }
    let slow = (0..<grownSeeds).map {
      rows(of: scenario.costing(growth), seed: UInt64(seeds + $0 + 1))
    }
    var counts = Counts(scenario.strategies.count)
    for pair in 0..<pairs {
      var stream = RandomStream(seed: 1, name: "pairs", index: pair)
      let order = calm.indices.shuffled(using: &stream)
      let grown = slow.shuffled(using: &stream).prefix(runs)
      let (first, second) = (order.prefix(runs), order.dropFirst(runs).prefix(runs))
      counts.add(
        ResultSet(first.flatMap { calm[$0] }), same: ResultSet(second.flatMap { calm[$0] }),
        moved: (ResultSet(first.flatMap { moved[$0] }), ResultSet(second.flatMap { moved[$0] })),
        grown: ResultSet(grown.flatMap(\.self)))
    }
    return counts
  }

  /// The lines of a summary: a run under each strategy.
  private static func rows(of scenario: Scenario, seed: UInt64) -> [ReportRow] {
    var scenario = scenario
    scenario.seed = seed
    return scenario.strategies.map { strategy in
      let engine = VirtualEngine(machine: scenario.machine)
      return ReportRow(
        engine.run(RunPlan(scenario, under: strategy)), cores: scenario.machine.cores)
    }
  }
}

extension Scenario {
  /// The app with phases of arrivals drawn by `seed`.
  fileprivate func moving(by seed: UInt64) -> Scenario {
    let period = Double(display.refresh.period.nanoseconds)
    return delayingArrivals { workload in
      var stream = RandomStream(seed: seed, name: "phase/\(workload)")
      return TimeSpan(nanoseconds: Int64(stream.unit() * period))
    }
  }

  /// The app whose constant costs are normally distributed instead, with a deviation of `share` of each.
  fileprivate func varying(by share: Double) -> Scenario {
    var scenario = self
    scenario.display.render = display.render.varying(by: share)
    scenario.display.pipeline.compositor = display.pipeline.compositor.varying(by: share)
    for read in reads.indices { scenario.reads[read].cpu = reads[read].cpu.varying(by: share) }
    for part in frameParts.indices {
      scenario.frameParts[part].cpu = frameParts[part].cpu.varying(by: share)
    }
    for workload in workloads.indices {
      scenario.workloads[workload].result = workloads[workload].result.varying(by: share)
      for step in workloads[workload].steps.indices {
        scenario.workloads[workload].steps[step].load =
          workloads[workload].steps[step].load.varying(by: share)
      }
    }
    return scenario
  }
}

extension Step.Load {
  fileprivate func varying(by share: Double) -> Step.Load {
    switch self {
    case .cpu(let duration): .cpu(duration.varying(by: share))
    case .work(let duration, let bytes): .work(duration.varying(by: share), touches: bytes)
    }
  }
}

extension DurationDistribution {
  fileprivate func varying(by share: Double) -> DurationDistribution {
    guard let span = fixed, span > .zero else { return self }
    return .normal(mean: span, deviation: span.multiplied(by: share))
  }
}
