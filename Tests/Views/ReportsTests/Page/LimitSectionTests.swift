import Testing

@testable import FrameBudgetReports

struct LimitSectionTests {
  private func row(_ strategy: String, _ largest: Int?) -> LimitRecord {
    var record = LimitRecord()
    (record.subject.scenario, record.subject.cores) = ("s", 2)
    (record.strategy, record.engine, record.path) = (strategy, "virtual", "a.once")
    (record.from, record.to, record.largest) = (1, 1000, largest)
    record.endedAt = largest.map { $0 + 1 }
    record.endedBy = largest == nil ? nil : "late_responses"
    record.why = "1 <response> late"
    return record
  }

  @Test func `the longest bar is first, and all have one scale`() throws {
    let html = LimitSection(
      rows: [row("few", 100), row("none", nil), row("many", 400)], pick: "many"
    ).markup("").html
    let places = try ["many", "few", "none"].map { name in
      try #require(html.firstRange(of: "<span class=\"who\">\(name)</span>")).lowerBound
    }
    #expect(places == places.sorted())
    #expect(html.contains("<i class=\"best\" style=\"width:100%\">"))
    #expect(html.contains("<i style=\"width:25%\">") && html.contains("<i style=\"width:0%\">"))
    #expect(
      html.contains("title=\"at 101: 1 &lt;response&gt; late\"><b>100</b> then an answer is late"))
    #expect(html.contains("<b>nothing</b>"))
  }

  @Test func `several searches have their middle one, and from where to where they went`() {
    var other = row("a", 30)
    other.endedBy = "unfinished"
    let html = LimitSection(rows: [other, row("a", 10), row("a", 20)], pick: nil)
      .markup("").html
    // What ended it is of the search whose number is shown.
    #expect(html.contains("<b>20</b> then an answer is late <small>10 to 30 in 3 searches</small>"))
  }

  @Test func `of an interrupted command says that searches are missing`() {
    var row = row("a", 30)
    #expect(!LimitSection(rows: [row], pick: nil).markup("").html.contains("Interrupted"))
    row.isInterrupted = true
    #expect(
      LimitSection(rows: [row], pick: nil).markup("").html.contains(
        "in time. Interrupted: other searches have no result."))
  }

  @Test func `alone, the largest load is the headline of the page`() {
    func headline(_ rows: [LimitRecord]) -> String? { LimitSection(rows: rows, pick: nil).headline }
    #expect(
      headline([row("few", 100), row("many", 400)]) == "The largest load is 400, with many.")
    #expect(
      headline([row("a", 400), row("b", 400), row("c", 2)])
        == "The largest load is 400, with a and one other.")
    #expect(headline([row("none", nil)]) == "No strategy sustains a load from 1 to 1000.")
    var other = row("few", 100)
    other.path = "b.once"
    #expect(headline([row("few", 100), other]) == nil)
  }

  @Test func `without limits there is no section`() {
    #expect(LimitSection(rows: [], pick: nil).markup("<h2>x</h2>").isEmpty)
  }
}
