import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct ResultReadingTests {
  static let keys = RunKey.allCases.map(\.name).joined(separator: ",")
  static let row = "1,files,schedulable,drain=2 ms,,real,2,1,42,60,5000,18,complete"

  static func read(_ text: String) throws(InputError) -> ResultSet {
    try ResultSet(ByteSource(Array(text.utf8), name: "summary.csv"))
  }

  @Test func `numbers and empty cells come back as they were written`() throws {
    let set = try Self.read("\(Self.keys),status,dropped_frames,makespan_ms\n\(Self.row),12,\n")
    #expect(set.metrics == ["dropped_frames", "makespan_ms"])
    #expect(set.rows[0].label == "schedulable:drain=2 ms")
    #expect(set.rows[0]["dropped_frames"] == 12)
    #expect(set.rows[0]["makespan_ms"] == nil)
    #expect(set.rows[0].seed == "42")
  }

  @Test func `results of the first schema are read, what they do not have is empty`() throws {
    let set = try Self.read("\(Self.keys),status,response_ms_p99\n\(Self.row),16.7\n")
    #expect(set.rows[0].schema == 1 && set.rows[0]["responses_open"] == nil)
    #expect(set.rows[0].observed("response_ms_p99") == Observation(16.7))
  }

  @Test func `a percentile is kept with its bound flag`() throws {
    let columns = "response_ms_p99,response_ms_p99_is_bound"
    let set = try Self.read("\(Self.keys),status,\(columns)\n2\(Self.row.dropFirst()),5760,1\n")
    #expect(set.rows[0].schema == 2)
    #expect(set.rows[0].observed("response_ms_p99") == Observation(5760, isBound: true))
  }

  @Test func `each row is read as if it were alone, whatever the one before it has`() throws {
    let columns = "\(Self.keys),status,learned,like,workload,item,x"
    let rows = [
      "\(Self.row),good,chrome,tap,file,1", "\(Self.row),,,,,",
      "2,other,actors,,a=1,virtual,,2,43,,,,interrupted,poor,ios,drag,page,2.5",
      "\(Self.row),good,nothing,tap,\"a \"\"b\"\"\",-0.125", "\(Self.row),good,chrome,tap,'=file,1",
    ]
    let alone = try rows.map { try Self.read("\(columns)\n\($0)\n").rows[0] }
    for order in [rows.indices.map(\.self), [2, 0, 1, 0, 4, 3, 3, 2]] {
      let lines = order.map { rows[$0] + "\n" }.joined()
      #expect(try Self.read("\(columns)\n\(lines)").rows == order.map { alone[$0] })
    }
  }

  @Test(arguments: [
    ("", "summary.csv: holds no results"),
    ("a,b\n1,2\n", "summary.csv:1: is not a summary.csv: it has no column 'schema'"),
    (keys + ",status\n", "summary.csv: holds no results"),
    (keys + ",status\n1,files\n", "summary.csv:2: the row has 2 fields where the header has 13"),
    (keys + ",status,x\n" + row + ",fast\n", "summary.csv:2: 'fast' in column x is not a number"),
    (
      keys + ",status\n\(MetricCatalog.schema + 1)" + row.dropFirst() + "\n",
      "summary.csv:2: schema '\(MetricCatalog.schema + 1)' is not supported; supported: 1 to \(MetricCatalog.schema)"
    ),
    (keys + ",status\n01" + row.dropFirst() + "\n", "summary.csv:2: schema '01' is not supported"),
    (
      keys + ",status,periods_later\n" + row + ",4\n",
      "summary.csv:2: '4' in column periods_later is not a whole number from 0 to 3"
    ),
    (keys + ",status,periods_later\n" + row + ",1e12\n", "summary.csv:2: '1e12' in column"),
  ])
  func `broken results end in one line that says where`(_ text: String, _ reason: String) {
    #expect {
      try Self.read(text)
    } throws: { error in
      "\(error)".hasPrefix(reason)
    }
  }

  /// Views would draw conclusions from them: -3 % of dropped frames are an improvement.
  @Test(arguments: [
    ("dropped_frames", "-5", "is not a count"), ("dropped_frames", "3.7", "is not a count"),
    ("dropped_frames", "61", "is more than the 60 of expected_frames"),
    ("dropped_frames", "100000000000000", "is more than the 60 of expected_frames"),
    ("presented_frames", "61", "is more than the 60"), ("responses_late", "-1", "is not a count"),
    ("dropped_frames_pct", "-3", "is not a share"), ("slow_frames_pct", "100.5", "is not a share"),
    ("frame_ms_p99", "-0.1", "is not zero or more"), ("status", "done", "is not a status of a run"),
  ]) func `a cell that contradicts its column is refused`(
    _ column: String, _ cell: String, _ reason: String
  ) {
    let isStatus = column == "status"
    let head = "\(Self.keys),status,expected_frames\(isStatus ? "" : ",\(column)")"
    let row = isStatus ? Self.row.replacing("complete", with: cell) : Self.row
    #expect {
      try Self.read("\(head)\n\(row),60\(isStatus ? "" : ",\(cell)")\n")
    } throws: {
      "\($0)".contains(reason)
    }
  }

  @Test func `numbers that may be anything are read, and empty cells are unknown`() throws {
    let set = try Self.read(
      "\(Self.keys),status,expected_frames,dropped_frames,dropped_frames_pct,frame_overrun_ms_p99,hops_per_item,x\n"
        + "\(Self.row),60,,13.3,-7.5,1.5,-2\n")
    #expect(set.rows[0]["frame_overrun_ms_p99"] == -7.5 && set.rows[0]["x"] == -2)
    let outcome = StrategyOutcome(set.rows[0], workloads: [], leftByFirst: 0)
    #expect(!outcome.isSmooth && outcome.smoothness.contains { $0.contains("unknown") })
    let verdict = try #require(Verdict.all(set.rows).first)
    #expect(verdict.headline.contains("dropped frames are unknown"), "\(verdict.headline)")
  }
}
