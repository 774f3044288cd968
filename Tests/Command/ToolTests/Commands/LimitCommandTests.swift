import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `framebudget limit` {
  private func limit(
    _ flags: String..., scenario: String = ShortScenario.text
  ) throws -> Performed {
    let scratch = try Scratch()
    try scratch.write(scenario, to: "short.yaml")
    return try Performed(["limit", scratch.path("short.yaml")] + flags)
  }

  /// The fields of each row by their names in the header.
  private func rows(_ csv: String) -> [[String: String]] {
    let lines = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(zip(lines[0], $0)) { first, _ in first } }
  }

  @Test func `finds how many files fit into a frame, and how many into the run`() throws {
    let limit = try limit("--format", "csv")
    #expect(limit.status == .success)
    let rows = rows(limit.output)
    // 16.6 ms less 5 ms of drawing are five files of 2 ms; 900 ms after the start are 450 less
    // hand-offs, and less the eight of the last period, which no vsync shows.
    #expect(rows.map { $0["strategy"] } == ["main-thread", "schedulable"])
    #expect(rows.map { $0["largest"] } == ["5", "441"])
    #expect(rows.map { $0["ended_at"] } == ["6", "442"])
    #expect(rows.map { $0["ended_by"] } == ["dropped_frames", "unfinished"])
    #expect(rows.allSatisfy { $0["path"] == "workloads.add-file.arrival.once" })
    #expect(rows.allSatisfy { $0["engine"] == "virtual" && $0["cores"] == "2" })
    #expect(limit.diagnostics == "")
  }

  @Test func `begins with an item for each copy, under the name that the file has`() throws {
    let limit = try Performed(
      "limit", "many-services", "--strategy", "schedulable", "--set", "workloads.sync.copies=200",
      "--format", "csv")
    #expect(limit.status == .success, "\(limit.diagnostics)")
    let rows = rows(limit.output)
    #expect(rows.map { $0["path"] } == ["workloads.sync.arrival.once"])
    // 4.5 s after the arrival are 1956 items of 2.3 ms, less hand-offs and copying.
    let largest = rows.first?["largest"].flatMap { Int($0) } ?? 0
    #expect((1900...1956).contains(largest), "\(largest)")
  }

  /// The question behind the article's constants.
  @Test func `finds the limit of camera-upload, which both neighbouring loads confirm`() throws {
    let limit = try Performed("limit", "camera-upload", "--format", "csv")
    #expect(limit.status == .success)
    let shipped = try #require(ShippedScenarios.scenario("camera-upload"))
    let rows = rows(limit.output)
    // 16.6 ms less 10.02 ms of drawing and reading are two files of 2.6 ms: the article says three.
    // Whole files in slices are two a frame in 540 frames; a second core does one every 2.6 ms for 9 s.
    #expect(rows.map { $0["largest"] } == ["2", "2", "1080", "3454", "215", "3329"])
    #expect(rows.map { $0["ended_by"] }.allSatisfy { $0 != "" })
    for (index, row) in rows.enumerated() {
      let largest = try #require(row["largest"].flatMap { Int($0) })
      for (load, isBorne) in [(largest, true), (largest + 1, false)] {
        let scenario = try ScenarioFile.parse(
          shipped.bytes, file: shipped.file,
          overrides: [Override(path: "workloads.add-file.arrival.once", value: String(load))])
        let log = VirtualEngine().run(RunPlan(scenario, under: scenario.strategies[index]))
        #expect((Overload.of(RunMetrics(log)) == nil) == isBorne)
      }
    }
  }

  @Test func `takes a seed, a duration and repetitions, each found in the result`() throws {
    let limit = try limit(
      "--seed", "7", "--duration", "500 ms", "--repeat", "2", "--format", "csv")
    let rows = rows(limit.output)
    #expect(
      rows.map { $0["strategy"] } == ["main-thread", "schedulable", "main-thread", "schedulable"])
    // The last that has a value, behind reasons that have commas, and before the mark of an interruption.
    let last = limit.output.split(separator: "\n").compactMap {
      $0.split(separator: ",").dropLast().last
    }
    #expect(last.dropFirst() == ["1", "1", "2", "2"])
    #expect(rows.allSatisfy { $0["seed"] == "7" && $0["duration_ms"] == "500" })
    // 400 ms after the start are 200 files of 2 ms less hand-offs, and less the eight of the last period.
    #expect(rows.map { $0["largest"] } == ["5", "191", "5", "191"])
    let wrong = try self.limit("--duration", "soon")
    #expect(wrong.status == .usage && wrong.diagnostics.contains("--duration soon"))
  }

  @Test func `writes limit.csv and run.json, of which a report makes a section`() throws {
    let scratch = try Scratch()
    let folder = scratch.path("limit")
    let limit = try limit("-o", folder, "--format", "csv")
    #expect(limit.status == .success)
    #expect(limit.diagnostics == "framebudget: limit.csv and run.json are in \(folder)\n")
    #expect(scratch.names(in: "limit") == ["limit.csv", "run.json"])
    #expect(scratch.text("limit/limit.csv") == limit.output)
    #expect(scratch.text("limit/run.json")?.contains("\"limits\": [") == true)
    let again = try self.limit("-o", folder)
    #expect(again.status == .cannotCreate && again.output == "")
    let page = try Performed("report", folder)
    #expect(page.status == .success, "\(page.diagnostics)")
    for text in [
      "<h2>Largest loads</h2>", "<b>441</b> then work is left undone after 1 s",
      "<p class=\"kicker\">short · 60 Hz, 1 s · virtual engine, 2 cores · seed 1</p>",
      "<summary>How it was measured</summary>",
    ] {
      #expect(page.output.contains(text), "\(text)")
    }
    #expect(!page.output.contains("<table class=\"strips"))
  }

  @Test func `says in words what ended it`() throws {
    let limit = try limit()
    #expect(
      limit.output.replacing("\n", with: " ").hasPrefix(
        "schedulable sustains 441 (at 442, work is left undone after 1 s) and "))
    #expect(limit.output.contains("\n\nshort: 60 Hz, 1 s, seed 1; virtual engine, 2 cores\n"))
    #expect(limit.output.contains("- main-thread: at 6, 1 dropped frame, mostly by logic\n"))
    #expect(limit.output.contains("- schedulable: at 442, 1 of add-file not shown"))
    #expect(limit.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `varies what it is told to, with its unit`() throws {
    let path = "workloads.add-file.steps.0.cpu"
    let limit = try limit(
      "--vary", "\(path)=1..50 ms", "--set", "workloads.add-file.arrival.once=1", "--strategy",
      "main-thread", "--format", "csv")
    let row = try #require(rows(limit.output).first)
    #expect(row["path"] == path)
    #expect(row["largest"] == "11")
    #expect(row["changes"] == "workloads.add-file.arrival.once=1")
    #expect(row["from"] == "1" && row["to"] == "50")
  }

  @Test func `varies a rate by default where the first workload has one`() throws {
    let rate = try limit(
      "--format", "csv", scenario: ShortScenario.text.replacing("once: 100", with: "rate: 10/s"))
    #expect(rate.status == .success)
    #expect(rows(rate.output).first?["path"] == "workloads.add-file.arrival.rate")
    let batch = try limit(
      "--format", "csv",
      scenario: ShortScenario.text.replacing("once: 100", with: "every: 500 ms"))
    #expect(rows(batch.output).first?["path"] == "workloads.add-file.arrival.batch")
    #expect(rows(batch.output).first?["largest"] == "5")
  }

  @Test func `reports that no load, or every load, is sustained`() throws {
    let path = "workloads.add-file.arrival.once"
    let none = try limit("--vary", "\(path)=6..9", "--strategy", "main-thread")
    #expect(none.status == .success)
    #expect(none.output.contains("none"))
    let all = try limit("--vary", "\(path)=1..4", "--strategy", "main-thread")
    #expect(all.output.contains("sustains every load up to 4"))
    let csv = try limit(
      "--vary", "\(path)=1..4", "--strategy", "main-thread", "--format", "csv")
    #expect(rows(csv.output).first?["ended_by"] == "")
  }

  @Test func `gives the same bytes again, in every format`() throws {
    for format in ["table", "csv", "json"] {
      let first = try limit("--format", format)
      #expect(first.status == .success)
      #expect(try limit("--format", format).output == first.output)
    }
    #expect(try limit("--format", "json").output.contains("\"largest\": 441,"))
  }

  @Test(arguments: [
    (["--vary", "nonsense"], "PATH=A..B"), (["--vary", "a.b=1,2"], "not a range"),
    (["--vary", "workloads.ad-file.arrival.once=1..9"], "did you mean 'add-file'?"),
    (["--vary", "workloads.add-file.arrival.once=0..9"], "from 1 to"),
    (["--vary", "workloads.add-file.arrival.once=1..2000000"], "from 1 to"),
    (["--vary", "seed=1..2", "--vary", "seed=1..2"], "--vary can be given once"),
    (["--strategy", "main-tread"], "did you mean 'main-thread'?"), (["--cores", "0"], "--cores"),
    (["--cores", "2", "--engine", "real"], "virtual engine"), (["--engine", "fast"], "fast"),
    (["--format", "xml"], "xml"),
  ])
  func `calls wrong usage by its name`(_ flags: [String], _ word: String) throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let limit = try Performed(["limit", scratch.path("short.yaml")] + flags)
    #expect(limit.status == .usage)
    #expect(limit.output == "")
    #expect(limit.diagnostics.contains(word), "\(limit.diagnostics)")
    #expect(limit.diagnostics.split(separator: "\n").count == 1)
  }

  @Test func `requires the load if the scenario has no number for it`() throws {
    let text = ShortScenario.text.replacing("once: 100, start: 100 ms", with: "at: [1 ms, 2 ms]")
    let limit = try limit(scenario: text)
    #expect(limit.status == .usage)
    #expect(limit.diagnostics.contains("--vary PATH=A..B"))
  }
}
