import Parsing
import Testing

@testable import Reports

struct AdviceResultsTests {
  @Test func `the files of advise are read back`() throws {
    let advice = try MadeUpAdvice.results()
    #expect(advice.scenario == "upload")
    let first = try #require(advice.first)
    #expect(first.arrangement == "advice-1" && first.certainty.margin == 42)
    #expect(first.certainty.steadiness == AdviceCertainty.Share(met: 20, variants: 20))
    #expect(first.certainty.ends.map(\.percent) == [42, 60])
    #expect(first.outcome == AdviceResults.Outcome(dropped: 0, late: 0, pending: 0))
    #expect(first.price.total == 12.5 + 245)
    #expect(
      first.homes[1] == AdviceResults.ServiceHome(service: "hasher", place: "lane background"))
    let today = try #require(advice.today)
    #expect(today.certainty.margin == nil && today.frames == 600 && !today.meetsAims)
    let move = try #require(advice.moves.first)
    #expect(move.without?.dropped == 390 && move.without?.late == 6 && move.alone == nil)
  }

  @Test func `columns are found at any position`() throws {
    let text =
      "places,schema,scenario,verdict,arrangement,role,dropped_frames\n,1,s,change,a,today,3\n"
    let advice = try AdviceResults(ByteSource(Array(text.utf8), name: "advice.csv"))
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
    let advice = try AdviceResults(ByteSource(Array(text.utf8), name: "advice.csv"))
    #expect(advice.first?.certainty.isProven == isProven)
  }

  @Test(arguments: [
    ("", "holds no advice"), ("schema,scenario\n1,s\n", "no column 'arrangement'"),
    (MadeUpAdvice.head + "1,s,change,a,tomorrow,3,\n", "'tomorrow' in column role is not a role"),
    (MadeUpAdvice.head + "1,s,change,a,today,x,\n", "'x' in column dropped_frames is not a number"),
    (MadeUpAdvice.head + "1,s,change,a,today,-1,\n", "is not a whole number"),
    (MadeUpAdvice.head + "1,s,change,a,today,1e99,\n", "is not a number"),
    (MadeUpAdvice.head + "1,s,change,a,today,,\n", "column dropped_frames is empty"),
    (MadeUpAdvice.head + "99,s,change,a,today,1,\n", "schema '99' is not known"),
    (MadeUpAdvice.head + "1,s,change,a,today\n", "is it cut off?"),
  ])
  func `an invalid advice file is refused with its error`(
    _ text: String, _ words: String
  ) throws {
    let error = #expect(throws: InputError.self) {
      try AdviceResults(ByteSource(Array(text.utf8), name: "advice.csv"))
    }
    #expect("\(try #require(error))".contains(words), "\(error.debugDescription)")
  }

  @Test func `the files of explain are read back`() throws {
    let shares = """
      schema,part,frames,numerator,denominator,error,before,after,scenario
      1,service files,25.5,51,2,,2,30,upload
      1,drawing,2.5,5,2,,2,30,upload

      """
    let explained = try ExplainedResults(ByteSource(Array(shares.utf8), name: "s"))
    #expect(explained.scenario == "upload")
    #expect(
      explained.kind
        == .shares(
          [
            .init(part: "service files", frames: 25.5, error: nil),
            .init(part: "drawing", frames: 2.5, error: nil),
          ], before: 2, after: 30))
    let parts = "schema,part,dropped,without,alone,scenario\n1,drawing,30,4,0,upload\n"
    let inventory = try ExplainedResults(ByteSource(Array(parts.utf8), name: "p"))
    #expect(
      inventory.kind == .parts([.init(part: "drawing", without: 4, alone: 0)], dropped: 30))
    #expect(ExplainedResults.recognises(shares) && ExplainedResults.recognises(parts))
    #expect(!ExplainedResults.recognises(MadeUpAdvice.rows) && !AdviceResults.recognises(parts))
    #expect(throws: InputError.self) {
      try ExplainedResults(ByteSource(Array(parts.prefix(44).utf8), name: "p"))
    }
  }
}
