internal import FrameBudget

/// What a comparison comes to, in a sentence or two: better, worse, the same or inconclusive; in what, by how much.
struct ComparisonSentence {
  private let comparison: ResultComparison
  /// The gated metrics, each with the group that it is of.
  private let gated: [(group: ResultComparison.Group, metric: MetricComparison)]
  /// More than these nobody reads in a sentence; the table below has them all.
  private static let most = 3

  init(_ comparison: ResultComparison) {
    self.comparison = comparison
    gated = comparison.groups.flatMap { group in
      group.metrics.filter(\.isGated).map { (group, $0) }
    }
  }

  /// `Regression: frame_ms_p99 went from 20 to 25 ms (+25 %). Of 6 gated metrics 1 is worse, 5 the same.`
  var text: String { sentences.joined(separator: " ") }

  /// For programs: the sentences, and what they come to in a word.
  var json: JSON {
    .object([
      ("sentences", .array(sentences.map(JSON.text))), ("outcome", .text("\(comparison.outcome)")),
    ])
  }

  private var sentences: [String] {
    switch comparison.outcome {
    case .regression: return ["Regression: \(named(.worse)).", counts]
    case .inconclusive:
      guard !gated.isEmpty else { return ["Inconclusive: no gated metric applies."] }
      return ["Inconclusive: nothing can be said of \(undecided).", counts]
    case .holds:
      let isBetter = gated.contains { $0.metric.verdict == .better }
      if isBetter { return ["No regression, and better: \(named(.better)).", counts] }
      guard gated.allSatisfy({ $0.metric.verdict == .same }) else {
        return ["No regression.", counts]
      }
      let all =
        gated.count == 1 ? "the one gated metric is" : "all \(gated.count) gated metrics are"
      return ["No regression: \(all) the same."]
    }
  }

  private func named(_ verdict: MetricComparison.Verdict) -> String {
    let found = gated.filter { $0.metric.verdict == verdict }
    let parts = found.prefix(Self.most).map {
      "\(name($0.group, $0.metric)) \(Self.step($0.metric))"
    }
    let rest = found.count - parts.count
    return rest > 0 ? "\(parts.joined(separator: ", ")) and \(rest) more" : English.list(parts)
  }

  private var undecided: String {
    let found = gated.filter { $0.metric.verdict == .inconclusive }
    let parts = found.prefix(Self.most).map { name($0.group, $0.metric) }
    let rest = found.count - parts.count
    return rest > 0 ? "\(parts.joined(separator: ", ")) and \(rest) more" : English.list(parts)
  }

  /// The group too, where there are several.
  private func name(_ group: ResultComparison.Group, _ metric: MetricComparison) -> String {
    let name = comparison.shortName(of: group)
    return name.isEmpty ? metric.metric : "\(metric.metric) (\(name))"
  }

  /// `went from 20 to 25 ms (+25 %)`
  static func step(_ metric: MetricComparison) -> String {
    let values = [metric.base, metric.new].map { observation in
      observation.map {
        ($0.isBound ? "at least " : "")
          + Decimal.text($0.value, places: ComparisonText.places(metric)($0.value))
      } ?? "nothing"
    }
    let change = metric.percent == nil ? "" : " (\(ComparisonText.change(metric)))"
    return "went from \(values[0]) to \(values[1])\(ComparisonText.unit(metric))\(change)"
  }

  /// `Of 6 gated metrics 1 is worse, 5 the same.`
  private var counts: String {
    let words: [(MetricComparison.Verdict, String)] = [
      (.worse, "worse"), (.inconclusive, "inconclusive"), (.better, "better"),
      (.noWorse, "no worse"), (.same, "the same"),
    ]
    let counts = words.compactMap { verdict, word -> (Int, String)? in
      let count = gated.count { $0.metric.verdict == verdict }
      return count == 0 ? nil : (count, word)
    }
    guard let first = counts.first else { return "" }
    let rest = counts.dropFirst().map { ", \($0) \($1)" }.joined()
    return
      "Of \(English.count(gated.count, "gated metric")) \(first.0) \(first.0 == 1 ? "is" : "are") \(first.1)\(rest)."
  }
}
