import FrameBudgetAdvice
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct AdviceRecordTests {
  @Test func `the files of advise are read back`() throws {
    let advice = try MadeUpAdvice.results()
    #expect(advice.scenario == "upload")
    let first = try #require(advice.first)
    #expect(first.arrangement == "advice-1" && first.certainty.margin == 42)
    #expect(first.certainty.steadiness == Steadiness(met: 20, variants: 20))
    #expect(first.certainty.ends.map(\.percent) == [42, 60])
    #expect(first.outcome == AdviceRecord.Outcome(dropped: 0, late: 0, pending: 0))
    #expect(first.price.total == 12.5 + 245)
    #expect(
      first.homes[1] == AdviceRecord.ServiceHome(service: "hasher", place: "lane background"))
    let today = try #require(advice.today)
    #expect(today.certainty.margin == nil && today.frames == 600 && !today.meetsAims)
    let effect = try #require(first.effects.first)
    #expect(effect.without?.dropped == 390 && effect.without?.late == 6 && effect.alone == nil)
  }

  @Test func `ranges are read where the file has them, and are empty elsewhere`() throws {
    let none = try #require(try MadeUpAdvice.results().first)
    #expect(none.droppedRange == nil && none.responseRange == nil && none.openAims.isEmpty)
    #expect(none.certaintyWords == none.certainty.words)
    #expect(StatedRanges.columns.allSatisfy { $0.value(StatedRanges()) == nil })
    #expect(StatedRanges(nil) == StatedRanges())
    let text =
      "schema,scenario,verdict,arrangement,role,dropped_frames,places,meets_aims,expected_frames,aims,dropped_frames_pct_low,"
      + "dropped_frames_pct_high,dropped_frames_pct_margin,range_level_pct,range_runs,range_kind\n"
    func row(_ cells: String) throws -> AdviceRecord.Row? {
      let line = "1,s,change,a,advice,0,,1,600,dropped_frames<=3,\(cells)\n"
      return try AdviceRecord(ByteSource(Array((text + line).utf8), name: "advice.csv")).first
    }
    let measured = try #require(try row("0,0.2,0.8,90,237,threads-fit-cores"))
    #expect(measured.droppedRange == "0–1 %" && !measured.openAims.isEmpty && !measured.isFragile)
    #expect(
      measured.certaintyWords
        == "In 90 % of runs on threads, it drops 0 to 1 % of its frames, so dropped_frames<=3 may be missed."
    )
    // A kind or a level of another version has no known meaning.
    let others = ["0.8,80,237,threads-fit-cores", "0.8,90,237,others", ",,,learned"]
    for cells in others.map({ "0,0.2,\($0)" }) {
      let small = try #require(try row(cells))
      #expect(small.droppedRange == "0–0.2 %" && small.openAims.isEmpty)
      #expect(
        small.certaintyWords == "If costs are up to 5 % off, it drops 0 to 0.2 % of its frames.")
    }
    let overturned = try #require(try row("0,0.7,,,,learned"))
    #expect(overturned.isFragile && overturned.sensitiveAims.map(\.words) == ["dropped_frames<=3"])
    #expect(throws: InputError.self) { try row("0,much,,,,learned") }
    #expect(try row("2,1,,,,learned")?.droppedRange == nil)
  }

  @Test func `columns are found at any position`() throws {
    let text =
      "places,schema,scenario,verdict,arrangement,role,dropped_frames\n,1,s,change,a,today,3\n"
    let advice = try AdviceRecord(ByteSource(Array(text.utf8), name: "advice.csv"))
    #expect(advice.today?.outcome.dropped == 3 && advice.today?.homes.isEmpty == true)
  }

  @Test(arguments: [
    (",proven", ",1", true), (",proven", ",0", false), (",proven", ",", nil), ("", "", nil),
  ])
  func `whether it is proven is read where the file says it`(
    _ column: String, _ cell: String, _ isProven: Bool?
  ) throws {
    let text =
      "schema,scenario,verdict,arrangement,role,dropped_frames,places\(column)\n1,s,change,a,advice,0,\(cell)\n"
    let advice = try AdviceRecord(ByteSource(Array(text.utf8), name: "advice.csv"))
    #expect(advice.first?.certainty.isProven == isProven)
  }

  @Test(arguments: [
    ("", "holds no lines"), ("schema,scenario\n1,s\n", "no column 'arrangement'"),
    (MadeUpAdvice.head + "1,s,change,a,tomorrow,3,\n", "'tomorrow' in column role is not a role"),
    (
      MadeUpAdvice.head + "1,s,change,a,today,x,\n",
      "'x' in column dropped_frames is not a whole number"
    ),
    (MadeUpAdvice.head + "1,s,change,a,today,-1,\n", "is not a whole number"),
    (MadeUpAdvice.head + "1,s,change,a,today,1e99,\n", "is not a whole number"),
    (MadeUpAdvice.head + "1,s,change,a,today,,\n", "column dropped_frames is empty"),
    (MadeUpAdvice.head + "99,s,change,a,today,1,\n", "schema '99' is not known"),
    (MadeUpAdvice.head + "1,s,change,a,today\n", "is it cut off?"),
  ])
  func `an invalid advice file is refused with its error`(
    _ text: String, _ words: String
  ) throws {
    let error = #expect(throws: InputError.self) {
      try AdviceRecord(ByteSource(Array(text.utf8), name: "advice.csv"))
    }
    #expect("\(try #require(error))".contains(words), "\(error.debugDescription)")
  }

  @Test func `the files of explain are read back`() throws {
    let shares = """
      schema,part,frames,numerator,denominator,error,before,after,scenario
      1,service files,25.5,51,2,,2,30,upload
      1,drawing,2.5,5,2,,2,30,upload

      """
    let explained = try ExplainedRecord(ByteSource(Array(shares.utf8), name: "s"))
    #expect(explained.scenario == "upload")
    guard case .difference(let whole, let found) = explained else {
      Issue.record("shares are of a difference")
      return
    }
    #expect(whole.before == 2 && whole.after == 30)
    #expect(found.map(\.part) == ["service files", "drawing"])
    #expect(found.map(\.frames) == [25.5, 2.5] && found.allSatisfy { $0.error == nil })
    let parts = "schema,part,dropped,without,alone,scenario\n1,drawing,30,4,0,upload\n"
    let inventory = try ExplainedRecord(ByteSource(Array(parts.utf8), name: "p"))
    guard case .drops(let app, let each) = inventory else {
      Issue.record("parts are of one app")
      return
    }
    #expect(app.dropped == 30 && app.frames == nil)
    #expect(each.map(\.part) == ["drawing"] && each.map(\.without) == [4])
    #expect(ExplainedRecord.recognises(FileHeader(shares)))
    #expect(ExplainedRecord.recognises(FileHeader(parts)))
    #expect(!ExplainedRecord.recognises(FileHeader(MadeUpAdvice.rows)))
    #expect(!AdviceRecord.recognises(FileHeader(parts)))
    #expect(throws: InputError.self) {
      try ExplainedRecord(ByteSource(Array(parts.prefix(44).utf8), name: "p"))
    }
    #expect(throws: InputError.self) {
      let undivided = shares.replacing("51,2", with: "51,0")
      return try ExplainedRecord(ByteSource(Array(undivided.utf8), name: "s"))
    }
  }
}
