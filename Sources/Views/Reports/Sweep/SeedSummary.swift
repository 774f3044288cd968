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
        mean: statistics.mean, interval: statistics.meanInterval, statistics: statistics)
    }
    return [share(runs, first)].compactMap(\.self) + metrics
  }

  /// The share of runs that meet the expectations; nil without expectations.
  private func share(_ runs: [RunRecord], _ first: RunRecord) -> Row? {
    let expected = expectations.filter {
      $0.concerns(first.strategy, label: first.label, on: EngineKind(rawValue: first.engine))
    }
    guard !expected.isEmpty else { return nil }
    let met = runs.count { run in
      expected.allSatisfy { run.observed($0.aim.metric).map($0.aim.holds(for:)) ?? false }
    }
    return Row(
      run: first, metric: Self.expectations, runs: runs.count,
      mean: Double(met) / Double(runs.count), interval: BinomialShare.interval(met, of: runs.count))
  }

  static let format = LineFormat<Row>(
    keys + figures + quantiles + [.learnedMark(by: { $0.run.learned })] + medians)

  private static let keys = RunKey.allCases.prefix { $0 != .repetition }.map { key in
    RunRecord.column(key).of { (row: Row) in row.run }
  }

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
      "for a share, lower end of its 95 % interval (Clopper, Pearson); else the mean less Student's t times its standard error, which is one if runs are normally distributed or many"
    ) { row in row.interval.map { MetricValue.real($0.lowerBound) } },
    Column("mean_high", "upper end of that interval") { row in
      row.interval.map { MetricValue.real($0.upperBound) }
    },
  ]

  private static let medians: [Column<Row>] = [
    Column(
      "median_low",
      "lower end of the 95 % interval of the median, for any distribution; empty for fewer than five runs"
    ) { row in row.statistics?.medianInterval.map { MetricValue.real($0.lowerBound) } },
    Column("median_high", "upper end of that interval") { row in
      row.statistics?.medianInterval.map { MetricValue.real($0.upperBound) }
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
  /// The mean less and plus Student's t times its standard error: covers the mean over all seeds with a probability of 95 % if
  /// they are normally distributed, otherwise less often, until runs are many; nil for one run.
  let meanInterval: ClosedRange<Double>?
  /// Covers the median over all seeds with that probability for any distribution; nil for fewer than five runs.
  let medianInterval: ClosedRange<Double>?
  private let sorted: [Double]

  /// Nil if no run has the metric.
  init?(_ observations: [Observation]) {
    guard !observations.isEmpty else { return nil }
    let sample = Sample(observations.map(\.value))
    (sorted, medianInterval) = (sample.sorted, sample.medianInterval)
    runs = sorted.count
    bounds = observations.count(where: \.isBound)
    let mean = sample.sorted.mean ?? 0
    self.mean = mean
    guard sorted.count > 1 else {
      meanInterval = nil
      return
    }
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = (squares / Double(sorted.count - 1) / Double(sorted.count)).squareRoot()
    let half = StudentT.quantile(degrees: sorted.count - 1) * error
    meanInterval = (mean - half)...(mean + half)
  }

  /// The least value that at least the share `quantile` of the values do not exceed.
  subscript(quantile: Double) -> Double {
    let rank = Int((quantile * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }
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
    ["", "strategy"], ["", "runs"], ["dropped %", "mean"], ["95 % interval", "of the median"],
    ["nine of ten", "runs"], ["late resp.", "mean"], ["response p99", "ms"],
  ]

  private static func cells(_ group: SeedSummary.Group, _ run: RunRecord) -> [String] {
    let runs = group.rows.map(\.runs).max() ?? 0
    let dropped = group.row(Metric.droppedPercent.name)
    let most = dropped?.statistics.map { range($0[0.05], $0[0.95]) }
    let interval = dropped?.statistics.map { statistics in
      statistics.medianInterval.map { range($0.lowerBound, $0.upperBound) } ?? "too few runs"
    }
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
