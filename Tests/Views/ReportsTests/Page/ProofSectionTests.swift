import FrameBudget
import FrameBudgetAdvice
import Testing

@testable import FrameBudgetReports

/// The answers of `prove` on a page.
struct ProofSectionTests {
  private static func row(
    _ strategy: String, _ verdict: Proof.Verdict, _ milliseconds: Int64? = nil
  ) -> ProofRecord {
    var row = ProofRecord()
    (row.subject.scenario, row.subject.cores) = ("s", 2)
    (row.strategy, row.verdict) = (strategy, verdict)
    if let milliseconds {
      (row.tightest, row.available) = ("frame work", .milliseconds(10))
      row.parts = [
        FrameBound.Part(kind: .logic, name: "<load>", count: 1, each: .milliseconds(milliseconds))
      ]
    } else {
      row.gaps = [FrameBound.Gap(reason: "a lock has no bound", remedy: "choose another")]
    }
    return row
  }

  private static let few = [
    row("calm", .proven, 5), row("late", .refuted, 15), row("unknown", .open),
  ]

  private static func html(_ rows: [ProofRecord]) -> String {
    ProofSection(rows: rows).markup("").html
  }

  @Test func `each strategy has its bar, and the budget its line`() {
    let html = Self.html(Self.few)
    // The longest takes one and a half times the budget.
    #expect(html.contains("<i class=\"best\" style=\"left:0;width:33.333%\"></i>"))
    #expect(html.contains("<i class=\"adding\" style=\"left:0;width:100%\"></i>"))
    #expect(html.contains("<i style=\"left:0;width:0%\"></i>"))
    #expect(html.matches(of: #/<i class="axis" style="left:66\.667%"><\/i>/#).count == 3)
    #expect(html.contains("<b>refuted</b> 15 of 10 ms"))
    #expect(html.contains("<b>open</b> no bound"))
    #expect(html.contains("logic of &lt;load&gt; 5 ms"))
    #expect(!html.contains("are cut"))
  }

  @Test func `a bar of more than twice the budget is cut, and the page says so`() {
    let html = Self.html(Self.few + [Self.row("far", .refuted, 600)])
    #expect(html.contains("Bars of more than twice the budget are cut."))
    #expect(html.contains("<i class=\"axis\" style=\"left:50%\"></i>"))
    #expect(html.contains("<i class=\"best\" style=\"left:0;width:25%\"></i>"))
  }

  @Test func `the command that shows a drop can be copied`() {
    var row = Self.row("late", .refuted, 15)
    row.command = "framebudget run s --set 'a=1 s'"
    #expect(Self.html([row]).contains("<code>framebudget run s --set 'a=1 s'</code>"))
  }

  @Test func `without results, the answer is the headline of the page`() throws {
    func headline(_ rows: [ProofRecord]) -> String { ProofSection(rows: rows).headline }
    #expect(
      headline(Self.few) == "Proven to drop no frame: calm; refuted: late; open: unknown.")
    #expect(headline([Self.few[2]]) == "Open: unknown.")
    var limited = Self.few[0]
    limited.limit = 3
    #expect(headline([limited]) == "Proven to drop at most 3 frames: calm.")
    let page = try ReportPage(
      title: "t", results: ResultSet(rows: [], metrics: []), proofs: Self.few
    ).html()
    #expect(page.contains("<h1>Proven to drop no frame: calm; refuted: late; open: unknown.</h1>"))
  }

  @Test func `without proofs there is no section`() {
    #expect(ProofSection(rows: []).markup("<h2>x</h2>").isEmpty)
  }
}
