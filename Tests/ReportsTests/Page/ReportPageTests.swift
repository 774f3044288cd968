import FrameBudget
import Parsing
import Testing

@testable import Reports

struct ReportPageTests {
  @Test func `the table holds medians of the repetitions`() throws {
    let html = try Pages.rich().html()
    #expect(html.contains(">schedulable · real</th><td>3</td><td>30</td><td>41</td>"))
    #expect(html.contains(">schedulable · virtual</th><td>2</td><td>20</td><td>40</td>"))
  }

  @Test func `names cannot leave their place`() throws {
    let html = try Pages.rich().html()
    #expect(html.contains("<h1>A &lt;title&gt; &amp; &quot;more&quot;</h1>"))
    #expect(!html.contains("<title> &"))
  }

  @Test func `nothing is loaded from anywhere`() throws {
    let html = try Pages.rich().html()
    for word in ["http:", "https:", "src=", "@import", "url("] { #expect(!html.contains(word)) }
    #expect(html.contains("default-src 'none'"))
  }

  @Test func `each picture has a description and the numbers behind it`() throws {
    let html = try Pages.rich().html()
    let pictures = html.split(separator: "<figure>").dropFirst()
    #expect(pictures.count == 7)
    for picture in pictures {
      #expect(picture.contains("role=\"img\" aria-label=\""))
      #expect(picture.contains("<details><summary>Numbers</summary>"))
      #expect(picture.contains("<tbody><tr>"))
    }
  }

  @Test func `a late frame is drawn in its cause's colour, as long as it took`() throws {
    let series = try Pages.series()[0]
    let plot = FramePictures(series: series).timeline()
    let late = try #require(plot.marks.first { $0.contains("2 dropped by logic") })
    #expect(late.contains("fill=\"\(FramePictures.color(of: "logic"))\""))
    // 40 ms of a picture 91 ms long and 384 wide, rounded up to 0.1 s.
    let width = 40.0 / 1000 * (450 - 66) / 0.1
    #expect(late.contains("width=\"\(Plot.text(width))\""))
    #expect(plot.marks.last?.contains("budget 16.67 ms") == true)
    #expect(plot.table.rows.map { $0[2] } == ["0", "0", "2", "0"])
  }

  /// Frame 2 begins at the second vsync, takes 40 ms and handles two items; one was handled before.
  @Test func `items rise while they are handled, not before`() throws {
    let plot = try #require(FramePictures(series: try Pages.series()[0]).items())
    let rows = plot.table.rows
    let begin = try #require(rows.firstIndex { $0[0] == "0.033" })
    #expect(rows[begin] == ["0.033", "1", "1"])
    #expect(rows[begin + 1] == ["0.073", "3", ""])
    #expect(rows.last == ["0.091", "6", ""])
    let line = try #require(plot.marks.first)
    #expect(line.contains("\(Plot.text(plot.x.place(0.033333333))),\(Plot.text(plot.y.place(1)))"))
    #expect(line.contains("\(Plot.text(plot.x.place(0.073333333))),\(Plot.text(plot.y.place(3)))"))
  }

  @Test func `a frame that ends the run is drawn within the picture`() throws {
    var series = try Pages.series()[0]
    series.frames.removeLast()
    let plot = FramePictures(series: series).timeline()
    #expect(plot.x.place(series.frames[2].end) <= 450)
  }

  @Test func `no two causes have one colour`() {
    let colors = Cause.allCases.map { FramePictures.color(of: $0.name) }
    #expect(Set(colors).count == colors.count)
    for color in colors {
      let name = color.dropFirst("var(".count).dropLast()
      // Once for light, once for dark.
      #expect(PageStyle.css.split(separator: "\(name):").count == 3, "\(name)")
    }
  }

  @Test func `a deadlock is named below the headline`() throws {
    var file = Pages.runFile
    #expect(DeadlockSection(files: [file]).html() == "")
    file.runs[2].deadlocks = ["threads 'a' & 'b' waited for each other's locks, for ever"]
    let html = DeadlockSection(files: [file]).html()
    #expect(
      html.contains(
        "<li>schedulable: deadlock in 1 of 3 runs, threads &#39;a&#39; &amp; &#39;b&#39; waited")
        || html.contains(
          "<li>schedulable: deadlock in 1 of 3 runs, threads 'a' &amp; 'b' waited")
    )
    let page = ReportPage(
      title: "t", results: results(["dropped_frames": [3]]), runs: [file]
    ).html()
    #expect(page.contains(html))
  }

  @Test func `a row that others disturbed is marked`() {
    func page(_ disturbed: Double) -> String {
      ReportPage(title: "t", results: results(["dropped_frames": [3], "disturbed": [disturbed]]))
        .html()
    }
    #expect(page(1).contains("schedulable !</th>") && page(1).contains("! disturbed: others"))
    #expect(!page(0).contains(" !</th>") && !page(0).contains("disturbed: others"))
  }

  @Test func `the shortest frame's bar can be seen`() throws {
    let plot = FramePictures(series: try Pages.series()[0]).timeline()
    let heights = plot.marks.dropLast().compactMap { mark in
      mark.split(separator: "height=\"").last?.prefix { $0 != "\"" }
    }.compactMap { Double($0) }
    #expect(heights.count == 4)
    #expect(heights.allSatisfy { $0 > 20 })
  }

