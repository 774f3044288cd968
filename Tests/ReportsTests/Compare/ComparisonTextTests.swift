import Testing

@testable import Reports

struct ComparisonTextTests {
  static let comparison = ResultComparison(
    base: results(["frame_ms_p99": [20], "dropped_frames_pct": [0]], engine: "virtual"),
    new: results(["frame_ms_p99": [25], "dropped_frames_pct": [0]], engine: "virtual"))

  @Test func `a table for people ends in the verdict`() {
    #expect(
      ComparisonText.table(Self.comparison) == """
        scenario · schedulable · virtual · 2 cores
          metric                base    new  change  95 % interval  effect      p  verdict
          dropped_frames_pct *     0    0 %       0                         exact  same
          frame_ms_p99 *          20  25 ms   +25 %                         exact  worse

        Regression: 1 worse, 1 same.

        """)
  }

  @Test func `Markdown begins with the verdict and cannot be broken by a name`() {
    let text = ComparisonText.markdown(
      ResultComparison(
        base: results(["frame_ms_p99": [1]], engine: "virtual", strategy: "a|b<c"),
        new: results(["frame_ms_p99": [1]], engine: "virtual", strategy: "a|b<c")))
    #expect(text.hasPrefix("**No regression: 1 same.**\n\n### scenario · a\\|b\\<c · virtual"))
    #expect(text.contains("| frame\\_ms\\_p99") || text.contains("| frame_ms_p99 * | 1 | 1 ms |"))
  }

  @Test func `CSV holds every number`() {
    let lines = ComparisonText.records(Self.comparison).csv.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines[2].hasPrefix(
        "2,scenario · schedulable · virtual · 2 cores,frame_ms_p99,ms,1,20,25,1,1,5,"))
    #expect(
      lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 18 })
  }
}
