internal import FrameBudget
internal import RealTime
internal import Reports

/// All runs of a sweep in their total order, and which of them are made here: a run is worked out on the thread that
/// makes it, so that a million of them take no memory.
struct Sweep: Sendable {
  let source: ScenarioSource
  let request: Comparison.Request
  let shard: Shard
  /// Of each combination.
  private let runsEach: Int
  /// What the scenario is in the combinations that tell most of the others.
  let examples: [Scenario]

  init(
    _ source: ScenarioSource, _ request: Comparison.Request, _ shard: Shard
  ) throws(ToolError) {
    self.source = source
    self.request = request
    self.shard = shard
    let variants = try request.grid.telling.map { place throws(ToolError) in
      try Variant(source, request, at: place)
    }
    examples = variants.map(\.scenario)
    runsEach = variants.first?.count ?? 0
    for variant in variants { try Self.require(variant, runsEach) }
  }

  /// How many there are over all shards.
  var runs: Int { request.grid.count * runsEach }

  /// Makes those whose places among this shard's are in `places`; fewer where it is interrupted, or where one of them
  /// is not allowed.
  func batch(_ places: Range<Int>, keeping kept: SweptBatch.Kept) -> SweptBatch {
    var batch = SweptBatch(keeping: kept)
    var last: (place: Int, variant: Variant)?
    for place in places {
      guard Interruption.signal == nil else {
        batch.isCut = true
        return batch
      }
      let (variation, run) = position(place).quotientAndRemainder(dividingBy: runsEach)
      do throws(ToolError) {
        let variant =
          if let last, last.place == variation { last.variant } else {
            try Variant(source, request, at: variation)
          }
        try Self.require(variant, runsEach)
        last = (variation, variant)
        batch.add(variant.run(at: run).simulated(.summary, ranges: request.ranges))
      } catch {
        batch.failure = error
        return batch
      }
    }
    return batch
  }

  /// The place in the total order, from 0, of the run at `place` of this shard.
  private func position(_ place: Int) -> Int { place * shard.count + shard.number - 1 }

  private static func require(_ variant: Variant, _ runs: Int) throws(ToolError) {
    guard variant.count != runs else { return }
    throw ToolError(
      .usage, "--vary changes how many strategies there are; name them with --strategy instead")
  }
}

/// Runs that follow one another in a sweep, as they are written.
struct SweptBatch: Sendable {
  /// What somebody wants of a run beside its line of the summary.
  struct Kept: OptionSet, Sendable {
    let rawValue: Int

    static let workloads = Self(rawValue: 1)
    /// The run itself.
    static let rows = Self(rawValue: 2)
  }

  private let kept: Kept
  private(set) var count = 0
  private(set) var summary: [UInt8] = []
  private(set) var workloads: [UInt8] = []
  private(set) var rows: [ReportRow] = []
  private(set) var violations: [String] = []
  /// What kept the run behind these from being made.
  var failure: ToolError?
  /// Whether an interruption kept runs from being made.
  var isCut = false

  init(keeping kept: Kept) { self.kept = kept }

  /// Adds a run that is written already, in another folder.
  mutating func add(_ run: SweepRows.Run) {
    count += 1
    summary += run.summary
    workloads += run.workloads
  }

  mutating func add(_ row: ReportRow) {
    count += 1
    summary += SummaryCSV.line(row).utf8
    if kept.contains(.workloads) { workloads += WorkloadsCSV.lines(row).utf8 }
    violations += row.log.violations.map {
      "\(row.log.strategy.label) with \(row.changes), seed \(row.log.seed), is invalid: \($0)"
    }
    if kept.contains(.rows) { rows.append(row.withoutSpans) }
  }
}
