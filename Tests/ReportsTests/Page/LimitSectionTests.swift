import Testing

@testable import Reports

struct LimitSectionTests {
  private func row(_ strategy: String, _ largest: Int?) -> LimitResults.Row {
    LimitResults.Row(
      scenario: "s", strategy: strategy, options: "", changes: "", engine: "virtual", cores: "2",
      path: "a.once", range: 1...1000, largest: largest, endedAt: largest.map { $0 + 1 },
      endedBy: largest == nil ? "" : "late_responses", why: "1 <response> late")
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
    let html = LimitSection(rows: [row("a", 30), row("a", 10), row("a", 20)], pick: nil)
      .markup("").html
    #expect(html.contains("<b>20</b> then an answer is late <small>10 to 30 in 3 searches</small>"))
  }

  @Test func `without limits there is no section`() {
    #expect(LimitSection(rows: [], pick: nil).markup("<h2>x</h2>").isEmpty)
  }
}
