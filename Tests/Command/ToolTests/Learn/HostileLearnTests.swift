import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Hostile recordings, and the files that `learn` makes of them.
@Suite struct `A hostile recording, learned` {
  /// The page's trace with another event of its main thread.
  private func page(_ more: String) -> String {
    PageTrace.text.replacing("\"traceEvents\": [\n", with: "\"traceEvents\": [\n\(more),\n")
  }

  private func slice(at instant: String, _ name: String = "far") -> String {
    """
    {"ph": "X", "name": "\(name)", "pid": 1, "tid": 1, "ts": \(instant), "dur": 100}
    """
  }

  @Test(arguments: ["10000000000", "1000000000000", "-10000000000"])
  func `one event far away costs no more than others`(_ instant: String) throws {
    let scratch = try Scratch()
    try scratch.write(page(slice(at: instant)), to: "page.json")
    let learned = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("app"))
    #expect([.success, .failed, .inconclusive].contains(learned.status), "\(learned.diagnostics)")
    #expect(learned.output.contains("- nothing happened for "), "\(learned.output)")
    let rows = scratch.text("app/frames.csv")?.split(separator: "\n").count ?? .max
    #expect(rows < 5000)
    #expect(try Performed("check", scratch.path("app/page.yaml")).status == .success)
  }

  /// It is busy for a day, at 60 frames a second.
  @Test func `a recording too long for a scenario is a one-line error`() throws {
    let scratch = try Scratch()
    let day = slice(at: "1000000").replacing("\"dur\": 100", with: "\"dur\": 86000000000")
    try scratch.write(page(day), to: "page.json")
    let learned = try Performed(
      "learn", scratch.path("page.json"), "-o", scratch.path("app"), "-q")
    #expect(learned.status == .badInput)
    #expect(learned.diagnostics.split(separator: "\n").count == 1, "\(learned.diagnostics)")
    #expect(learned.diagnostics.contains("--from and --to take a part"))
    #expect(scratch.names() == ["page.json"])
  }

  /// Slow: the pattern is given ten seconds. The process of the tests could not end the search.
  @Test func `a pattern that never ends is a one-line error`() throws {
    let scratch = try Scratch()
    let name = "an ordinary name of a task that has some words and a sign at its end!"
    try scratch.write(page(slice(at: "1000", name)), to: "page.json")
    try scratch.write(#"[{match: '^(\w+\s?)*$', as: ignore}]"#, to: "rules.yaml")
    let learned = try BuiltTool(
      "cd \(scratch.root); $tool learn page.json --map rules.yaml -o app -q")
    #expect(learned.status == 65)
    #expect(learned.diagnostics.split(separator: "\n").count == 1, "\(learned.diagnostics)")
    #expect(learned.diagnostics.contains("takes more than 10 s, at the name '\(name)'"))
    #expect(scratch.names() == ["page.json", "rules.yaml"])
  }

  private static func written(_ scratch: Scratch) throws -> [(name: String, text: String)] {
    try scratch.write(PageTrace.text, to: "page.json")
    _ = try Performed("learn", scratch.path("page.json"), "-o", scratch.path("app"), "-q")
    return scratch.names(in: "app").map { ($0, scratch.text("app/\($0)") ?? "") }
  }

  @Test(arguments: [
    ("page.yaml", ""), ("page.yaml", "scenario: ["), ("frames.csv", ""),
    ("frames.csv", "vsync,render_ms,request_ms\n0,1e30,\n"), ("items.csv", "arrival_ms\n"),
  ])
  func `a scenario that cannot be read back is not kept`(_ name: String, _ text: String) throws {
    let scratch = try Scratch()
    let files = try Self.written(scratch)
    let damaged = files.map { $0.name == name ? (name: name, text: text) : $0 }
    #expect(damaged.contains { $0.name == name })
    let heard = try Heard(scratch) { console in
      do throws(ToolError) {
        try LearnedFolder.write(
          damaged, to: scratch.path("again"), scenario: "page.yaml", on: console)
        Issue.record("it was kept")
      } catch {
        #expect(error.status == .cannotWrite)
        #expect(error.message.hasPrefix("\(scratch.path("again")): cannot be read back"))
        #expect(!error.message.contains("\n") && !error.message.contains("unfinished"))
        console.printError(error.message)
      }
    }
    #expect(heard.text.contains("page.yaml:"), "\(heard.text)")
    #expect(scratch.names() == ["app", "page.json"])
  }

  @Test func `a scenario that can be read back is kept`() throws {
    let scratch = try Scratch()
    let files = try Self.written(scratch)
    _ = try Heard(scratch) { console in
      try LearnedFolder.write(files, to: scratch.path("again"), scenario: "page.yaml", on: console)
    }
    #expect(scratch.names(in: "again") == files.map(\.name))
  }

  private static let hostile = "\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}|[x](y)<script>`*"

  private func isHarmless(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.isDisruptive && $0 != "\n" } && !text.contains("<script>")
      && !text.contains(/[^\\]\[x\]/)
  }

  @Test func `names of a Chrome trace do nothing to a terminal or a page`() throws {
    let scratch = try Scratch()
    let name = OutputContext.json.escaped(Self.hostile)
    let names = ["thread_name", "process_name"].map {
      """
      {"ph": "M", "name": "\($0)", "pid": 1, "tid": 1, "ts": 0, "args": {"name": \(name)}}
      """
    }
    let text = page(names.joined(separator: ",\n")).replacing("\"CrRendererMain\"", with: name)
      .replacing("\"name\": \"hash 0\"", with: "\"name\": \(name)")
    try scratch.write(text, to: "page.json")
    try expectHarmless("page.json", in: scratch)
  }

  @Test func `names of a systrace do nothing to a terminal or a page`() throws {
    let scratch = try Scratch()
    let seed = Project.folder.appending(path: "Tests/Fuzz/Seeds/recording-systrace/trace.txt")
    let text = try String(contentsOf: seed, encoding: .utf8)
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("#")
        ? String(line)
        : String(line).replacing(/^ *[^ ]+?-(\d+)/) { "\(Self.hostile)-\($0.output.1)" }
    }
    #expect(lines.joined() != text)
    try scratch.write(lines.joined(separator: "\n"), to: "trace.txt")
    try expectHarmless("trace.txt", in: scratch)
  }

  private func expectHarmless(_ file: String, in scratch: Scratch) throws {
    let list = try Performed("learn", scratch.path(file), "--list")
    #expect(list.status == .success && list.output.contains("owned"), "\(list.diagnostics)")
    // On a terminal a bracket is shown as a bracket.
    #expect(!list.output.unicodeScalars.contains { $0.isDisruptive && $0 != "\n" })
    let learned = try Performed("learn", scratch.path(file), "-o", scratch.path("app"))
    #expect([.success, .failed, .inconclusive].contains(learned.status), "\(learned.diagnostics)")
    #expect(learned.output.contains("owned"))
    for text in [learned.output, learned.diagnostics]
      + scratch.names(in: "app").map({ scratch.text("app/\($0)") ?? "" })
    {
      #expect(isHarmless(text) || text == learned.diagnostics, "\(text.debugDescription)")
      #expect(!text.unicodeScalars.contains { $0.isDisruptive && $0 != "\n" })
    }
  }

  /// Slow: learns from the recording once for each name.
  @Test(arguments: [
    "a: b.json", "-.json", "---.json", "#.json", "true.json", "null.json", "1e5.json", "~.json",
    "'x\".json", "\u{1B}[31m.json", "\u{7F}.json", "\u{202E}.json", "{a}.json", "*.json", "ä.json",
    "[x](y).json", ".json",
  ])
  func `a recording of any name becomes a scenario that can be read`(_ name: String) throws {
    let scratch = try Scratch()
    try scratch.write(PageTrace.text, to: name)
    let learned = try Performed("learn", scratch.path(name), "-o", scratch.path("app"))
    #expect(learned.status == .success, "\(learned.diagnostics)")
    #expect(isHarmless(learned.output))
    let scenario = try #require(scratch.names(in: "app").first { $0.hasSuffix(".yaml") })
    let check = try Performed("check", scratch.path("app/\(scenario)"))
    #expect(check.status == .success, "\(check.diagnostics)")
  }
}
