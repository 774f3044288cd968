import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Commands that are killed at a system call, by `strace`, and repeated.
@Suite(.enabled(if: KillPoint.canTrace, "strace is missing, or may not trace"))
struct `A killed command` {
  /// What the commands read, and the result of one that nothing has killed.
  private struct Place {
    let scratch: Scratch
    let command: String

    init(_ command: String) throws {
      scratch = try Scratch()
      self.command = command
      try scratch.write(ShortScenario.text, to: "s.yaml")
      try scratch.write(PageTrace.text, to: "page.json")
      if command.contains("merge") {
        for shard in 1...2 {
          let made = try BuiltTool(
            "cd \(scratch.root); $tool run s.yaml \(KillPoint.sweep) --shard \(shard)/2 -o shard-\(shard)"
          )
          #expect(made.status == 0, "\(made.diagnostics)")
        }
      }
      if command.contains("report") {
        let made = try BuiltTool("cd \(scratch.root); $tool run s.yaml --engine virtual -o made")
        #expect(made.status == 0, "\(made.diagnostics)")
      }
      try makeFolder()
    }

    /// A page's folder exists before it.
    private func makeFolder() throws {
      guard command.contains("report") else { return }
      try FileManager.default.createDirectory(
        atPath: scratch.path("out"), withIntermediateDirectories: true)
    }

    func run(_ prefix: String = "") throws -> BuiltTool {
      try BuiltTool("cd \(scratch.root); \(prefix) $tool \(command); exit $?")
    }

    /// The files of the result by their names, without the time of day.
    var content: [String: String] {
      let names = scratch.names(in: "out")
      return Dictionary(
        uniqueKeysWithValues: names.map { name in
          let lines = scratch.text("out/\(name)")?.split(separator: "\n") ?? []
          return (name, lines.filter { !$0.contains("\"started\":") }.joined(separator: "\n"))
        })
    }

    /// Names that say of a result that it is not finished, in its folder or beside it.
    var unfinished: [String] {
      (scratch.names() + scratch.names(in: "out")).filter {
        $0.hasPrefix(".") || $0.hasSuffix(".partial")
      }
    }

    func clear() throws {
      for name in scratch.names() where name == "out" || name.hasPrefix(".") {
        try FileManager.default.removeItem(atPath: scratch.path(name))
      }
      try makeFolder()
    }
  }

  /// Slow: starts the tool twice for each point.
  @Test(arguments: KillPoint.commands, KillPoint.calls)
  func `leaves nothing that looks whole and is not, and the next one nothing else`(
    _ command: String, _ call: String
  ) throws {
    let place = try Place(command)
    #expect([0, 1, 2].contains(try place.run().status))
    let whole = place.content
    #expect(!whole.isEmpty && place.unfinished.isEmpty)
    for number in 1...KillPoint.most {
      try place.clear()
      let killed = try place.run(KillPoint(call: call, number: number).prefix)
      guard killed.status == 137 else { return }
      let left = place.content
      if place.unfinished.isEmpty, !left.isEmpty {
        #expect(left.keys.sorted() == whole.keys.sorted(), "\(call) \(number)")
      }
      let next = try place.run()
      let said = "\(call) \(number): \(left.keys.sorted()), then \(next.diagnostics)"
      if next.status == 73, place.unfinished == ["summary.csv.partial"] {
        // Measured rows are never removed, and nothing else is there.
        #expect(next.diagnostics.contains("a killed run had measured"), "\(said)")
        #expect(place.content.count == 1, "\(said)")
        let page = try BuiltTool("$tool report \(place.scratch.path("out"))")
        #expect(page.status == 65 && page.diagnostics.contains("is unfinished"), "\(said)")
      } else {
        #expect(place.unfinished == [], "\(said)")
        #expect(place.content == whole, "\(said)")
      }
    }
  }
}

/// The `number`th system call of a kind, at which a process is killed before it makes the call.
private struct KillPoint {
  let call: String
  let number: Int

  static let sweep = "--engine virtual --vary 'display.render=4..6 ms'"
  static let commands = [
    "run s.yaml --engine virtual -o out --frames out/frames.csv --trace out/trace.json",
    "run s.yaml \(sweep) -o out --resume", "merge shard-2 shard-1 -o out",
    "limit s.yaml --vary workloads.add-file.steps.0.cpu='1..4 ms' -o out", "advise s.yaml -o out/",
    "learn page.json -o out", "report made -o out/page.html",
  ]
  /// Those that decide come first.
  static let calls = [
    "renameat2", "link", "rmdir", "unlink", "fsync", "write", "mkdir", "openat", "unlinkat",
  ].prefix(Tries.killPoints.count)
  /// More than a command makes calls of one kind.
  static let most = 2000

  var prefix: String {
    "strace -f -qq -o /dev/null -e trace=\(call) -e inject=\(call):signal=KILL:when=\(number)"
  }

  static let canTrace: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "strace -f -o /dev/null true 2>/dev/null"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
