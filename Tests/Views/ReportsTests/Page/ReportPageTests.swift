import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct ReportPageTests {
  /// Runs of the same scenario under two strategies: one hangs, and the other avoids it at a cost.
  private static let two: ResultSet = {
    var set = results(
      [
        "expected_frames": [600], "dropped_frames": [390], "dropped_frames_pct": [65],
        "hitch_max_ms": [6500], "longest_gap_vsyncs": [390], "hang_count": [1], "items_done": [9],
        "items_pending": [4], "responses_late": [6],
      ], strategy: "main-thread")
    set.append(
      results(
        [
          "expected_frames": [600], "dropped_frames": [0], "items_done": [13], "items_pending": [0],
          "responses_late": [0], "publish_ms_total": [245.4], "lock_wait_ms_total": [50.1],
          "handoff_us_per_item": [1],
        ]), from: "")
    return set
  }()

  private func page(_ set: ResultSet, runs: [RunFile] = []) throws -> String {
    try ReportPage(title: "t", results: set, runs: runs).html()
  }

  /// As many runs, of which each has a name of its own in one text.
  private func runs(
    _ count: Int, named path: WritableKeyPath<RunRecord, String>
  ) -> ResultSet {
    let rows = (0..<count).map { number in
      var row = RunRecord()
      row[keyPath: path] = "name \(number)"
      return row
    }
    return ResultSet(rows: rows, metrics: [])
  }

  @Test func `more than a page can show is refused before it is drawn`() throws {
    let none = ResultSet(rows: [], metrics: [])
    let most = runs(ReportPage.maxRows, named: \.strategy)
    try ReportPage(title: "t", results: most).requireRoom()
    // Repetitions of one run share a row.
    try ReportPage(title: "t", results: runs(ReportPage.maxRows + 1, named: \.seed)).requireRoom()
    for (results, workloads, words) in [
      (runs(ReportPage.maxRows + 1, named: \.strategy), none, "10001 different runs"),
      (runs(ReportPage.maxScenarios + 1, named: \.scenario), none, "1001 scenarios"),
      (none, runs(ReportPage.maxWorkloads + 1, named: \.workload), "50001 different workloads"),
    ] {
      let page = ReportPage(title: "t", results: results, workloads: workloads)
      let error = #expect(throws: InputError.self) { try page.requireRoom() }
      #expect(error?.reason.contains(words) == true, "\(words)")
    }
  }

  @Test func `runs and answers about one scenario are one chapter, and count once`() throws {
    let results = runs(ReportPage.maxScenarios, named: \.scenario)
    let advice = results.rows.map { run in
      var row = AdviceRecord.Row()
      row.subject.scenario = run.scenario
      return AdviceRecord(rows: [row])
    }
    try ReportPage(title: "t", results: results, advice: advice).requireRoom()
    let page = ReportPage(
      title: "t", results: results, advice: advice + [try MadeUpAdvice.results()])
    #expect(throws: InputError.self) { try page.requireRoom() }
  }

  @Test func `the verdict and the recommended strategy are the headline`() throws {
    let html = try page(Self.two)
    let verdict = try #require(Verdict.all(Self.two.rows).first)
    let headline = "\(verdict.headline.dropLast()); recommended: schedulable."
    #expect(html.contains("<h1>\(headline)</h1>"))
    #expect(html.contains("<p class=\"verdict\"><b class=\"pick\">schedulable</b>: none of 600"))
    #expect(html.contains("<title>scenario: \(headline)</title>"))
  }

  @Test func `what was recorded is the headline, with the replay beside it`() throws {
    let words = "recorded: 0 of 304 (0.0 %) dropped; the replay: 390 of 600 (65.0 %)"
    let html = try ReportPage(
      title: "t", results: Self.two,
      recording: PageRecordingWords(
        dropped: words, omissions: ["the <rest>"], answer: "Nothing to change: <few>.")
    ).html()
    let headline = "R\(words.dropFirst()); recommended: schedulable."
    #expect(html.contains("<h1>\(headline)</h1>"))
    #expect(html.contains("<title>scenario: \(headline)</title>"))
    let verdict = try #require(Verdict.all(Self.two.rows).first)
    #expect(
      html.contains(
        "<p class=\"verdict\">Nothing to change: &lt;few&gt;. In the replay: \(verdict.headline) <b class=\"pick\">"
      ))
    #expect(html.contains("<p class=\"note\">Not part of this: the &lt;rest&gt;.</p>"))
  }

  @Test func `each strip shows the main questions, with only dropped frames in red`() throws {
    let html = try page(Self.two)
    #expect(html.contains("<b class=\"problem\">390</b> <small>65 %</small>"))
    #expect(html.contains("<span class=\"one\"><b class=\"problem\">6.5 s</b></span></td>"))
    #expect(html.contains("</span><b class=\"problem\">4</b></td>"))
    #expect(html.contains("<small>50.1 ms lock waits</small><small>245 ms copying</small>"))
    #expect(html.matches(of: /class="problem"/).count == 4)
  }

  @Test func `headings are people's words; the columns' names are their titles`() throws {
    let html = try page(Self.two)
    for (title, name) in [
      ("frames dropped", "dropped_frames, dropped_frames_pct"), ("longest gap", "hitch_max_ms"),
      ("answers late", "responses_late"), ("work left", "items_backlog + items_cancelled"),
      ("price", "lock_wait_ms_total + publish_ms_total + handoff_ms_total + incomplete_frames"),
    ] {
      #expect(html.contains("title=\"\(name)\">\(title)</th>"))
    }
  }

  @Test func `today and the lowest price are marked, and the rule is explained`() throws {
    let html = try page(Self.two)
    #expect(html.contains("main-thread <b class=\"badge\">today</b>"))
    #expect(html.contains("<tr role=\"row\" class=\"pick\">"))
    #expect(html.contains("<summary>How the advice is found</summary>\n<p>\(Verdict.rule)</p>"))
  }

  @Test func `frames dropped by the machine are shown separately`() throws {
    let set = results([
      "expected_frames": [600], "dropped_frames": [5], "drops_machine": [3], "drops_logic": [2],
    ])
    let html = try page(set)
    #expect(html.contains("<b class=\"problem\">2</b>"))
    #expect(html.contains("<small>+ 3 by the machine</small>"))
  }

  @Test func `names cannot leave their place`() throws {
    let hostile = "</title><script>alert(1)</script>\" onload=\"x"
    var set = results(["dropped_frames": [3]], strategy: hostile, changes: hostile)
    set.append(results(["dropped_frames": [1]], strategy: hostile + "2"), from: hostile)
    let html = try ReportPage(
      title: hostile, results: set, workloads: Pages.workloads(), runs: [Pages.runFile],
      frames: try Pages.recorded()
    ).html()
    #expect(html.matches(of: /<script>/).count == 1)
    #expect(!html.contains("onload=\"x"))
    #expect(html.contains("&lt;/title&gt;&lt;script&gt;"))
  }

  @Test func `nothing is loaded from anywhere`() throws {
    let html = try Pages.rich().html()
    for word in ["http:", "https:", "src=", "@import", "url("] { #expect(!html.contains(word)) }
    #expect(html.contains("default-src 'none'"))
  }

  @Test func `each picture says in words what it shows`() throws {
    let html = try Pages.rich().html()
    let pictures = html.split(separator: "role=\"img\"").dropFirst()
    #expect(pictures.count > 5)
    for picture in pictures { #expect(picture.firstMatch(of: /^ aria-label="[^"]{5,}"/) != nil) }
  }

  @Test func `without frames the page says which option records them`() throws {
    #expect(try page(Self.two).contains("--frames DIR/frames.csv</code> records them"))
    let whole = ReportPage(
      title: "t", results: results(["dropped_frames": [2]]), frames: try Pages.recorded())
    #expect(try !whole.html().contains("records them"))
  }

  @Test func `frames of a run that no summary has get a strip too`() throws {
    let html = try ReportPage(
      title: "t", results: ResultSet(rows: [], metrics: []), frames: try Pages.recorded()
    ).html()
    #expect(html.contains("class=\"gap\""))
  }

  /// The run of `Pages.frames` as the repetition called `repetition`.
  private func frames(_ repetition: Int) throws -> RecordedRun {
    let text = Pages.frames.replacing("real,2,1,1", with: "real,2,\(repetition),1")
    return try FramesFile(ByteSource(Array(text.utf8), name: "frames.csv")).runs[0]
  }

  @Test func `the frames of the run that the figures are of are drawn, and of no other`() throws {
    let set = results(["expected_frames": [6, 6, 6], "dropped_frames": [0, 2, 5]])
    let runs = try [frames(1), frames(2)]
    let rows = PageRow.rows(set.rows, among: set.rows)
    #expect(rows.map(\.run?.repetition) == ["2"])
    let html = try ReportPage(title: "t", results: set, frames: runs).html()
    #expect(html.matches(of: /class="gap"/).count == 1)
    #expect(html.contains("<small>the median of 3 runs</small>"))
    let others = try ReportPage(title: "t", results: set, frames: [runs[0]]).html()
    #expect(!others.contains("class=\"gap\""))
  }

  @Test func `an interrupted run does not count, in any part of the page`() throws {
    var set = results(["expected_frames": [180, 72], "dropped_frames": [170, 69]])
    set = ResultSet(
      rows: set.rows.map { row in
        var row = row
        row.status = row.repetition == "2" ? "interrupted" : "complete"
        return row
      }, metrics: set.metrics)
    let html = try page(set)
    #expect(html.contains("170 of 180 frames"))
    #expect(html.contains("</dt><dd><span>schedulable</span> 170</dd>"))
    #expect(html.contains("<small>1 interrupted run does not count</small>"))
    #expect(html.contains("Of schedulable, 1 interrupted run does not count."))
  }

  @Test func `all seeds are named`() throws {
    let set = results(["expected_frames": [60, 60], "dropped_frames": [1, 2]], seeds: [1, 2])
    #expect(try page(set).contains(" · seeds 1 to 2</p>"))
  }

  @Test func `responses of the run file are shown below the strips`() throws {
    var run = HandMadeRun.mainThread
    run.strategy = "schedulable"
    let file = RunFile([run.row()], Circumstances())
    let summary = SummaryCSV.text([run.row()])
    let html = try ReportPage(
      title: "t", results: try ResultSet(ByteSource(Array(summary.utf8), name: "s")), runs: [file]
    ).html()
    // Of nine taps, those while the main thread works for 6.5 s are late.
    #expect(html.matches(of: /<i class="late"/).count == 6)
    #expect(html.matches(of: /<i class="intime"/).count == 3)
    #expect(html.contains("tap late</li>"))
  }

  @Test func `several scenarios have a table of contents`() throws {
    var set = Self.two
    set.append(
      ResultSet(
        rows: set.rows.map { row in
          RunRecord(
            scenario: "another <one>", strategy: row.strategy, options: "", changes: "",
            engine: "virtual", cores: "2", repetition: "1", seed: "1", status: "complete",
            refreshHz: 60, durationMilliseconds: 1000, numbers: row.numbers)
        }, metrics: []), from: "")
    let html = try page(set)
    #expect(html.contains("<h1>t</h1>") && html.contains("<nav aria-label=\"Scenarios\">"))
    #expect(html.contains("<li><a href=\"#s2\">another &lt;one&gt;</a>"))
    #expect(html.contains("<section class=\"chapter\" id=\"s2\">"))
    #expect(try !page(Self.two).contains("<nav"))
  }

  @Test func `of many strategies the ten that differ most are shown, the rest is folded`() throws {
    var set = ResultSet(rows: [], metrics: [])
    for number in 0..<20 {
      // Every other one is like the first.
      let dropped = number % 2 == 0 ? 100.0 : Double(number)
      set.append(
        results(
          [
            "expected_frames": [600], "dropped_frames": [dropped],
            "dropped_frames_pct": [dropped / 6],
          ],
          strategy: "s\(number)"), from: "")
    }
    let rows = PageRow.rows(set.rows, among: set.rows)
    let chosen = RowChoice(rows, most: 10, []).chosen
    #expect(chosen.count == 10 && chosen.contains(0) && chosen == chosen.sorted())
    #expect(chosen.count { $0 % 2 == 1 } >= 8)
    #expect(try page(set).contains("<summary>10 more, which differ less</summary>"))
  }

  @Test func `varied values become small pictures with the same axes`() throws {
    var set = ResultSet(rows: [], metrics: [])
    for value in [200.0, 500, 1000] {
      for (strategy, factor) in [("a", 1.0), ("b", 0.1)] {
        set.append(
          results(
            ["dropped_frames_pct": [value / 100 * factor]], strategy: strategy,
            changes: "workloads.add-file.arrival.once=\(Int(value))"), from: "")
      }
    }
    let html = try page(set)
    #expect(html.contains("Frames dropped over add-file arrival once"))
    #expect(html.matches(of: /<figure class="panel">/).count == 2)
    // Ten of ten at the top; a tenth of it near the bottom of the same height.
    #expect(html.contains("style=\"left:100%;top:0%\" title=\"1000: 10\""))
    #expect(html.contains("style=\"left:100%;top:90%\" title=\"1000: 1\""))
  }

  @Test func `the same runs of two results are side by side`() throws {
    var both = ResultSet(rows: [], metrics: [])
    both.append(results(["dropped_frames": [3]]), from: "before")
    both.append(results(["dropped_frames": [5]]), from: "after")
    let rows = PageRow.rows(both.rows, among: both.rows)
    #expect(rows.map(\.name) == ["before · schedulable", "after · schedulable"])
    let html = try #require(ComparisonSection(rows)).markup("").html
    #expect(html.contains("before → after") && html.contains("</span>3 → 5</td>"))
    #expect(ComparisonSection([rows[0]]) == nil)
  }

  @Test(arguments: [
    (3.0, "No regression: the one gated metric is the same."),
    (5, "Regression: dropped_frames_pct went from 3 to 5 %"),
  ])
  func `a page of two results begins with the words of compare`(_ after: Double, _ words: String)
    throws
  {
    var both = ResultSet(rows: [], metrics: [])
    for (origin, value, changes) in [("before", 3, ""), ("after", after, "x=2")] {
      both.append(
        results(["dropped_frames_pct": [value]], engine: "virtual", changes: changes), from: origin)
    }
    let html = try page(both)
    #expect(html.contains("<p class=\"verdict\">\(words)"))
    #expect(html.contains("compares the unchanged scenario with x=2"))
    #expect(html.contains("<h2>Side by side</h2>") && html.contains("before → after"))
  }

  @Test func `of many notes about two results, all but three are folded`() throws {
    func html(onlyInNew count: Int) throws -> String {
      var both = ResultSet(rows: [], metrics: [])
      both.append(results(["dropped_frames_pct": [3]], engine: "virtual"), from: "before")
      for strategy in ["schedulable"] + (0..<count).map({ "other-\($0)" }) {
        both.append(
          results(["dropped_frames_pct": [3]], engine: "virtual", strategy: strategy),
          from: "after")
      }
      return try page(both)
    }
    #expect(try !html(onlyInNew: 3).contains("more note"))
    #expect(try html(onlyInNew: 5).contains("<summary>2 more notes</summary>"))
    #expect(try html(onlyInNew: 5).matches(of: /only in the new/).count == 5)
  }

  @Test func `predicted and measured results are side by side`() throws {
    var both = results(["dropped_frames": [3]], engine: "virtual")
    both.append(results(["dropped_frames": [5]]), from: "")
    let rows = PageRow.rows(both.rows, among: both.rows)
    let html = try #require(ComparisonSection(rows)).markup("").html
    #expect(html.contains("of both engines: virtual → real") && html.contains("</span>3 → 5</td>"))
  }

  @Test func `every metric is there with its formula, of all workloads too`() throws {
    let html = try Pages.rich().html()
    #expect(
      html.contains("<dt><b>frame_ms_p99</b> ms <span>p99 of E - V(i) over frames</span></dt>"))
    #expect(html.contains("<dd><span>schedulable · real</span> 41</dd>"))
    #expect(html.contains("<dd><span>schedulable · virtual</span> 40</dd>"))
    #expect(html.contains("<summary>Metrics of each workload</summary>"))
    #expect(html.contains("<dd><span>tap &lt;1&gt; · schedulable · real</span> 4</dd>"))
  }

  @Test func `a deadlock is named below the headline`() throws {
    var file = Pages.runFile
    #expect(DeadlockSection(files: [file]).markup.isEmpty)
    file.runs[2].deadlocks = ["threads 'a' & 'b' waited for each other's locks, for ever"]
    let html = DeadlockSection(files: [file]).markup.html
    #expect(html.contains("<li>schedulable: deadlock in 1 of 3 runs, threads 'a' &amp; 'b' waited"))
    #expect(try page(results(["dropped_frames": [3]]), runs: [file]).contains(html))
  }

  @Test func `a row that others disturbed is marked`() throws {
    #expect(
      try page(results(["dropped_frames": [3], "disturbed": [1]])).contains(
        "processors\">disturbed</b>")
    )
    #expect(
      try !page(results(["dropped_frames": [3], "disturbed": [0]])).contains(
        "processors\">disturbed</b>"))
  }

  @Test func `the page says how it was measured, and what speaks against it first`() throws {
    #expect(
      CircumstanceSection.facts(Pages.runFile).map { "\($0.name): \($0.value)" } == [
        "command: framebudget run 'it'\\''s <here>' --repeat 3", "started: 2026-01-02T03:04:05Z",
        "framebudget: 0.1.0", "Swift: 6.3", "build: release", "seed: 18446744073709551615",
        "kernel: 6.1", "online cores: 2", "load before: 1.25", "load after: 2",
        "stolen by the hypervisor: 0.5 %", "used by other processes: 40 %",
        "nice values of main-thread: main 0", "nice values of schedulable: main 0, files 10",
      ])
    let html = try Pages.rich().html()
    #expect(html.contains("<th scope=\"row\">kernel</th><td>6.1</td>"))
    #expect(html.contains("it'\\''s &lt;here&gt;"))
    let warning = try #require(html.firstRange(of: "<li>other processes used 40 % &amp; more</li>"))
    let table = try #require(html.firstRange(of: "<table class=\"strips"))
    #expect(warning.lowerBound < table.lowerBound)
  }

  @Test func `a distribution goes up to the longest frame`() throws {
    var row = try #require(PageRow.rows(results(["dropped_frames": [2]]).rows, among: []).first)
    row.frames = try Pages.recorded().first
    let panels = try #require(FrameDistribution([row])).panels
    #expect(panels.x.ticks.map(panels.x.tickText) == ["0", "90"])
    let points = panels.curves[0].points.map(\.y.value)
    #expect(points.first == 8 && points.last == 40)
  }
}
