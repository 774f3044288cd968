public import FrameBudget
public import FrameBudgetParsing

/// Totals of a sweep over all seeds: a line for each metric, strategy and combination of the other values.
public struct SeedSummary {
  /// A line of it.
  struct Row: Sendable {
    /// One of the runs.
    let run: RunRecord
    let metric: String
    let runs: Int
    var bounds: Int?
    let mean: Double
    let interval: ClosedRange<Double>?
    /// Nil for a share.
    var statistics: SeedStatistics?
  }

  /// The metric with the share of runs that meet all expectations of the scenario.
  static let expectations = "expectations_met"

  private let runsPerGroup: Int
  private let expectations: [Expectation]
  private var groups: [[String]: [RunRecord]] = [:]

  /// - Parameters:
  ///   - runsPerGroup: the number of runs that differ only by their seed or repetition.
  ///   - expectations: the expectations of the scenario.
  public init(runsPerGroup: Int, expectations: [Expectation]) {
    self.runsPerGroup = runsPerGroup
    self.expectations = expectations
  }

  /// All lines of one strategy under one combination.
  public struct Group: Sendable {
    let rows: [Row]

    /// As in `seeds.csv`.
    public var csv: String { rows.map(SeedSummary.format.line).joined() }

    func row(_ metric: String) -> Row? { rows.first { $0.metric == metric } }
  }

  public static var header: String { format.header }

  /// Reads a `summary.csv` and passes each group to `body` as soon as all its runs were read. If the seed changes fastest, this
  /// takes constant memory. Returns the error that `body` throws.
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

  /// The runs of the group that is complete with `row`; nil if it is not.
  private mutating func add(_ row: RunRecord) -> [RunRecord]? {
    let key = [row.label, row.changes, row.engine]
    groups[key, default: []].append(row)
    guard groups[key]?.count == runsPerGroup else { return nil }
    return groups.removeValue(forKey: key)
  }

