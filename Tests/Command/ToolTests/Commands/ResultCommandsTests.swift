import Foundation
import FrameBudget
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// `compare`, `report` and `import`, from the command line to the exit status.
struct ResultCommandsTests {
  /// A folder with the results of the short scenario under `settings`.
  static func run(_ name: String, in scratch: Scratch, _ settings: String...) throws {
    try scratch.write(ShortScenario.text, to: "\(name).yaml")
    let performed = try Performed(
      [
        "run", scratch.path("\(name).yaml"), "--engine", "virtual", "--quiet", "-o",
        scratch.path(name),
      ]
        + ["--frames", scratch.path("\(name)-frames.csv")] + settings)
    try #require(performed.status == .success, "\(performed.diagnostics)")
  }

  @Test func `equal virtual results hold, worse ones fail`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    try Self.run("slow", in: scratch, "--set", "workloads.add-file.steps.0.cpu=4 ms")
    let same = try Performed("compare", scratch.path("base"), scratch.path("base"))
    #expect(same.status == .success)
    #expect(same.output.contains("No regression"))
    let worse = try Performed("compare", scratch.path("base"), scratch.path("slow"))
    #expect(worse.status == .failed)
    #expect(worse.output.contains("Regression"))
    #expect(worse.diagnostics.contains("compares the unchanged scenario with"))
    let loose = try Performed(
      "compare", scratch.path("base"), scratch.path("slow"), "--gate", "dropped_frames=100000")
    #expect(loose.status == .success)
  }

  @Test func `a comparison says whether the difference is within the range of a prediction`() throws
  {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.edge, to: "edge.yaml")
    func result(_ name: String, _ flags: String...) throws -> String {
      let folder = scratch.path(name)
      let run = try Performed(
        ["run", scratch.path("edge.yaml"), "--engine", "virtual", "-q", "-o", folder] + flags)
      #expect(run.status == .success)
      return folder
    }
    let base = try result("base")
    let other = try result("other", "--set", "display.render=16.7 ms")
    let compared = try Performed("compare", base, other, "-q")
    #expect(compared.status == .failed)
    // Of two results with the same costs, the verdict holds all the same.
    #expect(
      compared.output.contains(
        "; the difference is within that range, but counts, because both sides have the same costs: it is worse"
      ))
    let exact = try result("exact", "--no-range")
    let same = try Performed("compare", exact, exact, "-q")
    #expect(!same.output.contains("higher"))
    let csv = try Performed("compare", base, other, "-q", "--format", "csv").output
    let header = try #require(csv.split(separator: "\n").first)
    #expect(header.hasSuffix(",counts_from,passes_up_to,base_low,base_high,new_low,new_high"))
  }

  @Test func `an impossible comparison has its own exit status`() throws {
    let scratch = try Scratch()
    try scratch.write("a,b\n", to: "other.csv")
    try scratch.write("frame_ms_p98\n", to: "gates")
    try Self.run("base", in: scratch)
    let (base, other) = (scratch.path("base"), scratch.path("other.csv"))
    #expect(try Performed("compare", base, other).status == .badInput)
    let none = try Performed("compare", scratch.path("none"), base)
    #expect(none.status == .noInput)
    #expect(none.diagnostics.contains("framebudget run SCENARIO -o"))
    #expect(try Performed("compare", base, scratch.path("none")).status == .noInput)
    #expect(try Performed("compare", base, base, "--gate", "fps").status == .usage)
    #expect(
      try Performed("compare", base, base, "--gates", scratch.path("gates")).status == .badInput)
    #expect(try Performed("compare", base, base, "--show", "fps").status == .usage)
  }

  @Test func `for git bisect an undecided result, or none, has the status that skips a commit`()
    throws
  {
    let scratch = try Scratch()
    for (name, cost) in [("base", "2 ms"), ("slow", "4 ms")] {
      try Self.run(name, in: scratch, "--set", "workloads.add-file.steps.0.cpu=\(cost)")
      // One measured run on each side decides nothing.
      let text = try #require(scratch.text("\(name)/summary.csv"))
      try scratch.write(text.replacing(",virtual,", with: ",real,"), to: "\(name).csv")
    }
    func compare(_ base: String, _ new: String, _ more: String...) throws -> Performed {
      try Performed(["compare", scratch.path(base), scratch.path(new)] + more)
    }
    #expect(try compare("base.csv", "slow.csv").status == .inconclusive)
    #expect(try compare("base.csv", "slow.csv", "--skip-undecided").status == .skipped)
    #expect(try compare("base.csv", "none", "--skip-undecided").status == .skipped)
    // What was renamed cannot be compared.
    let text = try #require(scratch.text("base/summary.csv"))
    for (name, renamed, status) in [
      (
        "strategy.csv", text.replacing(",main-thread,", with: ",actors,"),
        FrameBudgetCLI.ExitStatus.inconclusive
      ),
      ("all.csv", text.replacing(",short,", with: ",long,"), .badInput),
    ] {
      try scratch.write(renamed, to: name)
      let said = try compare("base/summary.csv", name, "-q")
      #expect(said.status == status)
      #expect(try compare("base/summary.csv", name, "--skip-undecided").status == .skipped)
      #expect(said.output.contains("the new result lacks main-thread") == (status == .inconclusive))
    }
    #expect(try compare("base", "slow", "--skip-undecided").status == .failed)
    #expect(try compare("base", "base", "--skip-undecided").status == .success)
  }

  /// Git takes each status from 1 to 127, except for 125, for a commit that is worse.
  @Test func `for git bisect an error that is not the commit's ends the search`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    try scratch.write("a,b\n", to: "broken.csv")
    let base = scratch.path("base")
    for (words, status) in [
      ([scratch.path("none"), base], FrameBudgetCLI.ExitStatus.noInput),
      ([scratch.path("broken.csv"), base], .badInput),
      ([scratch.path("none"), scratch.path("none")], .noInput),
      ([base, base, "-o", scratch.path("broken.csv")], .cannotCreate),
      ([base, base, "-o", scratch.path("none/at/all")], .cannotCreate),
      ([base, base, "--gate", "frame_ms_p99=10%,frame_ms_p99=1"], .usage),
      ([base, base, "--gate", "fps"], .usage), ([base, base, "--show", "fps"], .usage),
      ([base, base, "--gates", scratch.path("none")], .noInput),
      ([base, base, "--wrong"], .usage), ([base], .usage),
    ] {
      #expect(try Performed(["compare"] + words).status == status, "\(words)")
      let searched = try Performed(["compare", "--skip-undecided"] + words)
      #expect(searched.status == .stopped, "\(words)")
      #expect(searched.status.rawValue >= 128 && !searched.diagnostics.isEmpty)
    }
  }

  @Test func `a trace beside a result, or named, becomes a lane per thread`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch, "--trace", scratch.path("named.json"))
    try Self.run("beside", in: scratch, "--trace", scratch.path("beside/trace.json"))
    let picture = "<figure class=\"threads worst\"><figcaption>main-thread</figcaption>"
    let plain = try Performed("report", scratch.path("base"))
    #expect(plain.status == .success && !plain.output.contains(picture))
    #expect(try Performed("report", scratch.path("beside")).output.contains(picture))
    let named = try Performed("report", scratch.path("base"), scratch.path("named.json"))
    #expect(named.output.contains(picture))
    let alone = try Performed("report", scratch.path("named.json"))
    #expect(alone.status == .badInput)
    #expect(alone.diagnostics.contains("none of these is a summary.csv"))
    // It is not read before that is said.
    try scratch.write("{\"traceEvents\": [", to: "cut.json")
    let cut = try Performed("report", scratch.path("cut.json"))
    #expect(cut.diagnostics.contains("none of these is a summary.csv"))
  }

  @Test func `a report is written once`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    let arguments = [
      "report", scratch.path("base"), scratch.path("base-frames.csv"), "-o",
      scratch.path("page.html"),
    ]
    #expect(try Performed(arguments).status == .success)
    let page = try #require(scratch.text("page.html"))
    #expect(page.contains("class=\"gap\"") && page.contains("Drawn from the phases of the frames"))
    #expect(try Performed(arguments).status == .cannotCreate)
    #expect(try Performed("report", scratch.path("base-frames.csv")).status == .badInput)
  }

  @Test func `a report includes the files beside a summary, and distinguishes two results`() throws
  {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    try Self.run("again", in: scratch)
    let page = try Performed("report", scratch.path("base")).output
    for text in [
      "<summary>Metrics of each workload</summary>", "<span>add-file · main-thread</span>",
      "<summary>How it was measured</summary>",
      "<th scope=\"row\">command</th><td>framebudget ",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let again = try Performed("report", scratch.path("base"), scratch.path("again")).output
    #expect(again.contains("main-thread<small>\(scratch.path("base"))</small>"))
    // A workloads.csv or frames alone give no page, but complete one.
    let workloads = scratch.path("base/workloads.csv")
    #expect(try Performed("report", workloads).status == .badInput)
    #expect(
      try Performed("report", scratch.path("base/summary.csv"), workloads).status == .success)
  }

  @Test func `a broken file beside a summary ends the report in one line`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    let text = try #require(scratch.text("base/run.json"))
    try scratch.write(String(text.prefix(900)), to: "run.json")
    try scratch.write(try #require(scratch.text("base/summary.csv")), to: "summary.csv")
    let performed = try Performed("report", scratch.path("summary.csv"))
    #expect(performed.status == .badInput)
    #expect(performed.output.isEmpty)
    #expect(performed.diagnostics.contains("/run.json:"))
    #expect(performed.diagnostics.split(separator: "\n").count == 1)
  }

  @Test func `an import of our own frames drops what the run dropped, and can be compared`() throws
  {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    let imported = try Performed("import", scratch.path("base-frames.csv"), "--format", "csv")
    #expect(imported.status == .success)
    try scratch.write(imported.output, to: "imported.csv")
    let show = ["--gate", "dropped_frames", "--format", "csv"]
    let compared = try Performed(
      ["compare", scratch.path("imported.csv"), scratch.path("imported.csv")] + show)
    let run = try Performed(["compare", scratch.path("base"), scratch.path("base")] + show)
    func drops(_ text: String) -> [Substring] {
      text.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[5] }
    }
    #expect(drops(compared.output) == drops(run.output))
    #expect(!drops(run.output).isEmpty)
    #expect(compared.status == .inconclusive)
  }

  @Test func `a log that is none ends in one line and status 65`() throws {
    let empty = try Performed(["import", "-"], input: "")
    #expect(empty.status == .badInput || empty.status == .noInput)
    let scratch = try Scratch()
    try scratch.write("hello\n", to: "log")
    let performed = try Performed("import", scratch.path("log"))
    #expect(performed.status == .badInput)
    #expect(performed.output.isEmpty)
    #expect(performed.diagnostics.split(separator: "\n").count == 1)
    for rate in ["0", "-60", "x", "60 fps"] {
      #expect(try Performed("import", scratch.path("log"), "--hz", rate).status == .usage)
    }
  }

  @Test(arguments: ["60", "60.0", "60 Hz", "60Hz"])
  func `a refresh rate is written with its unit, as in a scenario, or without`(_ rate: String)
    throws
  {
    let scratch = try Scratch()
    try scratch.write(CaptureCommandTests.capture(3, process: 1), to: "log.csv")
    let imported = try Performed(
      "import", scratch.path("log.csv"), "--hz", rate, "--format", "csv")
    let plain = try Performed("import", scratch.path("log.csv"), "--hz", "60", "--format", "csv")
    #expect(imported.status == .success, "\(imported.diagnostics)")
    #expect(imported.output == plain.output)
  }

  @Test(arguments: [
    ("instruments.xml", "\nOther (13): hitch_count 1, hitch_total_ms 16.67, hitch_max_ms 16.67\n"),
    (
      "flutter-summary.json",
      "\nFlutter: build_ms_avg 10.96, build_ms_p90 18.17, build_ms_p99 20.72, build_ms_max 21, … (--format csv has 10 figures)\n"
    ),
  ])
  func `a log without frames of the screen shows the figures that it has`(
    _ log: String, _ line: String
  ) throws {
    let path = Project.folder.appending(path: "Tests/Fuzz/Seeds/logs/\(log)").path
    let imported = try Performed("import", path, "-q")
    #expect(imported.output.contains(line), "\(imported.output)")
    // A display with a rate of frames has its figures in the table.
    #expect(!imported.output.contains("Display 1:"))
  }

  @Test func `a frame log of another tool is no result, and the error says what makes it one`()
    throws
  {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    try scratch.write(CaptureCommandTests.capture(3, process: 1), to: "log.csv")
    let (log, base) = (scratch.path("log.csv"), scratch.path("base"))
    let page = Project.folder.appending(path: "Tests/Fuzz/Seeds/logs/capframex.json").path
    for arguments in [
      ["report", log], ["report", page], ["compare", log, base], ["compare", base, log],
    ] {
      let failed = try Performed(arguments)
      #expect(failed.status == .badInput)
      #expect(failed.diagnostics.contains("is a log of frames ("), "\(failed.diagnostics)")
      #expect(failed.diagnostics.contains("not a result; 'framebudget import "))
      #expect(failed.diagnostics.contains(" -o RESULT.csv' makes one\n"))
    }
    let frames = try Performed("report", scratch.path("base-frames.csv"))
    #expect(frames.diagnostics.contains("none of these is a summary.csv"))
  }

  @Test func `live of a folder of results says what shows them`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch)
    let live = try Performed("live", scratch.path("base/"))
    #expect(live.status == .noInput)
    #expect(
      live.diagnostics.contains(
        "it is a folder; 'framebudget report \(scratch.path("base")) -o PAGE.html' shows results"),
      "\(live.diagnostics)")
  }

  @Test func `a recording is replayed as the drawing time`() throws {
    let scratch = try Scratch()
    try scratch.write("frame_ms\n8\n8\n40\n8\n", to: "log.csv")
    let text = ShortScenario.text.replacing(
      "render: 5 ms", with: "render: {recorded: log.csv, column: frame_ms}")
    try scratch.write(text.replacing("once: 100", with: "once: 1"), to: "replay.yaml")
    let performed = try Performed(
      "run", scratch.path("replay.yaml"), "--engine", "virtual", "--quiet", "--format", "csv")
    #expect(performed.status == .success, "\(performed.diagnostics)")
    #expect(performed.output.contains("drops_render"))
    let header = try #require(performed.output.split(separator: "\n").first).split(separator: ",")
    let place = try #require(header.firstIndex(of: "drops_render"))
    for line in performed.output.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      #expect(Int(fields[place]) ?? 0 > 10)
    }
    try scratch.write(text.replacing("frame_ms", with: "other"), to: "broken.yaml")
    let broken = try Performed("check", scratch.path("broken.yaml"))
    #expect(broken.status == .badInput)
    #expect(broken.diagnostics.contains("has no column 'other'"))
  }

  /// A name that would clear the screen, turn the writing round, and run in a spreadsheet.
  static let hostile = "=x\u{1B}[2J\u{202E}\u{9B}y"

  /// `import`, `report` and `compare` of a log, and of its rows.
  @Test func `text in a log controls neither a terminal nor a spreadsheet`() throws {
    let scratch = try Scratch()
    let header = "Application,ProcessID,SwapChainAddress,MsBetweenPresents,MsBetweenDisplayChange\n"
    let rows = (0..<20).map { _ in "\(Self.hostile),1,0x0,16.7,16.7\n" }.joined()
    try scratch.write(header + rows, to: "log.csv")
    let table = try Performed("import", scratch.path("log.csv"))
    let csv = try Performed("import", scratch.path("log.csv"), "--hz", "60", "--format", "csv")
    #expect(csv.output.contains("'=x\\u{1B}[2J\\u{202E}\\u{9B}y"))
    #expect(!csv.output.contains("\u{1B}"))
    try scratch.write(csv.output, to: "summary.csv")
    let summary = scratch.path("summary.csv")
    let page = try Performed("report", summary)
    let again = try Performed("compare", summary, summary, "--gate", "frame_ms_p99")
    // One row of each is too few to decide.
    #expect([table, page, again].map(\.status) == [.success, .success, .inconclusive])
    for performed in [table, page, again] {
      #expect(performed.output.contains("=x\\u{1B}[2J\\u{202E}\\u{9B}y"))
    }
    let markdown = try Performed(
      "compare", summary, summary, "--gate", "frame_ms_p99", "--format", "markdown")
    let broken = try Performed("import", scratch.path("none\u{1B}[2J"))
    for performed in [table, page, again, markdown, broken, csv] {
      for scalar in performed.diagnostics.unicodeScalars {
        #expect(scalar == "\n" || !scalar.isDisruptive)
      }
      for scalar in performed.output.unicodeScalars {
        #expect(scalar == "\n" || !scalar.isDisruptive)
      }
    }
  }

  @Test func `a trace on one line is a trace`() throws {
    let scratch = try Scratch()
    try Self.run("base", in: scratch, "--trace", scratch.path("trace.json"))
    let text = try #require(scratch.text("trace.json"))
    let line = text.split(separator: "\n").joined().split(separator: "\":").joined(
      separator: "\": ")
    try scratch.write(line, to: "line.json")
    #expect(line.utf8.count > 1 << 16)
    let report = try Performed("report", scratch.path("base"), scratch.path("line.json"))
    #expect(report.status == .success, "\(report.diagnostics)")
    #expect(report.output.contains("<figure class=\"threads worst\">"))
  }

  private static let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0]
  private static let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0]

  /// `import` reads what gzip compressed.
  @Test(arguments: [
    ("import", zstd, "is compressed by zstd; decompress it first"),
    ("import", gzip, "is cut off"),
    ("report", zstd, "is compressed by zstd; decompress it first"),
    ("report", gzip, "is compressed by gzip; decompress it first"),
  ])
  func `a binary file is reported as what it is`(
    _ command: String, _ bytes: [UInt8], _ error: String
  ) throws {
    let scratch = try Scratch()
    try Data(bytes).write(to: scratch.folder.appending(component: "a.csv"))
    let performed = try Performed(command, scratch.path("a.csv"))
    #expect(performed.status == .badInput)
    #expect(performed.diagnostics.contains("a.csv: \(error)"))
    #expect(performed.diagnostics.split(separator: "\n").count == 1)
  }
}
