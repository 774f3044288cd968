import FrameBudget
import Reports
import Testing

@Suite struct `The report of largest loads` {
  private static let path = "workloads.add-file.arrival.once"

  private func row(
    _ run: HandMadeRun, largest: Int?, end: (load: Int, overload: Overload)?
  ) -> LimitRow {
    LimitRow(
      run.row(changes: "seed=42"), path: Self.path, range: 1...1000,
      outcome: LoadSearch.Outcome(largest: largest, end: end, runs: 7))
  }

  private var rows: [LimitRow] {
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
        schedulable bears all that was tried, up to 1000, main-thread 2 (at 3 frames are
        dropped) and threads-and-locks:lock=fair nothing (at 1 responses come late).

        camera-upload [seed=42]: 60 Hz, 10 s, seed 42; real engine, 2 cores
        The largest workloads.add-file.arrival.once from 1 to 1000 with no dropped
          frame, no growing backlog and every response in time:

        strategy                     largest        ended by
        main-thread                        2  dropped frames
        schedulable                     1000         nothing
        threads-and-locks:lock=fair     none  late responses

        - main-thread: at 3, 1 dropped frame, mostly by logic
        - schedulable: everything up to 1000 is borne; a wider --vary finds more
        - threads-and-locks:lock=fair: at 1, 2 responses of tap later than 100 ms

        """)
  }

  @Test func `has the same in CSV, empty where there is nothing`() {
    let rows = ParsedCSV.named(LimitCSV.text(rows))
    #expect(rows.map { $0["largest"] } == ["2", "1000", ""])
    #expect(rows.map { $0["ended_at"] } == ["3", "", "1"])
    #expect(rows.map { $0["ended_by"] } == ["dropped_frames", "", "late_responses"])
    #expect(rows.map { $0["options"] } == ["", "", "lock=fair"])
    #expect(rows.allSatisfy { $0["path"] == Self.path && $0["from"] == "1" && $0["to"] == "1000" })
    #expect(rows.allSatisfy { $0["schema"] == "2" && $0["runs"] == "7" && $0["seed"] == "42" })
  }

  @Test func `has null in JSON where there is nothing`() {
    let text = LimitJSON.text(rows)
    #expect(text.hasPrefix("{\n  \"schema\": 2,\n  \"limits\": [\n"))
    #expect(text.contains("\"largest\": null,\n      \"ended_at\": 1,"))
    #expect(text.contains("\"ended_by\": null,\n      \"why\": null,"))
  }
}
