import FrameBudget
import Testing

@testable import FrameBudgetReports

/// Results of two schemas, in which some metrics have different meanings.
struct SchemaComparisonTests {
  static func set(_ schema: Int, _ values: [String: [Double]], engine: String = "virtual")
    -> ResultSet
  {
    let set = results(values, engine: engine)
    let rows = set.rows.map { row in
      var row = row
      row.schema = schema
      return row
    }
    return ResultSet(rows: rows, metrics: set.metrics)
  }

  static let values = ["response_ms_p99": [10.0], "frame_ms_p99": [8.0]]

  @Test func `metrics with a changed meaning are named and shown, and do not gate`() throws {
    let comparison = ResultComparison(
      base: Self.set(1, Self.values), new: Self.set(2, Self.values.mapValues { [$0[0] * 10] }))
    let metrics = comparison.groups[0].metrics
    #expect(metrics.map(\.metric) == ["frame_ms_p99", "response_ms_p99"])
    #expect(metrics.map(\.isGated) == [true, false])
    #expect(metrics.map(\.verdict) == [.worse, .inconclusive])
    #expect(metrics[1].note == "has another meaning now: measure both again")
    let warning = try #require(comparison.warnings.first)
    #expect(comparison.warnings.count == 1)
    #expect(
      warning.hasPrefix("results of schemas 1 and 2 are compared; the meaning of these has changed")
    )
    for name in MetricCatalog.changed(among: [1, 2], of: .runs) { #expect(warning.contains(name)) }
    #expect(!warning.contains("frame_ms"))
  }

  @Test func `a changed meaning decides nothing, whatever the values`() {
    let worse = ["response_ms_p99": [1000.0], "frame_ms_p99": [8.0]]
    let comparison = ResultComparison(base: Self.set(1, Self.values), new: Self.set(2, worse))
    #expect(comparison.outcome == .holds)
    let alone = ResultComparison(
      base: Self.set(1, Self.values), new: Self.set(2, worse), gates: [Gate("response_ms_p99")])
    #expect(alone.outcome == .inconclusive)
  }

  @Test(arguments: [1, 2]) func `results of one schema are compared as ever`(_ schema: Int) {
    let worse = ["response_ms_p99": [1000.0], "frame_ms_p99": [8.0]]
    let comparison = ResultComparison(
      base: Self.set(schema, Self.values), new: Self.set(schema, worse))
    #expect(comparison.warnings == [] && comparison.outcome == .regression)
  }

  @Test
  func `measured metrics with a changed meaning do not count as tests`() {
    let many = Array(repeating: 10.0, count: 10)
    let base = Self.set(1, ["response_ms_p99": many], engine: "real")
    let new = Self.set(2, ["response_ms_p99": many.map { $0 * 2 }], engine: "real")
    let metric = ResultComparison(base: base, new: new).groups[0].metrics[0]
    #expect(metric.verdict == .inconclusive && metric.p == nil && !metric.isGated)
  }
}
