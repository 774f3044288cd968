internal import FrameBudget
internal import Reports

/// Holds what came out against what the scenario says must come out.
enum ExpectationCheck {
  /// A sentence for each expectation that `row` fails.
  static func failures(of row: ReportRow, in scenario: Scenario) -> [String] {
    scenario.expectations.filter { concerns($0, row) }.compactMap { expectation in
      let found = row.metrics.observed(expectation.metric)
      if let found, expectation.holds(for: found) { return nil }
      return "expectation failed: \(row.log.strategy.label) on the \(row.log.engine.rawValue) "
        + "engine has \(expectation.metric) \(text(found)), expected \(bounds(expectation))"
    }
  }

  private static func text(_ found: Observation?) -> String {
    guard let found else { return "not applicable" }
    let value = MetricValue.real(found.value).description
    return found.isBound ? "of at least \(value) (open at the end)" : value
  }

  private static func concerns(_ expectation: Expectation, _ row: ReportRow) -> Bool {
    let strategy = row.log.strategy
    return expectation.engine == row.log.engine
      && [strategy.name, strategy.label].contains(expectation.strategy)
  }

  private static func bounds(_ expectation: Expectation) -> String {
    let minimum = expectation.minimum.map { MetricValue.real($0).description }
    let maximum = expectation.maximum.map { MetricValue.real($0).description }
    switch (minimum, maximum) {
    case (let minimum?, let maximum?):
      return minimum == maximum ? minimum : "from \(minimum) to \(maximum)"
    case (let minimum?, nil): return "at least \(minimum)"
    case (nil, let maximum?): return "at most \(maximum)"
    case (nil, nil): return "a value"
    }
  }
}
