import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `A sweep` {
  @Test func `has the same bytes on one core and on several`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("one"), "--jobs", "1").status == .success)
    #expect(try sweep.run("-o", sweep.path("two"), "--jobs", "2").status == .success)
    #expect(try sweep.run("-o", sweep.path("many"), "--jobs", "7").status == .success)
    let one = sweep.content(of: "one")
    #expect(!one.contains(nil))
    #expect(one == sweep.content(of: "two"))
    #expect(one == sweep.content(of: "many"))
    #expect(one[0]?.split(separator: "\n").count == 1 + SweepFixture.runs)
  }

  @Test func `has its rows in one order: what is varied, strategy; the last varied turns fastest`()
    throws
  {
    let sweep = try SweepFixture()
    let run = try sweep.run("--format", "csv")
    let rows = run.output.split(separator: "\n").dropFirst().map { row in
      row.split(separator: ",", omittingEmptySubsequences: false)
    }
    let load = "workloads.add-file.arrival.once"
    var expected: [[String]] = []
    for count in [20, 60, 100] {
      for render in ["4 ms", "8 ms"] {
        for seed in 1...3 {
          for strategy in ["main-thread", "schedulable"] {
            expected.append([strategy, "\(load)=\(count);display.render=\(render)", "\(seed)"])
          }
        }
      }
    }
    #expect(rows.map { [String($0[2]), String($0[4]), String($0[8])] } == expected)
  }

  @Test func `prints what it writes`() throws {
    let sweep = try SweepFixture()
    let run = try sweep.run("--format", "csv", "-o", sweep.path("out"))
    #expect(run.output == sweep.rows(in: "out")[0])
    #expect(
      sweep.scratch.names(in: "out") == ["run.json", "summary.csv", "sweep.json", "workloads.csv"])
  }

  @Test func `resumes from any part that a killed process left, to the same bytes`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("whole")).status == .success)
    let whole = sweep.content(of: "whole")
    let runs = sweep.runs(of: "whole")
    #expect(runs.count { $0.contains("\"status\": \"complete\"") } == SweepFixture.runs)
    let sizes = try sweep.rows(in: "whole").map { try #require($0).utf8.count }
    for (number, share) in [0, 0.001, 0.3, 0.5, 0.77, 0.999, 1].enumerated() {
      let folder = "part\(number)"
      try FileManager.default.copyItem(atPath: sweep.path("whole"), toPath: sweep.path(folder))
      // Workloads are written first, so there is never less of them.
      try sweep.interrupt(
        folder, summary: Int(Double(sizes[0]) * share),
        workloads: min(sizes[1], Int(Double(sizes[1]) * share) + 400))
      let resumed = try sweep.run("-o", sweep.path(folder), "--resume", "--format", "csv")
      #expect(resumed.status == .success, "\(resumed.diagnostics)")
      #expect(sweep.content(of: folder) == whole, "\(share)")
      #expect(sweep.runs(of: folder) == runs, "\(share)")
      #expect(resumed.output == whole[0], "\(share)")
    }
  }

  @Test func `shows the whole sweep after it is resumed`() throws {
    let sweep = try SweepFixture()
    let whole = try sweep.run("-o", sweep.path("out"))
    try sweep.interrupt("out", summary: 3000, workloads: 3000)
    let resumed = try sweep.run("-o", sweep.path("out"), "--resume")
    #expect(resumed.status == .success)
    #expect(!whole.output.isEmpty && resumed.output == whole.output)
  }

  @Test func `keeps others away while it is written, and says so`() throws {
    let sweep = try SweepFixture()
    try FileManager.default.createDirectory(
      atPath: sweep.path("out"), withIntermediateDirectories: true)
    var growing: GrowingFile? = try GrowingFile("summary.csv", in: sweep.path("out"))
    try growing?.append(Array("row\n".utf8), after: "header\n")
    for other in [
      try sweep.run("-o", sweep.path("out")), try sweep.run("-o", sweep.path("out"), "--resume"),
      try sweep.run(["-o", sweep.path("out")], flags: []),
    ] {
      #expect(other.status == .cannotCreate)
      #expect(other.diagnostics.contains("another run is writing it; wait for it"))
      #expect(!other.diagnostics.contains("move it away"))
    }
    growing = nil
    #expect(sweep.scratch.names(in: "out") == ["summary.csv.partial"])
  }

  @Test func `does not repeat finished rows`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    let rows = try #require(sweep.rows(in: "out")[0])
    try sweep.interrupt("out", summary: rows.utf8.count * 2 / 3, workloads: .max)
    let partial = try #require(sweep.scratch.text("out/summary.csv.partial"))
    // A process keeps existing rows, even these.
    try sweep.scratch.write(
      partial.replacing(",complete,", with: ",invalid,"), to: "out/summary.csv.partial")
    #expect(try sweep.run("-o", sweep.path("out"), "--resume").status == .success)
    let resumed = try #require(sweep.rows(in: "out")[0])
    #expect(resumed.contains(",invalid,") && resumed.contains(",complete,"))
  }

  @Test func `with unreadable rows is not resumed`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    let rows = try #require(sweep.rows(in: "out")[0])
    try sweep.interrupt("out", summary: rows.utf8.count / 2, workloads: 1 << 30)
    let half = try #require(sweep.scratch.text("out/summary.csv.partial"))
    let damaged = half.replacing(",complete,", with: ",ended,", maxReplacements: 1)
    #expect(damaged != half)
    try sweep.scratch.write(damaged, to: "out/summary.csv.partial")
    let resumed = try sweep.run("-o", sweep.path("out"), "--resume")
    #expect(resumed.status == .badInput)
    #expect(resumed.diagnostics.contains("out/summary.csv.partial:2: 'ended' in column"))
    #expect(sweep.scratch.names(in: "out").contains("sweep.json.partial"))
  }

  /// After a crash of the machine, or on a full disk, either file may end anywhere.
  @Test(arguments: 0..<12)
  func `resumes to the same bytes whichever lines of either file are lost`(_ case: Int) throws {
    let sweep = try SweepFixture(TwoWorkloads.text)
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    let whole = sweep.content(of: "out")
    let sizes = try sweep.rows(in: "out").map { try #require($0).utf8.count }
    var random = RandomNumbers(seed: UInt64(`case`))
    try sweep.interrupt(
      "out", summary: random.next(below: sizes[0] + 1),
      workloads: random.next(below: sizes[1] + 1))
    #expect(try sweep.run("-o", sweep.path("out"), "--resume").status == .success)
    #expect(sweep.content(of: "out") == whole)
  }

  @Test func `whose workloads were lost is not certified, whatever is in the middle`() throws {
    let sweep = try SweepFixture(TwoWorkloads.text)
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    let whole = sweep.content(of: "out")
    try sweep.interrupt("out", summary: .max, workloads: .max)
    let file = "out/workloads.csv.partial"
    var lines = try #require(sweep.scratch.text(file)).split(separator: "\n")
    lines.remove(at: 9)
    try sweep.scratch.write(lines.joined(separator: "\n") + "\n", to: file)
    #expect(try sweep.run("-o", sweep.path("out"), "--resume").status == .success)
    #expect(sweep.content(of: "out") == whole)
  }

  @Test func `does not take the seeds.csv of other runs for its own`() throws {
    let sweep = try SweepFixture()
    let made = { (options: [String]) in try sweep.run(["-o", sweep.path("out")] + options) }
    try FileManager.default.createDirectory(
      atPath: sweep.path("out"), withIntermediateDirectories: true)
    try sweep.scratch.write("schema,seeds\n4,of others\n", to: "out/seeds.csv")
    for options in [["--summary"], ["--summary", "--resume"], [], ["--resume"]] {
      let refused = try made(options)
      #expect(refused.status == .cannotCreate, "\(options)")
      #expect(refused.diagnostics.contains("seeds.csv exists already"))
    }
    try FileManager.default.removeItem(atPath: sweep.path("out/seeds.csv"))
    let first = try made(["--summary", "--format", "csv"])
    #expect(first.status == .success)
    let again = try made(["--summary", "--resume", "--format", "csv"])
    #expect(again.status == .success && again.output == first.output)
    let own = try #require(sweep.scratch.text("out/seeds.csv"))
    for other in [own + "4,more\n", own.replacing("short", with: "other"), "\n"] {
      try sweep.scratch.write(other, to: "out/seeds.csv")
      for format in ["csv", "table"] {
        let refused = try made(["--summary", "--resume", "--format", format])
        #expect(refused.status == .badInput)
        #expect(refused.output == "")
        #expect(refused.diagnostics.contains("is not of the runs beside it"))
      }
    }
  }

  @Test(arguments: [
    (["--vary", "seed=1,01"], "seed"), (["--vary", "display.render=4 ms,4000 us"], "render"),
    (["--vary", "display.refresh=60 Hz,90 Hz,60.0 Hz"], "refresh"),
    (
      [
        "--vary", "workloads.add-file.arrival.once=10,20", "--vary",
        "workloads.0.arrival.once=30,40",
      ],
      "workloads.add-file.arrival.once: 10 and 20"
    ),
    (
      [
        "--vary", "workloads.add-file.arrival.once=1..20", "--vary",
        "workloads.0.arrival.once=3..4",
      ],
      "make the same runs"
    ),
  ])
  func `refuses values that make the same runs`(_ vary: [String], _ words: String) throws {
    let sweep = try SweepFixture()
    for engine in [[], ["--trace", sweep.path("t.json")]] {
      let refused = try sweep.run(vary + engine, flags: [])
      #expect(refused.status == .usage, "\(vary)")
      #expect(
        refused.diagnostics.replacing("\n", with: " ").contains(words), "\(refused.diagnostics)")
      #expect(refused.diagnostics.contains("make the same runs"))
    }
  }

  @Test func `has the number of its shard in place of a mark in -o`() throws {
    let sweep = try SweepFixture()
    for number in [1, 2] {
      let made = try sweep.run("-o", sweep.path("shards/{}"), "--shard", "\(number)/2")
      #expect(made.status == .success)
    }
    #expect(sweep.scratch.names(in: "shards") == ["1", "2"])
    #expect(try sweep.run("-o", sweep.path("{}")).status == .success)
    #expect(sweep.scratch.names(in: "{}").contains("summary.csv"))
  }

  @Test func `that is whole is left alone by --resume`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("out"), "--resume").status == .success)
    let before = sweep.content(of: "out")
    let again = try sweep.run("-o", sweep.path("out"), "--resume", "--format", "csv")
    #expect(again.status == .success)
    #expect(again.output == before[0])
    #expect(sweep.content(of: "out") == before)
    #expect(try sweep.run("-o", sweep.path("out")).status == .cannotCreate)
  }

  @Test func `that is unfinished is refused without --resume, which is named`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    try sweep.interrupt("out", summary: 3000, workloads: 3000)
    let refused = try sweep.run("-o", sweep.path("out"))
    #expect(refused.status == .cannotCreate)
    #expect(refused.diagnostics.contains("--resume"))
    #expect(sweep.scratch.text("out/summary.csv.partial")?.utf8.count == 3000)
  }

  @Test(arguments: [
    (["--duration", "2 s"], "other options"),
    (["--strategy", "main-thread"], "other options"), (["--shard", "1/2"], "shard 1/1"),
    (["--repeat", "2"], "other options"), (["--cores", "3"], "other options"),
  ])
  func `does not resume rows of other options`(_ more: [String], _ words: String) throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    try sweep.interrupt("out", summary: 3000, workloads: 3000)
    let foreign = try sweep.run(["-o", sweep.path("out"), "--resume"] + more)
    #expect(foreign.status == .badInput)
    #expect(foreign.diagnostics.contains(words), "\(foreign.diagnostics)")
    #expect(sweep.scratch.text("out/summary.csv.partial")?.utf8.count == 3000)
  }

  @Test func `does not resume rows of another scenario or version`() throws {
    let sweep = try SweepFixture()
    #expect(try sweep.run("-o", sweep.path("out")).status == .success)
    try sweep.interrupt("out", summary: 3000, workloads: 3000)
    let manifest = try #require(sweep.scratch.text("out/sweep.json.partial"))
    let version = "\"framebudget\": \"\(FrameBudgetTool.version)\""
    #expect(manifest.contains(version))
    try sweep.scratch.write(
      manifest.replacing(version, with: "\"framebudget\": \"0.1\""), to: "out/sweep.json.partial")
    #expect(try sweep.run("-o", sweep.path("out"), "--resume").status == .badInput)
    try sweep.scratch.write(manifest, to: "out/sweep.json.partial")
    let text = try #require(sweep.scratch.text("s.yaml"))
    try sweep.scratch.write(text + "# another\n", to: "s.yaml")
    #expect(try sweep.run("-o", sweep.path("out"), "--resume").status == .badInput)
  }

  @Test(arguments: [
    (["--jobs", "0"], "--jobs"), (["--shard", "0/4", "-o", "x"], "I from 1 to N"),
    (["--shard", "5/4", "-o", "x"], "I from 1 to N"), (["--shard", "1/4"], "needs -o"),
    (["--shard", "auto", "-o", "x"], "Slurm"), (["--resume"], "needs -o"),
    (["--seed", "4"], "contradict each other"), (["--resume", "--frames", "f"], "for sweeps"),
    (["--vary", "workloads.tap.arrival.once=1..2"], "add-file"),
    (["--vary", "display.refresh=60 Hz,60 parsec"], "parsec"),
    (["--vary", "workloads.add-file.steps.0.cpu=1..1000000 ns"], "--yes"),
    (["--vary", "workloads.add-file.steps.0.wait=1..1000 ms"], "--format csv"),
  ])
  func `reports invalid variations before it starts`(_ more: [String], _ words: String) throws {
    let sweep = try SweepFixture()
    let refused = try sweep.run(more)
    #expect(refused.status == .usage, "\(refused.diagnostics)")
    #expect(refused.diagnostics.contains(words), "\(refused.diagnostics)")
    #expect(refused.output == "")
    #expect(sweep.scratch.names() == ["s.yaml"])
  }

  @Test func `of options of strategies takes those of the list and those of --strategy`() throws {
    let sweep = try SweepFixture(
      ShortScenario.text.replacing("[main-thread, schedulable]", with: "[main-thread, throttled]"))
    let vary = ["--format", "csv", "--vary", "strategies.throttled.batch=10,20"]
    let expected = ["", "batch=10;interval=5 s", "", "batch=20;interval=5 s"]
    let listed = try sweep.run(vary, flags: [])
    #expect(listed.diagnostics == "")
    let rows = listed.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(
      rows.map { String($0[3]).split(separator: ";").first }
        == expected.map { $0.split(separator: ";").first })
    let named = try sweep.run(vary + ["--strategy", "main-thread,throttled"], flags: [])
    #expect(named.output == listed.output)
    let other = try sweep.run(vary + ["--strategy", "main-thread"], flags: [])
    #expect(other.status == .usage)
    #expect(other.diagnostics.contains("does not name throttled"))
  }
}

/// A scenario with several rows of workloads for each run.
private enum TwoWorkloads {
  static let text = ShortScenario.text.replacing(
    "strategies:",
    with: """
        - name: tap
          arrival: {every: 200 ms, start: 150 ms}
          steps: [{service: files, cpu: 1 ms}]
      strategies:
      """)
}
