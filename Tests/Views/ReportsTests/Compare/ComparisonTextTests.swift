import FrameBudget
import Testing

@testable import FrameBudgetReports

struct ComparisonTextTests {
  static let comparison = ResultComparison(
    base: results(["frame_ms_p99": [20], "dropped_frames_pct": [0]], engine: "virtual"),
    new: results(["frame_ms_p99": [25], "dropped_frames_pct": [0]], engine: "virtual"))

  @Test func `a table for people begins with the verdict`() {
    #expect(
      ComparisonText.table(Self.comparison) == """
        Regression: frame_ms_p99 went from 20 to 25 ms (+25 %). Gated metrics: 1 worse, 1 the same.

        scenario · schedulable · virtual · 2 cores
          metric                base    new  change  95 % interval  effect      p  verdict
          dropped_frames_pct *     0    0 %       0                         exact  same
          frame_ms_p99 *          20  25 ms   +25 %                         exact  worse

        """)
  }

  @Test func `Markdown begins with the verdict and cannot be broken by a name`() {
    let text = ComparisonText.markdown(
      ResultComparison(
        base: results(["frame_ms_p99": [1]], engine: "virtual", strategy: "a|b<c"),
        new: results(["frame_ms_p99": [1]], engine: "virtual", strategy: "a|b<c")))
    #expect(
      text.hasPrefix(
        "**No regression: the one gated metric is the same.**\n\n### scenario · a\\|b\\<c · virtual"
      ))
    #expect(text.contains("| frame\\_ms\\_p99") || text.contains("| frame_ms_p99 * | 1 | 1 ms |"))
  }

  @Test func `CSV holds every number`() {
    let lines = ComparisonText.records(Self.comparison).csv.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines[2].hasPrefix(
        "\(MetricCatalog.schema),scenario · schedulable · virtual · 2 cores,frame_ms_p99,ms,1,20,25,1,1,5,"
      ))
    #expect(
      lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 24 })
  }

  private func sentence(
    _ base: [String: [Double]], _ new: [String: [Double]], engine: String = "virtual"
  ) -> String {
    let comparison = ResultComparison(
      base: results(base, engine: engine), new: results(new, engine: engine))
    return ComparisonText.table(comparison).prefix { $0 != "\n" }.description
  }

  @Test func `improvements are named with their size`() {
    #expect(
      sentence(
        ["frame_ms_p99": [20], "items_backlog": [4]], ["frame_ms_p99": [10], "items_backlog": [4]])
        == "No regression, and better: frame_ms_p99 went from 20 to 10 ms (-50 %). Gated metrics: 1 better, 1 the same."
    )
  }

  @Test func `several groups are named by what distinguishes them`() {
    func both(_ milliseconds: Double) -> ResultSet {
      var all = results(
        ["frame_ms_p99": [20]], engine: "virtual", strategy: "main-thread")
      all.append(
        results(["frame_ms_p99": [milliseconds]], engine: "virtual", strategy: "time-sliced"),
        from: "")
      return all
    }
    let comparison = ResultComparison(base: both(10), new: both(12))
    #expect(
      ComparisonText.table(comparison).hasPrefix(
        "Regression: frame_ms_p99 (time-sliced) went from 10 to 12 ms (+20 %). "))
  }

  @Test func `JSON begins with the verdict`() {
    let comparison = ResultComparison(
      base: results(["frame_ms_p99": [20]], engine: "virtual"),
      new: results(["frame_ms_p99": [25]], engine: "virtual"))
    #expect(
      ComparisonText.records(comparison).json.hasPrefix(
        """
        {
          "schema": \(MetricCatalog.schema),
          "verdict": {
            "sentences": [
              "Regression: frame_ms_p99 went from 20 to 25 ms (+25 %).",
              "Gated metrics: 1 worse."
            ],
            "outcome": "regression"
          },
          "metrics": [
        """))
  }

  @Test func `undecided metrics are named`() {
    #expect(
      sentence(["frame_ms_p99": [20, 25]], ["frame_ms_p99": [10, 40]], engine: "real")
        == "Inconclusive: the result is unknown for frame_ms_p99. Gated metrics: 1 inconclusive."
    )
  }
}
