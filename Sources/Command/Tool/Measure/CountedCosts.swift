internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// The costs of a scenario as counted instructions say: each span's work takes as much longer as its instructions have grown since
/// the calibration, in however many calls.
struct CountedCosts {
  /// With their times.
  let spans: [CountedSpan]
  /// The spans whose names are not in the scenario.
  let others: [String]
  /// The spans that the calibration does not have, if there is one.
  let uncalibrated: [String]
  /// The spans that only the calibration has.
  let gone: [String]
  private let factors: [(work: CostedWork, factor: Double)]

  /// Without a calibration, these counts are it: the times are those of the scenario.
  init(
    _ counted: [CountedSpan], since calibration: [CountedSpan], in scenario: Scenario
  ) throws(InputError) {
    var ratios = Ratios(calibration)
    var factors: [(work: CostedWork, factor: Double)] = []
    var others: [String] = []
    for span in counted {
      let works = scenario.work(called: span.name)
      guard let first = works.first else {
        others.append(span.name)
        continue
      }
      let mean = scenario.mean(of: first).inMilliseconds
      if calibration.isEmpty {
        ratios.add(span.name, mean / span.instructionsOfUnit)
      } else if span.isSteady, let ratio = ratios.own[span.name] {
        let factor = try Self.allowed(ratio * span.instructionsOfUnit / mean, of: span)
        factors += works.map { (work: $0, factor: factor) }
      }
    }
    guard others.count < counted.count, let common = ratios.common else {
      throw InputError(
        "no span has the name of a service with steps, of a part of drawing, or 'frame'; the spans are "
          + English.list(counted.map(\.name)))
    }
    spans = counted.map { span in
      var span = span
      span.milliseconds = span.instructionsOfUnit * (ratios.own[span.name] ?? common)
      return span
    }
    (self.factors, self.others) = (factors, others)
    let (now, before) = (Set(counted.map(\.name)), Set(calibration.map(\.name)))
    uncalibrated = before.isEmpty ? [] : now.subtracting(before).sorted()
    gone = before.subtracting(now).sorted()
  }

  private static func allowed(_ factor: Double, of span: CountedSpan) throws(InputError) -> Double {
    guard Scenario.costFactors.contains(factor) else {
      let (least, most) = (Scenario.costFactors.lowerBound, Scenario.costFactors.upperBound)
      throw InputError(
        "by the calibration, \(InputError.quoted(span.name)) takes \(Decimal.text(factor, places: 6)) times as long as in the "
          + "scenario; allowed: \(Decimal.text(least, places: 6)) to \(Decimal.text(most, places: 0)) times"
      )
    }
    return factor
  }

  /// The scenario with these costs.
  func applied(to scenario: Scenario) -> Scenario {
    factors.reduce(scenario) { $0.costing($1.factor, of: $1.work) }
  }

  /// Milliseconds of an instruction, by span.
  private struct Ratios {
    private(set) var own: [String: Double] = [:]

    init(_ spans: [CountedSpan]) {
      for span in spans {
        if let time = span.milliseconds { add(span.name, time / span.instructionsOfUnit) }
      }
    }

    mutating func add(_ name: String, _ ratio: Double) { own[name] = ratio }

    /// For spans that the calibration does not have.
    var common: Double? { own.values.middle }
  }
}
