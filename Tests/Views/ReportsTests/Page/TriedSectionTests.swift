import Testing

@testable import FrameBudgetReports

struct TriedSectionTests {
  private static let tried = [
    TriedChange(
      name: "debounce:input=150ms",
      outcome: .recorded(
        predicted: TriedChange.Drops(before: "8 of 700", after: "2 of 698"),
        made: TriedChange.Drops(before: "9 of 700", after: "3 of 705"), verdict: "good"),
      rangeMeaning: "for costs that differ"),
    TriedChange(name: "latest:<b>", outcome: .untried("no listener ran")),
  ]

  @Test func `a page has each change with its prediction and what came`() throws {
    let html = try ReportPage(
      title: "t", results: results(["expected_frames": [700]]), tried: Self.tried
    ).html()
    #expect(
      html.contains(
        "<b>debounce:input=150ms</b>: predicted 8 of 700 -&gt; 2 of 698, made: 9 of 700 -&gt; 3 of 705; the prediction is good"
      ))
    #expect(html.contains("<b>latest:&lt;b&gt;</b> was not tried: no listener ran"))
    #expect(html.contains("Changes that were tried</h2>"))
    #expect(html.contains("with the change. Range: for costs that differ.</p>"))
  }

  @Test func `a page without trials does not mention them`() throws {
    let html = try ReportPage(title: "t", results: results(["expected_frames": [700]])).html()
    #expect(!html.contains("Changes that were tried"))
  }
}
