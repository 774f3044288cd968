import FrameBudget
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports

/// What a comparison keeps of a file is enough to say the same as all its rows.
@Suite struct `Rows of a comparison` {
  private static let metrics = ["dropped_frames", "response_ms_p99", "items_pending"]
  private static let names =
    RunKey.allCases.map(\.name) + ["status", "like"] + metrics
    + ["response_ms_p99_is_bound", "dropped_frames_low", "dropped_frames_high"]

  /// A file with random values of every kind that a comparison looks at.
  private static func text(_ random: inout RandomNumbers, changes: String) -> String {
    let seeds = random.next(below: 2)
    let lines = (0..<30).map { row in
      func pick(_ texts: String...) -> String { texts[random.next(below: texts.count)] }
      let keys = [
        "\(MetricCatalog.schema)", pick("a", "b"), pick("main-thread", "schedulable"),
        pick("", "drain=2 ms"), changes, "virtual", "2", "1", "\(row + seeds)", "60", "1000", "0",
      ]
      let cells = [
        pick("complete", "complete", "complete", "interrupted"), pick("", "chrome", "ios"),
        "\(random.next(below: 9))", pick("", "16.7", "33.4", "5000.25"), pick("", "0", "3"),
        pick("", "0", "1"), pick("", "2"), pick("", "7", "1"),
      ]
      return (keys + cells).joined(separator: ",")
    }
    return ([names.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
  }

  private static func source(_ text: String) -> ByteSource {
    ByteSource(Array(text.utf8), name: "summary.csv")
  }

  @Test func `of more runs than can be compared are refused`() throws {
    func rows(_ count: Int) -> String {
      let line = ",main-thread,,,virtual,2,1,1,60,1000,0,complete,,1,,,,,"
      let lines = (0..<count).map { "\(MetricCatalog.schema),scenario \($0)\(line)\n" }
      return Self.names.joined(separator: ",") + "\n" + lines.joined()
    }
    let most = ComparedRows.maxGroups
    #expect(try ComparedRows(Self.source(rows(most)), Self.metrics).groups.count == most)
    #expect {
      _ = try ComparedRows(Self.source(rows(most + 1)), Self.metrics)
    } throws: {
      "\($0)".contains("summary.csv: has 20001 different runs")
    }
  }

  private static func described(_ comparison: ResultComparison) -> [String] {
    comparison.warnings + [ComparisonText.table(comparison), "\(comparison.outcome)"]
  }

  @Test(arguments: 0..<20)
  func `say the same from a file as from all its rows`(_ seed: Int) throws {
    var random = RandomNumbers(seed: UInt64(seed))
    let changes = ["", "a=1"][random.next(below: 2)]
    let texts = [
      Self.text(&random, changes: changes), Self.text(&random, changes: ["", "a=1"][seed % 2]),
    ]
    let gates = [Gate("dropped_frames"), Gate("response_ms_p99")]
    let shown = ["items_pending"]
    let sets = try texts.map { try ResultSet(Self.source($0)) }
    let whole = ResultComparison(
      base: sets[0], new: sets[1], gates: gates, shown: shown)
    var rows = try texts.map {
      try ComparedRows(Self.source($0), Self.metrics + ["frame_ms_p50", "hangs"])
    }
    rows[1].keep(Set(Self.metrics))
    let kept = ResultComparison(
      base: rows[0], new: rows[1], gates: gates, shown: shown)
    #expect(Self.described(kept) == Self.described(whole))
    #expect(rows.map(\.suggestedMetrics) == sets.map(\.suggestedMetrics))
    #expect(whole.groups.contains { $0.metrics.contains { $0.baseRange != nil } })
  }

  @Test func `a metric that is not kept is not compared`() throws {
    var random = RandomNumbers(seed: 1)
    let text = Self.text(&random, changes: "")
    var rows = try ComparedRows(Self.source(text), Self.metrics)
    rows.keep(["dropped_frames"])
    let comparison = ResultComparison(
      base: rows, new: rows, gates: Self.metrics.map { Gate($0) }, shown: [])
    #expect(Set(comparison.groups.flatMap(\.metrics).map(\.metric)) == ["dropped_frames"])
  }
}
