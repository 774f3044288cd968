import FrameBudget
import Testing

@testable import FrameBudgetReports

/// The pictures of a sweep on the page.
struct VariationPictureTests {
  private let metric = Metric.droppedPercent
  private let name = Metric.droppedPercent.name

  private func rows(_ results: [ResultSet]) -> [PageRow] {
    let rows = results.flatMap(\.rows)
    return PageRow.rows(rows, among: rows)
  }

  private func html(_ results: [ResultSet]) throws -> String {
    let pictures = try #require(VariationPictures(rows(results)))
    return try #require(pictures.picture(metric, "Frames dropped") { "<h2>\($0)</h2>" }).html
  }

  @Test func `over seeds a line has a band around it, nine of ten seeds high`() throws {
    let seeds = Array(1...20)
    let sweep = [1.0, 2, 3].map { load in
      results(
        [name: seeds.map { load * 10 + Double($0) }], changes: "load=\(Int(load))", seeds: seeds)
    }
    let panels = try #require(VariationPictures(rows(sweep))?.panels(metric, "Frames dropped"))
    #expect(panels.curves[0].points.map(\.y.value) == [20.5, 30.5, 40.5])
    // Of 20 values one below and one above are left out at most.
    #expect(panels.curves[0].band.map(\.range) == [11...30, 21...40, 31...50])
    let html = panels.markup("").html
    #expect(html.matches(of: /<polygon class="band"/).count == 1)
    #expect(html.contains("over up to 20 seeds"))
  }

  @Test func `repetitions with one seed have no band`() throws {
    let sweep = [1, 2, 3].map { results([name: [1, 5, 9]], changes: "load=\($0)") }
    let panels = try #require(VariationPictures(rows(sweep))?.panels(metric, "Frames dropped"))
    #expect(panels.curves[0].band.isEmpty)
    #expect(!panels.markup("").html.contains("band"))
  }

  @Test
  func `over two numbers there is a map for each strategy that varies, with axes and a legend`()
    throws
  {
    var sweep: [ResultSet] = []
    for (load, render) in [(1, 4), (1, 8), (1, 16), (2, 4), (2, 8), (2, 16)] {
      let changes = "load=\(load);render=\(render) ms"
      let dropped = Double(load * render)
      sweep.append(results([name: [dropped]], strategy: "main-thread", changes: changes))
      sweep.append(results([name: [0]], strategy: "schedulable", changes: changes))
    }
    let html = try html(sweep)
    #expect(html.contains("<h2>Frames dropped over load and render</h2>"))
    #expect(html.contains("Vertical: load; horizontal: render."))
    #expect(html.matches(of: /<figure class="panel">/).count == 1)
    #expect(html.contains("<p class=\"note\">schedulable: 0 everywhere.</p>"))
    #expect(html.matches(of: /<rect\s/).count == 6)
    // The largest values of both, at the upper right end, have the deepest shade.
    #expect(
      html.contains(
        "<rect x=\"2\" y=\"0\" width=\"1\" height=\"1\" fill-opacity=\"1\"><title>load 2, render 16: 32</title>"
      ))
    #expect(html.contains("<rect x=\"0\" y=\"1\" width=\"1\" height=\"1\" fill-opacity=\"0.3\">"))
    #expect(html.contains("none in 0 of 6 combinations"))
    #expect(html.contains("</i>0</span>") && html.contains("</i>32</span>"))
    #expect(html.contains("\">4</span>") && html.contains("\">16</span>"))
  }

  @Test func `with more varied values there is a bar for each, the most important on top`() throws {
    var sweep: [ResultSet] = []
    for place in 0..<8 {
      let (load, render, refresh) = (1 + place / 4, 4 + 4 * (place / 2 % 2), 60 + 60 * (place % 2))
      let dropped = Double(load + 10 * render) + Double(refresh) / 120
      let changes = "load=\(load);render=\(render) ms;refresh=\(refresh) Hz"
      sweep.append(results([name: [dropped]], changes: changes))
    }
    let html = try html(sweep)
    let order = html.matches(of: /<th scope="row">([a-z]+)</).map { String($0.1) }
    #expect(order == ["render", "load", "refresh"])
    // Over all values of the rest, which are 1.5 and 0.75 on average, beside ten times the drawing.
    #expect(html.contains("<td>42.3 at 4</td>") && html.contains("<td>82.3 at 8</td>"))
  }

  @Test(arguments: [(10, true), (20, false)])
  func `a small grid's page has each run, that of a large one the pictures alone`(
    _ side: Int, _ hasRuns: Bool
  ) throws {
    var rows: [RunRecord] = []
    for place in 0..<(side * side) {
      let changes = "load=\(place / side);render=\(place % side) ms"
      rows += results([name: [Double(place)]], changes: changes).rows
    }
    let html = try ReportPage(title: "grid", results: ResultSet(rows: rows, metrics: [name])).html()
    #expect(html.contains("Frames dropped over load and render"))
    #expect(html.contains("Run by run") == hasRuns)
    #expect(html.contains("<dl class=\"metrics\">") == hasRuns)
    #expect(html.contains("summary.csv has each of the") != hasRuns)
  }

  @Test func `an option of a strategy is its axis, not a strategy of its own`() throws {
    let sweep = [10, 20, 40].map { batch in
      ResultSet(
        rows: results(
          [name: [Double(batch)]], strategy: "throttled",
          changes: "strategies.throttled.batch=\(batch)"
        ).rows, metrics: [])
    }
    let panels = try #require(VariationPictures(rows(sweep))?.panels(metric, "Frames dropped"))
    #expect(panels.curves.map(\.name) == ["throttled"])
    #expect(panels.curves[0].points.map(\.x) == [10, 20, 40])
  }
}
