internal import FrameBudget

/// The verdicts on one command's runs as paragraphs, the most important one first: for one scenario, perhaps on both engines,
/// perhaps with a varied value.
struct VerdictSummary {
  let verdicts: [Verdict]
  /// Nil if the scenario has none.
  var expectations: ExpectationResult?

  var paragraphs: [String] {
    guard let first = verdicts.first else { return [] }
    let sweeps = SweepAnswer.all(verdicts)
    if sweeps.contains(where: { $1.settings.count > 1 }) {
      return sweeps.map { verdict, answer in
        (sweeps.count > 1 ? "On the \(verdict.engine) engine: " : "")
          + answer.sentences.joined(separator: " ")
      }
    }
    if isVaried { return steps }
    return [first.text] + verdicts.dropFirst().map { Self.second($0, besides: first) }
  }

  /// Whether a value was varied; then the smooth strategies depend on it.
  var isVaried: Bool { Set(verdicts.map(\.changes)).count > 1 }

  // MARK: Both engines

  private static func second(_ other: Verdict, besides first: Verdict) -> String {
    let engine = "On the \(other.engine) engine"
    if other.strategies.count == 1 { return "\(engine) \(other.sentence(on: other.today))" }
    let isSame = other.best?.label == first.best?.label
    switch (other.cheapest, other.nearest) {
    case (let pick?, _) where isSame && first.cheapest != nil:
      let merit = other.merit ?? .lowestPrice
      let also = pick.label == first.cheapest?.label && merit == first.merit ? " also" : ""
      return "\(engine) \(pick.label) is\(also) the smooth strategy with the \(merit.rawValue)."
    case (_, let nearest?) where isSame && first.nearest != nil:
      return "\(engine) no strategy is smooth either, and \(nearest.label) is also the nearest."
    default: return "\(engine) the answer differs: \(other.answer.joined(separator: " "))"
    }
  }

  // MARK: A varied value

  /// A line for each range of neighbouring values with the same result.
  private var steps: [String] {
    var steps: [(verdicts: [Verdict], outcome: String)] = []
    let engines = Set(verdicts.map(\.engine))
    for verdict in verdicts.sorted(by: { engines.count > 1 && $0.engine < $1.engine }) {
      let outcome =
        Self.outcome(verdict) + (engines.count > 1 ? " (\(verdict.engine) engine)" : "")
      if let last = steps.last, last.outcome == outcome {
        steps[steps.count - 1].verdicts.append(verdict)
      } else {
        steps.append(([verdict], outcome))
      }
    }
    return steps.map { "\(Self.range($0.verdicts.map(\.changes))): \($0.outcome)." }
  }

  private static func outcome(_ verdict: Verdict) -> String {
    if let pick = verdict.cheapest, let merit = verdict.merit {
      let rank = merit == .lowestPrice ? " at the lowest price" : " with the \(merit.rawValue)"
      return "\(pick.label) is smooth" + (verdict.strategies.count > 1 ? rank : "")
        + (pick.losses.isEmpty ? "" : ", with \(English.list(pick.losses))")
    }
    if let nearest = verdict.nearest {
      return "no strategy that ran is smooth; \(nearest.label) comes nearest"
    }
    if verdict.isMachineBusy {
      return "other processes disturbed all runs, and no strategy was smooth"
    }
    return "\(verdict.today.label) is not smooth"
  }

  /// `path=1 to 4`
  private static func range(_ changes: [String]) -> String {
    guard let first = changes.first, let last = changes.last, first != last else {
      return changes.first ?? ""
    }
    let place = last.lastIndex(of: "=").map { last[...$0] } ?? ""
    let isSamePath = !place.isEmpty && first.hasPrefix(place)
    return "\(first) to \(isSamePath ? String(last.dropFirst(place.count)) : last)"
  }
}

/// What became of the expectations of a scenario.
public enum ExpectationResult: String, Sendable {
  /// All for the engines that ran were checked and hold; one is missed; none is missed, but some were not checked, or not in a
  /// whole run.
  case met, missed, unchecked
}
