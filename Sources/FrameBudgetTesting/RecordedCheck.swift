internal import FrameBudget

/// What somebody asked of a measurement, and what was found, as it is told to whoever runs the tests.
package struct RecordedCheck: Codable, Hashable, Sendable {
  /// `dropped_frames at most 0`
  package let name: String
  /// What was found: `0 to 3`
  package let value: String
  package let verdict: FrameVerdict
  /// `slower`, where the verdict alone does not say.
  package let word: String
  /// Why nothing can be said, or what would help.
  package let note: String?

  init(
    _ name: String, _ value: String, _ verdict: FrameVerdict, word: String? = nil,
    note: String? = nil
  ) {
    (self.name, self.value, self.verdict) = (name, value, verdict)
    (self.word, self.note) = (word ?? verdict.rawValue, note)
  }
}

extension RecordedCheck {
  /// Which side of a limit is asked for.
  enum Bound: String { case atMost = "at most", atLeast = "at least" }

  init(
    _ metric: ReportedMetric, _ bound: Bound, _ limit: Double, range: ClosedRange<Double>?,
    _ verdict: FrameVerdict, doubts: [String]
  ) {
    let unit = MetricCatalog.metric(metric.name).map { Self.suffix($0.unit) } ?? ""
    let value = range.map { "\(Self.number($0))\(unit)" } ?? ""
    let reasons = range == nil ? ["the metric does not apply"] : doubts
    self.init(
      "\(metric) \(bound.rawValue) \(Self.number(limit))\(unit)", value, verdict,
      note: verdict == .unsure && !reasons.isEmpty ? reasons.joined(separator: "; ") : nil)
  }

  private static func suffix(_ unit: Metric.Unit) -> String {
    unit == .none || unit == .count ? "" : " \(unit.rawValue)"
  }

  private static func number(_ range: ClosedRange<Double>) -> String {
    let (least, most) = (number(range.lowerBound), number(range.upperBound))
    return least == most ? least : "\(least) to \(most)"
  }

  private static func number(_ value: Double) -> String { Decimal.text(value, places: 2) }
}

// MARK: Beside a baseline

extension BaselineComparison {
  /// A check for each closure, and one for each that only one side has: of that nothing is known.
  var checks: [RecordedCheck] {
    closures.map(\.check)
      + notes.map { RecordedCheck("baseline", "", isNew ? .met : .unsure, note: $0) }
  }
}

extension BaselineComparison.Closure {
  /// Only what became slower speaks against it.
  fileprivate var check: RecordedCheck {
    let range = "\(signed(intervalPercent.lowerBound)) to \(signed(intervalPercent.upperBound)) %"
    let outcome: FrameVerdict =
      switch verdict {
      case .slower: .missed
      case .faster, .same: .met
      case .unsure: .unsure
      }
    return RecordedCheck(
      "\(name) beside its baseline", "\(signed(changePercent)) %, \(range)", outcome,
      word: verdict.rawValue,
      note: verdict == .unsure ? "too noisy: more items, or a longer measurement, may tell" : nil)
  }

  private func signed(_ percent: Double) -> String {
    let text = Decimal.text(percent, places: 1)
    return percent > 0 && text != "0" ? "+\(text)" : text
  }
}

extension Baseline {
  /// What became of each closure since the baseline at `path`; of what cannot be compared, why.
  ///
  /// - Throws: where there is a file that is no baseline.
  package func checked(besides path: String) throws -> [RecordedCheck] {
    guard let base = try Baseline.read(path) else {
      return [RecordedCheck("baseline", "", .unsure, note: "there is no \(path)")]
    }
    guard base.machine == machine else {
      let note = "\(path) is of another machine or build (\(base.machine)) than this (\(machine))"
      return [RecordedCheck("baseline", "", .unsure, note: note)]
    }
    return BaselineStatistics(
      base: base, new: self, threshold: BaselineComparison.standardThreshold
    ).comparison.checks
  }
}
