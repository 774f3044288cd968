import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetReports

struct `summary.csv` {
  static let rows = [HandMadeRun.mainThread, .throttled, .locks, .schedulable].map { $0.row() }

  @Test func `matches its golden file byte by byte`() throws {
    try Golden.expect(SummaryCSV.text(Self.rows), "summary.csv")
  }

  @Test func `has a line for each run, and every metric under its name`() {
    let rows = ParsedCSV.named(SummaryCSV.text(Self.rows))
    #expect(rows.count == Self.rows.count)
    for (parsed, row) in zip(rows, Self.rows) {
      for metric in MetricCatalog.all {
        #expect(parsed[metric.name] == metric.value(row.metrics)?.description ?? "")
      }
      #expect(parsed["schema"] == "\(MetricCatalog.schema)")
      #expect(parsed["strategy"] == row.log.strategy.name)
      #expect(parsed["options"] == row.log.strategy.options)
      #expect(parsed["seed"] == "42")
      #expect(parsed["duration_ms"] == "10000")
      #expect(parsed["warmup_frames"] == "18")
    }
  }

  @Test(arguments: [
    ("summary.csv", SummaryCSV.header), ("workloads.csv", WorkloadsCSV.header),
  ])
  func `its columns are where they were in every published result`(
    _ name: String, _ header: String
  ) throws {
    let folder = Project.folder.appending(path: "results").path(percentEncoded: false)
    let paths = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("/\(name)") }
    #expect(paths.count > 10)
    for path in paths {
      let first = try Project.text("results/\(path)").prefix { !$0.isNewline }
      #expect("\(header.dropLast()),".hasPrefix("\(first),"), "\(path)")
    }
  }

  @Test func `has as many fields in every line as in the header`() {
    let rows = ParsedCSV.rows(SummaryCSV.text(Self.rows))
    #expect(Set(rows.map(\.count)).count == 1)
  }

  @Test func `begins with the run's identity, in a fixed order`() {
    let keys = [
      "schema", "scenario", "strategy", "options", "changes", "engine", "cores", "repetition",
      "seed", "refresh_hz", "duration_ms", "warmup_frames",
    ]
    for header in [
      SummaryCSV.header, WorkloadsCSV.header, FramesCSV.header, ImportCSV.format.header,
    ] {
      #expect(header.split(separator: ",").prefix(keys.count).map(String.init) == keys)
    }
  }

  @Test func `leaves empty what does not apply`() throws {
    let scenario = Scenario(
      name: "steady", display: Display(refresh: RefreshRate(60000, over: 1001)),
      duration: .seconds(1))
    let text = SummaryCSV.text([HandMadeRun(scenario: scenario, engine: .virtual).row()])
    let row = try #require(ParsedCSV.named(text).first)
    #expect(row["response_ms_p99"] == "")
    #expect(row["wakeup_late_us_p50"] == "")
    #expect(row["dropped_frames"] == "0")
    #expect(row["refresh_hz"] == "59.94006")
  }

  @Test(arguments: [
    "plain", "a,b", "say \"yes\"", "two\nlines", "two\r\nlines", "\"", ",", "", " spaces ", "µ",
  ])
  func `gives back every text`(_ text: String) {
    #expect(ParsedCSV.rows(CSV.line([text, "x", text])) == [[text, "x", text]])
  }

  @Test func `quotes only what needs it`() {
    #expect(CSV.line(["a b", "c,d", "e\"f"]) == "a b,\"c,d\",\"e\"\"f\"\n")
  }
}

struct `workloads.csv` {
  @Test func `matches its golden file byte by byte`() throws {
    try Golden.expect(WorkloadsCSV.text(`summary.csv`.rows), "workloads.csv")
  }

  @Test func `has a line for each workload of each run`() {
    let rows = ParsedCSV.named(WorkloadsCSV.text([HandMadeRun.throttled.row()]))
    #expect(rows.map { $0["workload"] } == ["add-file", "tap"])
    #expect(rows.map { $0["items_done"] } == ["2000", "9"])
    #expect(rows.map { $0["items_pending"] } == ["500", "0"])
    #expect(rows.map { $0["responses_late"] } == ["", "0"])
  }
}

struct `The per-frame file` {
  @Test func `has a line for each frame, with all that it knows`() throws {
    let row = HandMadeRun.mainThread.row()
    let rows = ParsedCSV.named(FramesCSV.text([row]))
    #expect(rows.count == row.log.frames.records.count)
    let hang = rows[60]
    let expected = [
      "frame": "60", "begin_vsync": "60", "present_vsync": "451", "begin_ns": "1000000000",
      "work_end_ns": "7510000000", "late_vsyncs": "390", "cause": "logic", "logic_ms": "6500",
      "render_ms": "10", "lock_wait_ms": "0", "strategy": "main-thread",
    ]
    for (name, value) in expected { #expect(hang[name] == value, "\(name)") }
    #expect(rows[0]["cause"] == "")
  }

  @Test func `adds up to the summary`() {
    let row = HandMadeRun.throttled.row()
    let late = ParsedCSV.named(FramesCSV.text([row])).compactMap { Int($0["late_vsyncs"] ?? "") }
    #expect(late.reduce(0, +) == row.metrics.frames.dropped)
  }
}
