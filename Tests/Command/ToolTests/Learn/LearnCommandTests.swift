import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct LearnCommandTests {
  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(PageTrace.text, to: "page.json")
    return scratch
  }

  @Test func `a recording becomes a scenario that replays it and can be asked`() throws {
    let scratch = try scratch()
    let learned = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("app"))
    #expect(learned.status == .success, "\(learned.diagnostics)\(learned.output)")
    #expect(learned.output.contains("The replay is good"))
    #expect(learned.output.contains("140 of 140 vsyncs agree"))
    #expect(scratch.text("app/README.md") == learned.output)
    #expect(learned.diagnostics.contains("thread 1 CrRendererMain: it is the CrRendererMain"))
    let run = try Performed(
      "run", scratch.path("app/page.yaml"), "--engine", "virtual", "--format", "csv")
    #expect(run.status == .success, "\(run.diagnostics)")
    let rows = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let strategy = try #require(rows[0].firstIndex(of: "strategy"))
    let dropped = try #require(rows[0].firstIndex(of: "dropped_frames"))
    let mark = try #require(rows[0].firstIndex(of: "learned"))
    #expect(rows.dropFirst().allSatisfy { $0[mark] == "good" })
    #expect(
      rows.dropFirst().map { "\($0[strategy]) \($0[dropped])" } == [
        "as-recorded 20", "yielding 0", "move-hash 0",
      ])
  }

  @Test func `other phases are run by the seed, of as-recorded too`() throws {
    let scratch = try scratch()
    _ = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("app"), "-q")
    let run = try Performed(
      "run", scratch.path("app/page.yaml"), "--engine", "virtual", "--set", "phase=random",
      "--vary", "seed=1..5", "--strategy", "as-recorded", "--format", "csv", "-q")
    #expect(run.status == .success, "\(run.diagnostics)")
    #expect(Set(run.output.split(separator: "\n").dropFirst()).count == 5)
  }

  @Test func `the process that was chosen of several is named, and the option for another`() throws
  {
    let scratch = try scratch()
    let page = Project.folder.appending(path: "Tests/Fuzz/Seeds/recording-chrome/page.json").path
    let several = try Performed("learn", page, "-o", scratch.path("several"))
    #expect(
      several.diagnostics.contains(
        "thread 1 CrRendererMain of process 7 Renderer: it is the CrRendererMain; "
          + "--process chooses another of 2 processes, which --list shows\n"),
      "\(several.diagnostics)")
    let one = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("one"))
    #expect(!one.diagnostics.contains("--process"), "\(one.diagnostics)")
  }

  @Test func `a replay without a service to move promises no remedy`() throws {
    let scratch = try scratch()
    let page = Project.folder.appending(path: "Tests/Fuzz/Seeds/recording-chrome/timers.json")
    let learned = try Performed("learn", page.path, "-o", scratch.path("app"))
    #expect(
      learned.output.contains(
        "The replay is poor: you cannot trust its figures. It has no service that could run on another thread, so 'advise' "
          + "can move nothing."), "\(learned.output)")
  }

  @Test func `the threads of a recording are listed`() throws {
    let scratch = try scratch()
    let list = try Performed("learn", scratch.path("page.json"), "--list")
    #expect(list.status == .success)
    #expect(list.output.contains("* thread 1 CrRendererMain:"))
  }

  @Test func `a recording in a pipe, which has no second reading, is learned and listed`() throws {
    let scratch = try scratch()
    let file = scratch.path("page.json")
    let list = try Performed("learn", file, "--list")
    let piped = try BuiltTool("cat \(file) | $tool learn - --list")
    #expect(piped.output == list.output && piped.output.contains("\nparts of drawing: "))
    let learned = try BuiltTool("cat \(file) | $tool learn - -o \(scratch.path("app"))")
    #expect(learned.status == 0, "\(learned.diagnostics)")
    #expect(learned.diagnostics.contains("thread 1 CrRendererMain: it is the CrRendererMain"))
  }

  @Test func `the parts of drawing are listed with the rules' names`() throws {
    let scratch = try scratch()
    let list = try Performed("learn", scratch.path("page.json"), "--list")
    // 140 frames that paint for 3.9 of 4 ms; 20 wait for a task from 0.1 to 3.3 ms behind their vsync.
    #expect(list.output.contains("\nparts of drawing: "), "\(list.output)")
    #expect(list.output.contains(" in 140 frames, 20 vsyncs dropped\n  paint: 546 ms ("))
    #expect(list.output.contains(" %) in 140 frames, in 20 of 20 dropped\n"))
    for (role, line) in [("service rows", "\n  rows: 546 ms ("), ("render", nil)] {
      try scratch.write("- {match: ^paint, as: \(role)}", to: "rules.yaml")
      let named = try Performed(
        "learn", scratch.path("page.json"), "--list", "--map", scratch.path("rules.yaml"))
      #expect(named.status == .success)
      #expect(named.output.contains(line ?? "dropped") == (line != nil), "\(named.output)")
      #expect(!named.output.contains("paint"))
    }
  }

  @Test func `a page's functions have their own names, and rules for FunctionCall apply to them`()
    throws
  {
    let scratch = try scratch()
    let call = """
      "args": {"data": {"functionName": "draw", "lineNumber": 5, "url": "http://page.example/list.js"}}
      """
    let page = PageTrace.text.replacing("\"name\": \"paint\"", with: "\"name\": \"FunctionCall\"")
      .replacing("\"tdur\": 3900.0, \"args\": {}", with: "\"tdur\": 3900.0, \(call)")
    try scratch.write(page, to: "page.json")
    let list = try Performed("learn", scratch.path("page.json"), "--list")
    #expect(list.output.contains("\n  draw-list-js: 546 ms ("), "\(list.output)")
    try scratch.write("- {match: ^FunctionCall$, as: service calls}", to: "rules.yaml")
    let named = try Performed(
      "learn", scratch.path("page.json"), "--list", "--map", scratch.path("rules.yaml"))
    #expect(named.output.contains("\n  calls: 546 ms ("), "\(named.output)")
  }

  @Test func `a recording whose part cannot be learned is still listed`() throws {
    let scratch = try scratch()
    let list = try Performed("learn", scratch.path("page.json"), "--list", "--from", "3600 s")
    #expect(list.status == .success && list.output.contains("* thread 1 CrRendererMain:"))
  }

  @Test func `a folder that is there is not written to`() throws {
    let scratch = try scratch()
    let twice = try Performed("learn", scratch.path("page.json"), "-o", scratch.path(""))
    #expect(twice.status == .cannotCreate)
    #expect(twice.diagnostics.contains("exists already"))
  }

  @Test func `rules say what slices are, and what is wrong with one is said by its place`() throws {
    let scratch = try scratch()
    try scratch.write("- {match: \"^hash\", as: service digest}", to: "rules.yaml")
    try scratch.write("- {match: \"^hash\", as: nonsense}", to: "broken.yaml")
    let learned = try Performed(
      "learn", scratch.path("page.json"), "--map", scratch.path("rules.yaml"), "-o",
      scratch.path("app"))
    #expect(learned.output.contains("| digest | 600 |"), "\(learned.output)")
    let broken = try Performed(
      "learn", scratch.path("page.json"), "--map", scratch.path("broken.yaml"), "-o",
      scratch.path("other"))
    #expect(broken.status == .badInput)
    #expect(
      broken.diagnostics.contains("broken.yaml:1:24: 'nonsense' is not a role of slices"))
  }

  @Test func `a poor replay is still written, marked, with status 1`() throws {
    let scratch = try scratch()
    // Marks another of the seven frames as dropped, although nothing was late for it.
    let page = stride(from: 4, to: 240, by: 12).reduce(PageTrace.text) { text, vsync in
      text.replacing(
        "_PRESENTED_ALL\", \"frame_sequence\": \(vsync),",
        with: "_DROPPED\", \"frame_sequence\": \(vsync),")
    }
    try scratch.write(page, to: "page.json")
    let learned = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("app"))
    #expect(learned.status == .failed)
    #expect(learned.output.contains("The replay is poor"))
    let run = try Performed("run", scratch.path("app/page.yaml"), "--engine", "virtual")
    #expect(run.output.contains("learned from page.json, replay poor"))
    #expect(run.diagnostics.contains("its replay differs from the recording"))
  }

  @Test func `a recording too short to judge is marked, and exits with 2`() throws {
    let scratch = try scratch()
    let learned = try Performed(
      "learn", scratch.path("page.json"), "--to", "1 s", "-o", scratch.path("app"))
    #expect(learned.status == .inconclusive, "\(learned.diagnostics)")
    #expect(learned.output.contains("The recording is too short to judge the replay"))
    let run = try Performed("run", scratch.path("app/page.yaml"), "--engine", "virtual")
    #expect(run.output.contains("learned from page.json, replay too-short"))
    #expect(run.diagnostics.contains("too short to judge its replay"))
  }

  @Test func `a process must be named if two drew as many frames`() throws {
    let scratch = try scratch()
    let events = PageTrace.text.dropFirst("{\"traceEvents\": [".count).dropLast(4)
    let other = events.replacing("\"pid\": 1", with: "\"pid\": 9")
    try scratch.write("{\"traceEvents\": [\(events),\(other)\n]}", to: "page.json")
    let tied = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("app"))
    #expect(tied.status == .badInput)
    #expect(tied.diagnostics.contains("choose a process with --process"), "\(tied.diagnostics)")
    let list = try Performed("learn", scratch.path("page.json"), "--list")
    #expect(list.output.contains("? thread 1 CrRendererMain"), "\(list.output)")
    let named = try Performed(
      "learn", scratch.path("page.json"), "--process", "9", "-o", scratch.path("app"))
    #expect(named.status == .success, "\(named.diagnostics)")
  }

  @Test(arguments: [
    (["--from", "3 s", "--to", "2 s"], FrameBudgetCLI.ExitStatus.badInput),
    (["--from", "3"], .usage),
    (["--process", "9"], .badInput), (["--thread", "Worker"], .badInput),
    (["--map", "nowhere.yaml"], .noInput),
  ])
  func `a recording that cannot be learned is a one-line error, and leaves no files`(
    options: [String], status: FrameBudgetCLI.ExitStatus
  ) throws {
    let scratch = try scratch()
    let arguments = ["learn", scratch.path("page.json"), "-o", scratch.path("app"), "-q"]
    let learned = try Performed(arguments + options)
    #expect(learned.status == status, "\(learned.diagnostics)")
    #expect(learned.diagnostics.split(separator: "\n").count == 1, "\(learned.diagnostics)")
    #expect(scratch.text("app/README.md") == nil)
  }

  @Test func `either a folder or a list is required`() throws {
    #expect(try Performed("learn", "page.json").status == .usage)
    #expect(try Performed("learn", "page.json", "--list", "-o", "app").status == .usage)
  }
}
