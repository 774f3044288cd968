public import FrameBudget
public import Parsing

/// What the runs of a sweep come to over all seeds: for each strategy under each combination of the rest, a line for
/// each metric.
public struct SeedSummary {
  /// A line of it.
  struct Row: Sendable {
    /// One of the runs.
    let run: ResultRow
    let metric: String
    let runs: Int
    var bounds: Int?
    let mean: Double
    let interval: ClosedRange<Double>?
    /// Nil for a share.
    var statistics: SeedStatistics?
  }

  /// What the share of runs is called that meet all that the scenario expects of them.
  static let expectations = "expectations_met"

  private let runsEach: Int
  private let expectations: [Expectation]
  private var groups: [[String]: [ResultRow]] = [:]

  /// - Parameters:
  ///   - runsEach: how many runs differ by their seed or their repetition alone.
  ///   - expectations: what the scenario expects.
  public init(runsEach: Int, expectations: [Expectation]) {
    self.runsEach = runsEach
    self.expectations = expectations
  }

  /// All lines of one strategy under one combination.
  public struct Group: Sendable {
    let rows: [Row]

    /// As `seeds.csv` has them.
    public var csv: String { rows.map(SeedSummary.format.line).joined() }

    func row(_ metric: String) -> Row? { rows.first { $0.metric == metric } }
  }

  public static var header: String { format.header }

  /// Reads a `summary.csv` and hands each group to `body` as soon as all its runs were read: where the seed turns
  /// fastest, that takes constant memory. What `body` throws is returned.
  public mutating func forEachGroup<Failure: Error>(
    of source: consuming ByteSource, _ body: (Group) throws(Failure) -> Void
  ) throws(InputError) -> Failure? {
    var failure: Failure?
    try ResultSet.forEach(source) { (row) throws(InputError) in
      guard failure == nil, let runs = add(row) else { return }
      do throws(Failure) {
        try body(Group(rows: rows(of: runs)))
      } catch {
        failure = error
      }
    }
    return failure
  }

  /// The runs of the group that is whole with `row`; nil while it is not.
  private mutating func add(_ row: ResultRow) -> [ResultRow]? {
    let key = [row.label, row.changes, row.engine]
    groups[key, default: []].append(row)
    guard groups[key]?.count == runsEach else { return nil }
    return groups.removeValue(forKey: key)
  }

  func rows(of runs: [ResultRow]) -> [Row] {
    guard let first = runs.first else { return [] }
    let metrics = MetricCatalog.all.compactMap { metric -> Row? in
      guard let statistics = SeedStatistics(runs.compactMap { $0.observed(metric.name) }) else {
        return nil
      }
      return Row(
        run: first, metric: metric.name, runs: statistics.runs, bounds: statistics.bounds,
        mean: statistics.mean, interval: statistics.interval, statistics: statistics)
    }
    return [share(runs, first)].compactMap(\.self) + metrics
  }

  /// How many of the runs meet what is expected of them; nil where nothing is.
  private func share(_ runs: [ResultRow], _ first: ResultRow) -> Row? {
    let expected = expectations.filter { expectation in
      expectation.engine.rawValue == first.engine
        && [first.strategy, first.label].contains(expectation.strategy)
    }
    guard !expected.isEmpty else { return nil }
    let met = runs.count { run in
      expected.allSatisfy { expectation in
        run.observed(expectation.metric).map(expectation.holds(for:)) ?? false
      }
    }
    return Row(
      run: first, metric: Self.expectations, runs: runs.count,
      mean: Double(met) / Double(runs.count), interval: SeedStatistics.share(met, of: runs.count))
  }

  static let format = LineFormat<Row>(
    keys + figures + quantiles + [.learnedMark(by: { $0.run.learned })])

  private static let keys: [Column<Row>] = [
    Column(RunKey.schema.name, RunKey.schema.meaning) { .count($0.run.schema) },
    Column(RunKey.scenario.name, RunKey.scenario.meaning) { .text($0.run.scenario) },
    Column(RunKey.strategy.name, RunKey.strategy.meaning) { .text($0.run.strategy) },
    Column(RunKey.options.name, RunKey.options.meaning) { .text($0.run.options) },
    Column(RunKey.changes.name, RunKey.changes.meaning) { .text($0.run.changes) },
    Column(RunKey.engine.name, RunKey.engine.meaning) { .text($0.run.engine) },
    Column(RunKey.cores.name, RunKey.cores.meaning) { .text($0.run.cores) },
  ]

  private static let figures: [Column<Row>] = [
    Column("metric", "which one, or \(expectations): the share of runs that meet `expect`") {
      .text($0.metric)
    },
    Column("runs", "how many have it, over all seeds and repetitions") { .count($0.runs) },
    Column("bounds", "of how many only a lower bound is known: the figures are bounds then") {
      $0.bounds.map(MetricValue.count)
    },
    Column("mean", "over the runs") { .real($0.mean) },
    Column(
      "mean_low",
      "where the mean over all seeds begins, with 95 % confidence: Student's t, of a share Wilson's"
    ) { row in row.interval.map { MetricValue.real($0.lowerBound) } },
    Column("mean_high", "where it ends") { row in
      row.interval.map { MetricValue.real($0.upperBound) }
    },
  ]

  private static let quantiles: [Column<Row>] = [
    ("min", 0.0), ("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95),
    ("max", 1.0),
  ].map { (name: String, quantile: Double) in
    let share = Int((100 * quantile).rounded())
    return Column(name, "the least value that \(share) % of the runs do not exceed") { row in
      row.statistics.map { MetricValue.real($0[quantile]) }
    }
  }
}
