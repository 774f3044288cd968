import FrameBudget
import Testing

@testable import FrameBudgetReports

/// Comparisons without noise: every relevant difference counts, and is visible in the output.
struct VirtualComparisonTests {
  static func comparison(_ metric: String, _ base: [Double], _ new: [Double]) -> ResultComparison {
    ResultComparison(
      base: results([metric: base], engine: "virtual"),
      new: results([metric: new], engine: "virtual"), gates: [Gate(metric)])
  }

  /// Of a metric that does not gate.
  static func verdict(_ metric: String, _ base: Double, _ new: Double) -> MetricComparison.Verdict?
  {
    ResultComparison(
      base: results([metric: [base]], engine: "virtual"),
      new: results([metric: [new]], engine: "virtual"), gates: [], shown: [metric]
    ).groups.first?.metrics.first?.verdict
  }

  @Test(
    arguments: [
      ("frame_ms_p99", 8.35, 8.3501, .same), ("frame_ms_p99", 8.3501, 8.35, .same),
      // Under 0.1 %, but not under 0.01 ms; and the other way round.
      ("frame_ms_p99", 5760, 5760.02, .worse), ("frame_ms_p99", 0.1, 0.105, .worse),
      ("frame_ms_p99", 8.35, 8.36, .worse), ("frame_ms_p99", 0, 0.001, .worse),
      // 0.01 ms and 0.1 % themselves count.
      ("frame_ms_p99", 100, 100.01, .worse), ("frame_ms_p99", 1, 1.001, .worse),
      // Counts, shares and rates have no tolerance.
      ("dropped_frames", 100_000, 100_001, .worse), ("dropped_frames_pct", 10, 10.000001, .worse),
      ("throughput_per_s", 1000, 999.999, .worse), ("handoff_us_per_item", 100, 100.001, .worse),
    ] as [(String, Double, Double, MetricComparison.Verdict)])
  func `indistinguishable times are the same, different counts never are`(
    _ metric: String, _ base: Double, _ new: Double, _ expected: MetricComparison.Verdict
  ) {
    #expect(Self.verdict(metric, base, new) == expected)
  }

  /// 15.1 ms are 0.67 % more than 15 ms, and no frame is dropped for them.
  @Test(
    arguments: [
      ("frame_ms_p99", 15, 15.1, .holds), ("frame_ms_p99", 15, 15.149, .holds),
      ("frame_ms_p99", 15, 15.15, .regression), ("response_ms_p99", 100, 100.67, .holds),
      ("response_ms_p99", 100, 101, .regression), ("frame_ms_p99", 0, 0.001, .regression),
      ("dropped_frames_pct", 10, 10.000001, .regression),
      ("responses_late", 1000, 1001, .regression),
      ("items_backlog", 1000, 1001, .regression),
    ] as [(String, Double, Double, ResultComparison.Outcome)])
  func `default gates ignore changes of times below 1 %, and no others`(
    _ metric: String, _ base: Double, _ new: Double, _ expected: ResultComparison.Outcome
  ) {
    func outcome(_ gates: [Gate]) -> ResultComparison.Outcome {
      ResultComparison(
        base: results([metric: [base]], engine: "virtual"),
        new: results([metric: [new]], engine: "virtual"), gates: gates
      ).outcome
    }
    #expect(outcome(Gate.standard) == expected)
    #expect(outcome([Gate(metric, threshold: .absolute(0))]) == .regression)
  }

  /// Each of five seeds decides; the mean of all may have another sign than most of them.
  @Test(
    arguments: [
      ([11, 11, 11, 11, 0], .inconclusive), ([9, 9, 9, 9, 30], .inconclusive),
      ([11, 9, 10, 10, 10], .inconclusive), ([11, 8, 10, 10, 10], .inconclusive),
      ([10, 10, 10, 10, 0], .holds), ([10, 10, 10, 10, 30], .regression),
      ([9, 9, 9, 9, 0], .holds), ([11, 11, 11, 11, 30], .regression),
      // Below 1 % of a time, a change counts on neither side.
      ([11, 11, 11, 11, 9.95], .regression), ([10.05, 10.05, 10.05, 10.05, 0], .holds),
      ([9.95, 9.95, 9.95, 9.95, 11], .regression),
    ] as [([Double], ResultComparison.Outcome)])
  func `runs that are better and runs that are worse decide nothing together`(
    _ new: [Double], _ expected: ResultComparison.Outcome
  ) throws {
    let comparison = Self.comparison("frame_ms_p99", Array(repeating: 10, count: 5), new)
    #expect(comparison.outcome == expected)
    let metric = try #require(comparison.groups.first?.metrics.first)
    let isMixed = expected == .inconclusive
    #expect((metric.note == "some runs are better and some worse") == isMixed)
    // The words never say the opposite of the verdict.
    guard !isMixed, let base = metric.base?.value, let now = metric.new?.value else { return }
    let isWorse = now > base
    #expect(
      isWorse == (metric.verdict == .worse) && now != base
        || metric.note == "runs differ that the trimmed means omit")
  }

  @Test func `a change that a gate ignores is named`() {
    func notes(_ base: Double, _ new: Double) -> [String] {
      Self.comparison("frame_ms_p99", [base], [new]).groups[0].metrics.compactMap(\.note)
    }
    #expect(
      notes(15, 15.1) == [
        "a change below 1 % of a time does not count; --gate frame_ms_p99=0 counts every change"
      ])
    #expect(notes(15, 15) == [] && notes(15, 15.00001) == [] && notes(15, 16) == [])
  }

  /// The throughput of items that arrive by themselves is their arrival rate.
  @Test func `throughput is no default gate`() {
    let (base, new) = (
      results(["throughput_per_s": [100], "frame_ms_p99": [5]], engine: "virtual"),
      results(["throughput_per_s": [50], "frame_ms_p99": [5]], engine: "virtual")
    )
    #expect(ResultComparison(base: base, new: new).outcome == .holds)
  }

  @Test func `a threshold that is stated is the tolerance`() {
    let (base, new) = (
      results(["frame_ms_p99": [8.35]], engine: "virtual"),
      results(["frame_ms_p99": [8.3501]], engine: "virtual")
    )
    let strict = Gate("frame_ms_p99", threshold: .absolute(0))
    #expect(ResultComparison(base: base, new: new, gates: [strict]).outcome == .regression)
  }

  @Test(
    arguments: [
      ("dropped_frames_pct", 10, 10.000001, "10  10.000001 %  +0.00001 %"),
      ("frame_ms_p99", 5760, 5760.04, "5760  5760.04 ms  +0.001 %"),
      ("frame_ms_p99", 8.35, 8.3612, "8.35  8.361 ms  +0.13 %"),
      ("throughput_per_s", 250.0004, 250, "250.0004  250 items/s  -0.0002 %"),
      ("dropped_frames", 0, 0, "0    0       0"),
    ] as [(String, Double, Double, String)])
  func `a difference is printed with the digits that show it`(
    _ metric: String, _ base: Double, _ new: Double, _ text: String
  ) {
    let table = ComparisonText.table(Self.comparison(metric, [base], [new]))
    #expect(table.contains(text), "\(table)")
  }

  @Test func `runs that are better and worse by the same amounts are not called better`() {
    let comparison = Self.comparison("dropped_frames", [10, 20], [12, 18])
    #expect(comparison.groups[0].metrics[0].verdict == .inconclusive)
  }
}
