internal import FrameBudget
internal import Parsing

/// A comparison for systems that show a build's outcome: the XML of JUnit, which most read, and GitHub's annotations.
public enum ComparisonExchange {
  /// JUnit's XML: a suite for each strategy, a case for each gated metric. What got worse is a failure, what is too
  /// noisy to say an error, because nothing is known to hold.
  public static func junit(_ comparison: ResultComparison) -> String {
    let suites = comparison.groups.compactMap { group -> String? in
      let gated = group.metrics.filter(\.isGated)
      guard !gated.isEmpty else { return nil }
      let cases = gated.map { testCase($0, of: group.name) }.joined()
      return "  <testsuite name=\(quoted(group.name))\(counts(gated))>\n\(cases)  </testsuite>\n"
    }
    let all = comparison.groups.flatMap(\.metrics).filter(\.isGated)
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + "<testsuites name=\"framebudget compare\"\(counts(all))>\n\(suites.joined())</testsuites>\n"
  }

  /// Workflow commands, a line each: an error for what got worse, a warning for what is too noisy to say, and a notice
  /// with the outcome.
  public static func github(_ comparison: ResultComparison) -> String {
    let lines = comparison.groups.flatMap { group in
      group.metrics.filter(\.isGated).compactMap { metric -> String? in
        let level: String
        switch metric.verdict {
        case .worse: level = "error"
        case .inconclusive: level = "warning"
        case .better, .same: return nil
        }
        return annotation(level, group.name, sentence(metric))
      }
    }
    return (lines + [annotation("notice", "framebudget", ComparisonSentence(comparison).text)])
      .map { $0 + "\n" }.joined()
  }

  // MARK: Words

  /// `frame_ms_p99 is worse: it went from 20 to 25 ms (+25 %)`
  private static func sentence(_ metric: MetricComparison) -> String {
    "\(metric.metric) is \(metric.verdict.rawValue): it \(ComparisonSentence.step(metric))"
      + (metric.note.map { "; \($0)" } ?? "")
  }

  private static func testCase(_ metric: MetricComparison, of group: String) -> String {
    let head = "    <testcase classname=\(quoted(group)) name=\(quoted(metric.metric))"
    switch metric.verdict {
    case .better, .same: return head + "/>\n"
    case .worse: return head + "><failure message=\(quoted(sentence(metric)))/></testcase>\n"
    case .inconclusive: return head + "><error message=\(quoted(sentence(metric)))/></testcase>\n"
    }
  }

  private static func counts(_ metrics: [MetricComparison]) -> String {
    let (worse, open) = (
      metrics.count { $0.verdict == .worse }, metrics.count { $0.verdict == .inconclusive }
    )
    return " tests=\"\(metrics.count)\" failures=\"\(worse)\" errors=\"\(open)\""
  }

  /// An attribute's value in XML, which knows no control characters.
  private static func quoted(_ text: String) -> String {
    let value: Markup = "\(text)"
    return "\"\(value.html)\""
  }

  private static func annotation(_ level: String, _ title: String, _ text: String) -> String {
    "::\(level) title=\(percentEncoded(title.printable, ":,"))::\(percentEncoded(text.printable))"
  }

  /// What would end a workflow command, or a property of it, as GitHub's toolkit writes it.
  private static func percentEncoded(_ text: String, _ others: String = "") -> String {
    text.unicodeScalars.map { scalar in
      guard "%\r\n".unicodeScalars.contains(scalar) || others.unicodeScalars.contains(scalar) else {
        return String(scalar)
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
