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

  /// Captures have their machine in each row; of runs it is noted from `run.json`.
  private static func between(_ machines: String...) -> ResultComparison {
    let sides = machines.map { machine in
      var rows = ComparedRows(Self.base, ["frame_ms_p99"])
      rows.note(machine: machine)
      return rows
    }
    return ResultComparison(base: sides[0], new: sides[1], gates: Gate.standard, shown: [])
  }

  private static let base = results(["frame_ms_p99": [20]], engine: "virtual")

  @Test func `Markdown, annotations and JSON tell of other machines before the verdict`() {
    let words = "the results are of different machines"
    let markdown = ComparisonText.markdown(Self.between("a|b", "c"))
    #expect(
      markdown.hasPrefix("> \(words), which may explain a difference: base: a\\|b; new: c\n\n**No"))
    let github = ComparisonExchange.github(Self.between("a", "c"))
    #expect(github.hasPrefix("::warning title=framebudget::\(words)"))
    let json = ComparisonText.records(Self.between("a", "c")).json
    #expect(json.contains(#""notes": ["#) && json.contains(words))
    #expect(!ComparisonText.markdown(Self.between("a", "a")).contains(words))
  }

  @Test func `Markdown and annotations name what is not compared`() {
    let other = results(["frame_ms_p99": [20]], engine: "virtual", strategy: "<main>")
    var new = Self.base
    new.append(other, from: "")
    let comparison = ResultComparison(base: Self.base, new: new)
    #expect(ComparisonText.markdown(comparison).contains(#"only in the new: scenario · \<main"#))
    #expect(
      ComparisonExchange.github(comparison)
        .contains("::notice title=framebudget::only in the new: scenario · <main>"))
  }

  @Test func `measured results of too few runs have no interval, and say so`() {
    func row(_ count: Int) -> String {
      let values = (0..<count).map { 20 + Double($0) }
      let comparison = ResultComparison(
        base: results(["frame_ms_p99": values]), new: results(["frame_ms_p99": values]))
      // The fifth cell is the interval.
      let line = ComparisonText.markdown(comparison).split(separator: "\n").first {
        $0.hasPrefix("| frame_ms_p99")
      }
      return line.map { String($0.split(separator: "|")[4]) } ?? ""
    }
    #expect(row(3) == " too few runs ")
    #expect(row(5).contains(" to "))
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
            "outcome": "regression",
            "notes": []
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
