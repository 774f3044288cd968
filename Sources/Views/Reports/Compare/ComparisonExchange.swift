internal import FrameBudget

/// A comparison as CSV: a line for each metric of each group.
enum ComparisonCSV {
  /// The result of a metric in a group.
  struct Row {
    let group: String
    let of: MetricComparison
  }

  static let format = LineFormat<Row>([
    Column(.schema) { _ in .count(MetricCatalog.schema) },
    Column("group", "the runs that are compared: scenario, strategy, engine") { .text($0.group) },
    Column("metric", "its name") { .text($0.of.metric) },
    Column("unit", "of the metric, and of all differences") { .text($0.of.unit.rawValue) },
    Column("gated", "1 if it decides, else 0") { .count($0.of.isGated ? 1 : 0) },
    Column("base", "trimmed mean over its runs, without the lowest and the highest fifth") {
      real($0.of.base?.value)
    },
    Column("new", "the same for the new result") { real($0.of.new?.value) },
    Column("base_count", "number of runs of that mean", .count) { .count($0.of.baseCount) },
    Column("new_count", "number of runs of that mean", .count) { .count($0.of.newCount) },
    Column("difference", "new minus base") { real($0.of.difference) },
    Column(
      "interval_low",
      "lower end of the 95 % interval of a typical difference: of the median of all differences between a new run and one of the base, for captures of the means; empty for exact comparisons and too few runs"
    ) { real($0.of.interval?.lowerBound) },
    Column("interval_high", "upper end of that interval") { real($0.of.interval?.upperBound) },
    Column("effect", "Cliff's delta, from -1 to 1") { real($0.of.effect) },
    Column(
      "p", "two-sided p of the Mann-Whitney test; for gated metrics corrected for their number"
    ) {
      real($0.of.p)
    },
    Column("verdict", "better, worse, same, no worse (the same or better), or inconclusive") {
      .text($0.of.verdict.rawValue)
    },
    Column("note", "reason for an inconclusive verdict, and a remedy") {
      $0.of.note.map(MetricValue.text)
    },
    Column("base_is_bound", "1 if base is a lower bound, else 0") { isBound($0.of.base) },
    Column("new_is_bound", "1 if new is a lower bound, else 0") { isBound($0.of.new) },
    Column("counts_from", "threshold from which a change counts that is unlikely to be chance") {
      row in
      amount(row.of) { $0.countsFrom($1) }
    },
    Column("passes_up_to", "threshold up to which a change passes that may be chance") { row in
      amount(row.of) { $0.passesUpTo($1) }
    },
    Column("base_low", "smallest base over small changes of costs and arrivals") {
      real($0.of.baseRange?.lowerBound)
    },
    Column("base_high", "largest base over them") { real($0.of.baseRange?.upperBound) },
    Column("new_low", "smallest new over them") { real($0.of.newRange?.lowerBound) },
    Column("new_high", "largest new over them") { real($0.of.newRange?.upperBound) },
  ])

  private static func real(_ value: Double?) -> MetricValue? { value.map(MetricValue.real) }

  /// Nil if every difference counts.
  private static func amount(
    _ metric: MetricComparison, _ amount: (GateMargin, Double) -> Double
  ) -> MetricValue? {
    guard let margin = metric.margin, let base = metric.base else { return nil }
    return .real(amount(margin, base.value))
  }

  private static func isBound(_ value: Observation?) -> MetricValue? {
    value.map { .count($0.isBound ? 1 : 0) }
  }
}

/// A comparison for CI systems: JUnit's XML, which most of them read, and GitHub's annotations.
public enum ComparisonExchange {
  /// JUnit's XML: a suite for each strategy, a case for each gated metric. A regression is a failure; an inconclusive metric is
  /// an error, because nothing is known to hold.
  public static func junit(_ comparison: ResultComparison) -> String {
    let suites = comparison.groups.map { group in
      (name: group.name, cases: group.metrics.filter(\.isGated).map(testCase))
    }
    return JUnitXML(
      name: "framebudget compare", suites: suites.filter { !$0.cases.isEmpty }
    ).text
  }

  /// Workflow commands, one per line: a warning if the machines differ, an error for regressions, a warning for inconclusive
  /// metrics, and notices with what is not compared and the outcome.
  public static func github(_ comparison: ResultComparison) -> String {
    let lines = comparison.groups.flatMap { group -> [GitHubAnnotation] in
      guard !group.isOnlyInBase else {
        return [GitHubAnnotation(.warning, group.name, "only the base has it, so it is undecided")]
      }
      return group.metrics.filter(\.isGated).compactMap { metric -> GitHubAnnotation? in
        switch metric.verdict {
        case .worse: GitHubAnnotation(.error, group.name, sentence(metric))
        case .inconclusive: GitHubAnnotation(.warning, group.name, sentence(metric))
        case .better, .same, .noWorse: nil
        }
      }
    }
    func note(_ level: GitHubAnnotation.Level, _ text: String) -> GitHubAnnotation {
      GitHubAnnotation(level, "framebudget", text)
    }
    let machines = comparison.machines.map { note(.warning, $0) }
    let ends = (comparison.omissions + [ComparisonSentence(comparison).text]).map {
      note(.notice, $0)
    }
    return ([machines].compactMap(\.self) + lines + ends).map(\.line).joined()
  }

  // MARK: Words

  /// `frame_ms_p99 is worse: it went from 20 to 25 ms (+25 %)`
  private static func sentence(_ metric: MetricComparison) -> String {
    "\(metric.metric) is \(metric.verdict.rawValue): it \(ComparisonSentence.step(metric))"
      + (metric.note.map { "; \($0)" } ?? "")
  }

  private static func testCase(_ metric: MetricComparison) -> JUnitXML.Case {
    let outcome: JUnitXML.Outcome =
      switch metric.verdict {
      case .better, .same, .noWorse: .passed
      case .worse: .failure(sentence(metric))
      case .inconclusive: .error(sentence(metric))
      }
    return JUnitXML.Case(name: metric.metric, outcome: outcome)
  }
}
