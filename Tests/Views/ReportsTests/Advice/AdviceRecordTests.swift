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
    #expect(ExplainedRecord.recognises(shares) && ExplainedRecord.recognises(parts))
    #expect(!ExplainedRecord.recognises(MadeUpAdvice.rows) && !AdviceRecord.recognises(parts))
    #expect(throws: InputError.self) {
      try ExplainedRecord(ByteSource(Array(parts.prefix(44).utf8), name: "p"))
    }
    #expect(throws: InputError.self) {
      let undivided = shares.replacing("51,2", with: "51,0")
      return try ExplainedRecord(ByteSource(Array(undivided.utf8), name: "s"))
    }
  }
}