  @Test func `workloads stand in a table, and their responses in pictures`() throws {
    let html = try Pages.rich().html()
    #expect(
      html.contains(
        "<th scope=\"row\">schedulable · real</th><td>add-file</td><td>150</td><td>6</td><td></td>")
    )
    #expect(html.contains("<figcaption>Responses of tap &lt;1&gt;</figcaption>"))
    #expect(html.contains(">schedulable · real: 4 late</text>"))
    #expect(!html.contains("Responses of add-file"))
    #expect(!html.contains("<figcaption>Responses</figcaption>"))
  }

  @Test func `responses that nobody got are shown as late`() throws {
    let rows = PageRow.rows(results(["responses_late": [7]]).rows, among: [])
    let plot = try #require(ResultPictures(rows: rows).responses("Responses"))
    #expect(plot.marks.contains { $0.contains("schedulable: 7 late") })
    #expect(plot.table.rows == [["schedulable", "", "", "", "7"]])
  }

  @Test func `the page says how it was measured`() throws {
    #expect(
      CircumstanceSection.facts(Pages.runFile).map { "\($0.name): \($0.value)" } == [
        "command: framebudget run 'it'\\''s <here>' --repeat 3", "started: 2026-01-02T03:04:05Z",
        "framebudget: 0.1.0", "Swift: 6.3", "build: release", "seed: 18446744073709551615",
        "kernel: 6.1", "online cores: 2", "load before: 1.25", "load after: 2",
        "stolen by the hypervisor: 0.5 %", "used by other processes: 40 %",
        "nice values of main-thread: main 0", "nice values of schedulable: main 0, files 10",
      ])
    let html = try Pages.rich().html()
    #expect(html.contains("<a href=\"#measured\">1 warning on how it was measured</a>"))
    #expect(html.contains("<section id=\"measured\">"))
    #expect(html.contains("<th scope=\"row\">kernel</th><td>6.1</td>"))
    #expect(html.contains("<li>other processes used 40 % &amp; more</li>"))
    #expect(html.contains("it'\\''s &lt;here&gt;"))
  }

  @Test func `the same runs of two results stand side by side`() {
    var both = ResultSet(rows: [], metrics: [])
    both.append(results(["dropped_frames": [3]]), from: "before")
    both.append(results(["dropped_frames": [5]]), from: "after")
    #expect(both.metrics == ["dropped_frames"])
    let rows = PageRow.rows(both.rows, among: both.rows)
    #expect(rows.map(\.name) == ["before · schedulable", "after · schedulable"])
    #expect(rows.map { $0.value("dropped_frames") } == [3, 5])
  }

  @Test func `a name too long for its picture is shortened there`() throws {
    let name = String(repeating: "long-", count: 30)
    let rows = PageRow.rows(
      results(["dropped_frames": [7], "drops_logic": [7]], strategy: name).rows, among: [])
    let plot = try #require(ResultPictures(rows: rows).drops())
    let label = try #require(plot.marks.first { $0.contains("…") })
    #expect(label.contains("<title>\(name)</title>"))
    #expect(plot.table.rows[0][0] == name)
  }

  @Test func `a distribution goes up to the longest frame`() throws {
    let plot = try #require(FrameDistribution(try Pages.series())?.plot())
    #expect(plot.x.ticks.map(plot.x.tickText) == ["0", "90"])
    // 8 and 40 ms on an axis from 1 to 100.
    let line = try #require(plot.marks.first)
    #expect(line.contains("points=\"66,\(Plot.text(plot.y.place(8)))"))
    #expect(line.contains(",\(Plot.text(plot.y.place(40)))\""))
  }

  @Test func `a distribution has the frames' percentiles behind it`() throws {
    let plot = try #require(FrameDistribution(try Pages.series())?.plot())
    #expect(
      plot.table.rows == [["scenario · schedulable · real", "8", "30.4", "39.04", "39.904", "40"]])
  }

  @Test func `what was varied becomes curves`() throws {
    let rows = [200.0, 500, 1000].flatMap { value in
      results(["dropped_frames_pct": [value / 100]]).rows.map { row in
        ResultRow(
          scenario: row.scenario, strategy: row.strategy, options: "",
          changes: "workloads.add-file.arrival.once=\(Int(value))", engine: "real", cores: "2",
          repetition: "1", seed: "1", status: "complete", refreshHz: 60,
          durationMilliseconds: 1000, numbers: row.numbers)
      }
    }
    let html = ReportPage(
      title: "t", results: ResultSet(rows: rows, metrics: ["dropped_frames_pct"]), frames: []
    ).html()
    #expect(html.contains("dropped_frames_pct over workloads.add-file.arrival.once"))
    #expect(
      html.contains("<tr><th scope=\"row\">schedulable (real)</th><td>500</td><td>5</td></tr>"))
  }

  @Test func `only the first repetition's frames are drawn`() throws {
    let second = Pages.frames.replacing("real,2,1,1", with: "real,2,2,1").dropFirst(
      Pages.frameHeader.count)
    let series = try FrameSeries.read(
      ByteSource(Array((Pages.frames + second).utf8), name: "frames.csv"))
    #expect(series.count == 1)
    #expect(series[0].frames.count == 4)
  }

  @Test func `a broken per-frame file ends in one line`() {
    for (text, reason) in [
      ("a,b\n", "f:1: is no per-frame file: it has no column 'schema'"),
      (
        Pages.frameHeader + "1,2\n",
        "f:2: the row has 2 fields where the header has 29; is it cut off?"
      ),
    ] {
      #expect {
        try FrameSeries.read(ByteSource(Array(text.utf8), name: "f"))
      } throws: { "\($0)" == reason }
    }
  }
}
