/// A comparison for systems that show a build's outcome: the XML of JUnit, which most read, and GitHub's annotations.
public enum ComparisonExchange {
  /// JUnit's XML: a suite for each strategy, a case for each gated metric. What got worse is a failure, what is too
  /// noisy to say an error, because nothing is known to hold.
  public static func junit(_ comparison: ResultComparison) -> String {
    let suites = comparison.groups.map { group in
      (name: group.name, cases: group.metrics.filter(\.isGated).map(testCase))
    }
    return JUnitXML(
      name: "framebudget compare", suites: suites.filter { !$0.cases.isEmpty }
    ).text
  }

  /// Workflow commands, a line each: an error for what got worse, a warning for what is too noisy to say, and a notice
  /// with the outcome.
  public static func github(_ comparison: ResultComparison) -> String {
    let lines = comparison.groups.flatMap { group in
      group.metrics.filter(\.isGated).compactMap { metric -> GitHubAnnotation? in
        switch metric.verdict {
        case .worse: GitHubAnnotation(.error, group.name, sentence(metric))
        case .inconclusive: GitHubAnnotation(.warning, group.name, sentence(metric))
        case .better, .same, .noWorse: nil
        }
      }
    }
    let outcome = GitHubAnnotation(.notice, "framebudget", ComparisonSentence(comparison).text)
    return (lines + [outcome]).map(\.line).joined()
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
