import FrameBudget
import FrameBudgetParsing

@testable import FrameBudgetReports

/// A results file with `values` of one metric after another, a row for each repetition.
func results(
  _ values: [String: [Double]], engine: String = "real", strategy: String = "schedulable",
  changes: String = "", seeds: [Int]? = nil, milliseconds: Double = 1000
) -> ResultSet {
  let count = values.values.map(\.count).max() ?? 0
  let rows = (0..<count).map { index in
    RunRecord(
      scenario: "scenario", strategy: strategy, options: "", changes: changes, engine: engine,
      cores: "2", repetition: String(index + 1), seed: String(seeds?[index] ?? 1),
      status: "complete", refreshHz: 60, durationMilliseconds: milliseconds,
      numbers: RowNumbers(values.compactMapValues { index < $0.count ? $0[index] : nil }))
  }
  return ResultSet(rows: rows, metrics: values.keys.sorted())
}

func normalSample(_ name: String, _ trial: Int, mean: Double, deviation: Double, count: Int = 10)
  -> [Double]
{
  var stream = RandomStream(seed: 7, name: name, index: trial)
  let distribution = DurationDistribution.normal(
    mean: TimeSpan(nanoseconds: Int64(mean * 1e6)),
    deviation: TimeSpan(nanoseconds: Int64(deviation * 1e6)))
  return (0..<count).map { _ in distribution.sample(using: &stream).inMilliseconds }
}
