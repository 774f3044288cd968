import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

@Suite struct `The report of largest loads` {
  private static let path = "workloads.add-file.arrival.once"

  private func row(
    _ run: HandMadeRun, largest: Int?, end: (load: Int, overload: Overload)?, repetition: Int = 1
  ) -> LimitRecord {
    LimitRecord(
      run.row(changes: "seed=42", repetition: repetition), path: Self.path, range: 1...1000,
      outcome: LoadSearch.Outcome(largest: largest, end: end, runs: 7))
  }

  private var rows: [LimitRecord] {
    [
      row(.mainThread, largest: 2, end: (3, .droppedFrames(1, mostly: .logic))),
      row(.schedulable, largest: 1000, end: nil),
      row(
        .locks, largest: nil,
        end: (1, .lateResponses(workload: "tap", count: 2, within: .milliseconds(100)))),
    ]
  }

  @Test func `shows largest loads and what ended them`() {
    #expect(
      LimitReport.text(rows, width: 80, isColored: false) == """
        schedulable sustains every tried load, up to 1000, main-thread 2 (at 3, frames
        are dropped) and threads-and-locks:lock=fair nothing (at 1, responses come
        late).

        camera-upload [seed=42]: 60 Hz, 10 s, seed 42; real engine, 2 cores
        The largest workloads.add-file.arrival.once from 1 to 1000 with no dropped
          frame, no growing backlog and every response in time:

        strategy                     largest        ended by
        main-thread                        2  dropped frames
        schedulable                     1000         nothing
        threads-and-locks:lock=fair     none  late responses

        - main-thread: at 3, 1 dropped frame, mostly by logic
        - schedulable: sustains every load up to 1000; use a wider --vary to find the
          limit
        - threads-and-locks:lock=fair: at 1, 2 responses of tap later than 100 ms

        """)
  }

  @Test func `has the same in CSV, empty where there is nothing`() {
    let rows = ParsedCSV.named(LimitRecord.table(rows).csv)
    #expect(rows.map { $0["largest"] } == ["2", "1000", ""])
    #expect(rows.map { $0["ended_at"] } == ["3", "", "1"])
    #expect(rows.map { $0["ended_by"] } == ["dropped_frames", "", "late_responses"])
    #expect(rows.map { $0["options"] } == ["", "", "lock=fair"])
    #expect(rows.allSatisfy { $0["path"] == Self.path && $0["from"] == "1" && $0["to"] == "1000" })
    #expect(rows.allSatisfy { $0["schema"] == "\(MetricCatalog.schema)" })
    #expect(rows.allSatisfy { $0["runs"] == "7" && $0["seed"] == "42" })
    #expect(rows.allSatisfy { $0["repetition"] == "1" })
  }

  @Test func `has null in JSON where there is nothing`() {
    let text = LimitRecord.table(rows).json
    #expect(text.contains("\n  \"limits\": [\n"))
    #expect(text.contains("\"largest\": null,\n      \"ended_at\": 1,"))
    #expect(text.contains("\"ended_by\": null,\n      \"why\": null,"))
  }

  @Test func `counts the load in what the scenario calls its items`() {
    var run = HandMadeRun.mainThread
    run.scenario.workloads[0].item = "photo"
    let row = row(run, largest: 2, end: (3, .droppedFrames(1, mostly: .logic)))
    #expect(
      LimitReport.text([row], width: 100, isColored: false)
        .hasPrefix("main-thread sustains 2 photos (at 3, frames are dropped).\n"))
  }

  /// A longer run finishes more of a burst, so the answer depends on its length.
  @Test func `says after how long work was left undone, unless the file does not`() {
    let overload = Overload.backlog(.unfinished, of: "add-file", left: 1, results: 0)
    var row = row(.mainThread, largest: 2, end: (3, overload))
    func text() -> String { LimitReport.text([row], width: 100, isColored: false) }
    #expect(text().hasPrefix("main-thread sustains 2 (at 3, work is left undone after 10 s).\n"))
    row.subject.duration = 0
    #expect(text().hasPrefix("main-thread sustains 2 (at 3, work is left undone).\n"))
  }

  @Test func `has its verdict in JSON`() {
    #expect(
      LimitRecord.table(rows).json.hasPrefix(
        """
        {
          "schema": \(MetricCatalog.schema),
          "verdict": {
            "sentences": [
              "schedulable sustains every tried load, up to 1000, main-thread 2 (at 3, frames are dropped) and \
        threads-and-locks:lock=fair nothing (at 1, responses come late)."
            ],
            "strategy": "schedulable",
            "largest": 1000
          },
          "limits": [
        """))
    let none = LimitRecord.table(Array(rows.suffix(1))).json
    #expect(none.contains("\"strategy\": null,\n    \"largest\": null\n"))
  }

  @Test func `shows the median of repeated searches, and their range`() {
    let found = [450, 430, 470, nil].enumerated().map { index, largest in
      row(
        .mainThread, largest: largest,
        end: ((largest ?? 0) + 1, .droppedFrames(1, mostly: .logic)), repetition: index + 1)
    }
    let text = LimitReport.text(found, width: 100, isColored: false)
    #expect(text.contains("every response in time (medians of 4 searches):"))
    #expect(
      text.hasSuffix(
        """
        strategy     largest  least to most        ended by
        main-thread      430    none to 470  dropped frames

        - main-thread: at 431, 1 dropped frame, mostly by logic

        """))
  }

  @Test func `is read back as it was written`() throws {
    let text = LimitRecord.table(rows).csv
    let read = try LimitRecord.records(ByteSource(Array(text.utf8), name: "limit.csv"))
    #expect(read == rows)
    #expect(
      LimitRecord.recognises(FileHeader(text))
        && !LimitRecord.recognises(FileHeader("largest\n")))
  }

  @Test func `a file without the columns of later versions is read`() throws {
    let text =
      "schema,scenario,strategy,options,changes,engine,cores,path,from,to,largest,ended_at,ended_by,why\n"
      + "1,s,locks,lock=fair,,real,2,a.once,1,9,,1,unfinished,1 of a\n"
    let read = try LimitRecord.records(ByteSource(Array(text.utf8), name: "limit.csv"))
    #expect(read.map(\.label) == ["locks:lock=fair"] && read.map(\.found) == ["none"])
  }

  private static let head = "schema,\(LimitRecord.required.joined(separator: ","))\n"

  @Test(arguments: [
    (head + "2,s,a,,,real,2,p,9,1,,,,\n", "ends before it begins"),
    (head + "1\n", "is it cut off?"),
    ("schema,from,to,scenario\n2,1,9,x\n", "has no column 'strategy'"),
    (head + "99,s,a,,,real,2,p,1,9,,,,\n", "schema '99' is not known"), (head, "no lines"),
    (head + "2,s,a,,,real,2,p,x,9,,,,\n", "'x' in column from is not a whole number"),
  ])
  func `is refused in one line if it is invalid`(_ text: String, _ reason: String) {
    let error = #expect(throws: InputError.self) {
      try LimitRecord.records(ByteSource(Array(text.utf8), name: "limit.csv"))
    }
    #expect(error?.description.hasPrefix("limit.csv:") == true)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
