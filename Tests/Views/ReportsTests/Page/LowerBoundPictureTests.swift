import FrameBudget
import Testing

@testable import FrameBudgetReports

/// Percentiles on the page for which only lower bounds are known.
struct LowerBoundPictureTests {
  /// A sweep over three loads; those of the last one were never answered.
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
    let panels = try #require(
      VariationPictures(Self.rows(Self.sweep))?.panels(metric, "Slow answers"))
    let html = panels.markup("").html
    #expect(html.matches(of: /class="dot bound"/).count == 1)
    #expect(html.contains("title=\"3: &gt;5760\""))
    #expect(html.matches(of: /class="dot"/).count == 2)
    #expect(html.contains("aria-label=\"schedulable: 1: 20; 2: 30; 3: &gt;5760\""))
  }

  @Test func `the metrics mark them, and the page says what the mark means`() throws {
    let set = ResultSet(rows: Self.sweep.rows, metrics: ["response_ms_p99"])
    let html = try ReportPage(title: "sweep", results: set).html()
    #expect(html.contains("</span> &gt;5760</dd>"))
    #expect(html.contains("&gt; and a ring mark lower bounds"))
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

  @Test func `the median of no values is absent`() { #expect(Observation.median([]) == nil) }
}
