import FrameBudget
import Testing

@testable import Reports

/// Percentiles of which is only known that they are at least so much, on the page.
struct LowerBoundPictureTests {
  /// A sweep over three loads; the answers of the last one never came.
  static let sweep = ResultSet(
    rows: [(1, 20.0, 0.0), (2, 30, 0), (3, 5760, 1)].flatMap { load, response, isBound in
      results(
        [
          "response_ms_p50": [response], "response_ms_p99": [response],
          "response_ms_p99_is_bound": [isBound], "response_ms_max": [response],
          "responses_late": [0],
        ], changes: "load=\(load)"
      ).rows
    }, metrics: [])

  static func rows(_ set: ResultSet) -> [PageRow] { PageRow.rows(set.rows, among: set.rows) }

  @Test func `a sweep draws them as rings with an arrow, not as points that were reached`() throws {
    let metric = try #require(MetricCatalog.metric("response_ms_p99"))
    let plot = try #require(VariationPictures(Self.rows(Self.sweep))?.plot(metric))
    let rings = plot.marks.filter { $0.contains("class=\"open\"") }
    #expect(rings.count == 1 && rings[0].contains("at 3: &gt;5760</title>"))
    #expect(plot.marks.count { $0.hasPrefix("<circle") } == 2)
    #expect(plot.table.rows.map { $0[2] } == ["20", "30", ">5760"])
    // The arrow points up: it ends above the ring.
    let (ring, head) = (plot.y.place(5760), plot.y.place(5760) - 4.5 - 9)
    #expect(
      rings[0].contains("cy=\"\(Plot.text(ring))\"") && rings[0].contains(",\(Plot.text(head))M"))
  }

  @Test func `a picture of responses does so too`() throws {
    let plot = try #require(ResultPictures(rows: Self.rows(Self.sweep)).responses("Responses"))
    #expect(plot.marks.count { $0.contains("class=\"open\"") } == 1)
  }

  @Test func `the table marks them, and the page says what the mark means`() {
    let html = ReportPage(title: "sweep", results: Self.sweep).html()
    #expect(html.contains("<td>&gt;5760</td>") && !html.contains("<td>>5760"))
    #expect(html.contains("&gt; and a ring stand for at least so much"))
  }

  @Test(
    arguments: [
      ([(1, false), (2, false), (3, true)], 2, false),
      ([(1, false), (2, true), (3, true)], 2, true),
      ([(1, true), (2, false), (3, false)], 3, false),
      ([(1, true), (5, true), (3, false)], 3, true),
      ([(1, false), (4, true)], 2.5, true), ([(4, true)], 4, true), ([(4, false)], 4, false),
      ([(1, false), (2, false), (3, false), (9, true)], 2.5, false),
    ] as [([(Double, Bool)], Double, Bool)])
  func `a median of repetitions is one if one has a part in it`(
    _ values: [(Double, Bool)], _ median: Double, _ isBound: Bool
  ) {
    let found = Observation.median(values.map { Observation($0.0, isBound: $0.1) })
    #expect(found == Observation(median, isBound: isBound))
  }

  @Test func `there is no median of nothing`() { #expect(Observation.median([]) == nil) }
}