  func rows(of runs: [RunRecord]) -> [Row] {
    guard let first = runs.first, let runs = Repetitions(runs)?.counted else { return [] }
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

  /// The share of runs that meet the expectations; nil without expectations.
  private func share(_ runs: [RunRecord], _ first: RunRecord) -> Row? {
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
    Column("metric", "its name, or \(expectations): the share of runs that meet `expect`") {
      .text($0.metric)
    },
    Column("runs", "number of runs with the metric, over all seeds and repetitions") {
      .count($0.runs)
    },
    Column("bounds", "number of these that are lower bounds; then the figures are bounds too") {
      $0.bounds.map(MetricValue.count)
    },
    Column("mean", "mean over the runs") { .real($0.mean) },
    Column(
      "mean_low",
      "lower end of the 95 % confidence interval of the mean: Student's t, for a share Wilson's"
    ) { row in row.interval.map { MetricValue.real($0.lowerBound) } },
    Column("mean_high", "upper end of that interval") { row in
      row.interval.map { MetricValue.real($0.upperBound) }
    },
  ]

  private static let quantiles: [Column<Row>] = [
    ("min", 0.0), ("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95),
    ("max", 1.0),
  ].map { (name: String, quantile: Double) in
    let share = Int((100 * quantile).rounded())
    return Column(name, "the smallest value that \(share) % of the runs do not exceed") { row in
      row.statistics.map { MetricValue.real($0[quantile]) }
    }
  }
}

/// Statistics of one metric over all seeds.
struct SeedStatistics: Sendable {
  /// The number of runs with the metric.
  let runs: Int
  /// The number of runs with only a lower bound; then all figures here are lower bounds too.
  let bounds: Int
  let mean: Double
  /// The 95 % confidence interval of the mean over all seeds, for a normal distribution; nil for one run.
  let interval: ClosedRange<Double>?
  private let sorted: [Double]

  /// Nil if no run has the metric.
  init?(_ observations: [Observation]) {
    guard !observations.isEmpty else { return nil }
    sorted = observations.map(\.value).sorted()
    runs = sorted.count
    bounds = observations.count(where: \.isBound)
    let mean = sorted.reduce(0, +) / Double(sorted.count)
    self.mean = mean
    guard sorted.count > 1 else {
      interval = nil
      return
    }
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = (squares / Double(sorted.count - 1) / Double(sorted.count)).squareRoot()
    let half = Self.studentT(degrees: sorted.count - 1) * error
    interval = (mean - half)...(mean + half)
  }

  /// The least value that at least the share `quantile` of the values do not exceed.
  subscript(quantile: Double) -> Double {
    let rank = Int((quantile * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// The 95 % confidence interval for the share of runs that meet the expectations, if `met` of `runs` did: Wilson's interval,
  /// which is also valid at the ends.
  static func share(_ met: Int, of runs: Int) -> ClosedRange<Double> {
    let count = Double(runs)
    let share = Double(met) / count
    let square = normal * normal / count
    let middle = (share + square / 2) / (1 + square)
    let variance = share * (1 - share) / count + square / count / 4
    let half = normal / (1 + square) * variance.squareRoot()
    return max(0, middle - half)...min(1, middle + half)
  }

  private static let normal = 1.959963984540054

  /// The 97.5th percentile of Student's t distribution.
  static func studentT(degrees: Int) -> Double {
    if degrees <= few.count { return few[degrees - 1] }
    // Cornish and Fisher's expansion: accurate to four decimals beyond ten degrees.
    let (z, n) = (normal, Double(degrees))
    let (z3, z5, z7) = (z.raised(to: 3), z.raised(to: 5), z.raised(to: 7))
    let first = (z3 + z) / 4 / n
    let second = (5 * z5 + 16 * z3 + 3 * z) / 96 / (n * n)
    let third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 / (n * n * n)
    return z + first + second + third
  }

  private static let few = [
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624,
    2.306004, 2.262157, 2.228139,
  ]
}

/// A line for each strategy under each combination, with totals over all seeds.
public enum SeedTable {
  /// `groups` are the first ones of `count`.
  public static func text(
    _ groups: [SeedSummary.Group], of count: Int, isColored: Bool
  ) -> String {
    let shares = groups.contains { $0.row(SeedSummary.expectations) != nil }
    var table = TextTable(titles: titles + (shares ? [["meet all", "expectations"]] : []))
    for group in groups {
      guard let run = group.rows.first?.run else { continue }
      if !run.changes.isEmpty { table.head(run.changes) }
      let texts = cells(group, run) + (shares ? [share(group)] : [])
      table.lines.append(.cells(texts.map { TextTable.Cell(text: $0) }))
    }
    var lines = table.text(isColored: isColored)
    if count > groups.count { lines.append("\(count - groups.count) more are in seeds.csv") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let titles = [
    ["", "strategy"], ["", "runs"], ["dropped %", "mean"], ["95 % interval", "of the mean"],
    ["nine of ten", "runs"], ["late resp.", "mean"], ["response p99", "ms"],
  ]

  private static func cells(_ group: SeedSummary.Group, _ run: RunRecord) -> [String] {
    let runs = group.rows.map(\.runs).max() ?? 0
    let dropped = group.row(Metric.droppedPercent.name)
    let most = dropped?.statistics.map { range($0[0.05], $0[0.95]) }
    let interval = dropped?.interval.map { range($0.lowerBound, $0.upperBound) }
    return [
      run.label, String(runs), dropped.map { Figure.percent($0.mean) } ?? "", interval ?? "",
      most ?? "", mean(group, Metric.responsesLate), mean(group, .response(.p99)),
    ]
  }

  private static func range(_ low: Double, _ high: Double) -> String {
    "\(Figure.percent(low)) to \(Figure.percent(high))"
  }

  private static func share(_ group: SeedSummary.Group) -> String {
    group.row(SeedSummary.expectations).map { "\(Figure.percent(100 * $0.mean)) %" } ?? ""
  }

  private static func mean(_ group: SeedSummary.Group, _ metric: Metric) -> String {
    group.row(metric.name).map { row in
      let text = Figure.text(row.mean)
      return (row.bounds ?? 0) > 0 ? ">\(text)" : text
    } ?? ""
  }
}
