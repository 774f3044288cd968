import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Commands that are killed at a system call, by `strace`, and repeated.
@Suite(.enabled(if: KillPoint.canTrace, "strace is missing, or may not trace"))
struct `A killed command` {
  /// Slow: starts the tool twice for each point.
  @Test(arguments: KilledCommand.all, KillPoint.calls)
  func `leaves nothing that looks whole and is not, and the next one nothing else`(
    _ command: KilledCommand, _ call: String
  ) throws {
    let place = try KillPlace(command)
    let first = try place.run()
    #expect([0, 1, 2].contains(first.status), "\(first.diagnostics)")
    let whole = place.content
    #expect(!whole.isEmpty && place.unfinished.isEmpty)
    for number in 1...KillPoint.most {
      try place.clear()
      let killed = try place.run(KillPoint(call: call, number: number).prefix)
      guard killed.status == 137 else { return }
      let left = place.content
      #expect(place.hasOnlyWholeFiles(of: whole), "\(call) \(number): \(left.keys.sorted())")
      if place.unfinished.isEmpty, !left.isEmpty {
        #expect(left.keys.sorted() == whole.keys.sorted(), "\(call) \(number)")
      }
      let next = try place.run()
      let said = "\(call) \(number): \(left.keys.sorted()), then \(next.diagnostics)"
      if next.status == 73, place.unfinished == ["out/summary.csv.partial"] {
        // Measured rows are never removed, and all else is whole.
        #expect(next.diagnostics.contains("a run that did not end had measured"), "\(said)")
        #expect(place.hasOnlyWholeFiles(of: whole), "\(said)")
        let page = try BuiltTool("$tool report \(place.scratch.path("out"))")
        #expect(page.status == 65 && page.diagnostics.contains("is unfinished"), "\(said)")
      } else {
        #expect(place.unfinished == [], "\(said)")
        #expect(place.content.keys.sorted() == whole.keys.sorted(), "\(said)")
        #expect(place.hasOnlyWholeFiles(of: whole), "\(said)")
      }
    }
  }

  /// Slow: records for a second at each point, and more points in longer tiers.
  @Test func `that records keeps the recording and whole results, and the page comes last`() throws
  {
    let place = try KillPlace(KilledCommand("record program \(Self.app) --for 20s -o out -- 1"))
    let recorded = try place.run()
    #expect([0, 1, 2].contains(recorded.status), "\(recorded.diagnostics)")
    let whole = place.names(below: "out")
    #expect(whole.contains("out/index.html") && whole.contains("out/advised/summary.csv"))
    for number in stride(from: 1, to: KillPoint.most, by: max(1, 12 / Tries.killPoints.count)) {
      try place.clear()
      let killed = try place.run(KillPoint(call: "renameat2", number: number).prefix)
      guard killed.status == 137 else { return }
      let left = place.names(below: "out").filter { !$0.contains("/.") }
      let said = "\(number): \(left)"
      #expect(left.isEmpty || left.contains("out/program.json"), "\(said)")
      if left.contains("out/index.html") { #expect(left == whole, "\(said)") }
      let way = left.isEmpty ? "-o" : "--again"
      let next = try place.run(record: "record program \(Self.app) --for 20s \(way) out -- 1")
      #expect([0, 1, 2].contains(next.status), "\(said), \(next.diagnostics)")
      let hidden = place.names(below: "").filter { $0.contains("/.") || $0.hasPrefix(".") }
      #expect(hidden == [], "\(said), \(next.diagnostics)")
    }
  }

  private static let app = Project.products.appending(component: "RecordedApp").path
}

/// A command that writes to the folder `out`, or to files beside it.
struct KilledCommand: CustomTestStringConvertible {
  let words: String
  /// Whether another process writes the same bytes.
  let isExact: Bool
  /// Whether the folder exists before the command.
  let isFolderThere: Bool

  init(_ words: String, isExact: Bool = true, isFolderThere: Bool = false) {
    (self.words, self.isExact, self.isFolderThere) = (words, isExact, isFolderThere)
  }

  var testDescription: String { words }

  /// A command that writes one file.
  private static func file(_ words: String, isExact: Bool = true) -> KilledCommand {
    KilledCommand("\(words) -o out/answer", isExact: isExact, isFolderThere: true)
  }

  private static let sweep = "--engine virtual --vary 'display.render=4..6 ms'"

  static let all = [
    KilledCommand(
      "run s.yaml --engine virtual -o out --frames out/frames.csv --trace out/trace.json"),
    KilledCommand("run s.yaml --engine virtual -o out --frames f.csv --trace t.json"),
    KilledCommand("run s.yaml \(sweep) -o out --resume"),
    KilledCommand("run s.yaml --engine virtual --vary seed=1..3 --summary -o out --resume"),
    KilledCommand("merge shard-2 shard-1 -o out"),
    KilledCommand("limit s.yaml --vary workloads.add-file.steps.0.cpu='1..4 ms' -o out"),
    KilledCommand("advise s.yaml -o out/"), .file("advise s.yaml"),
    KilledCommand("learn page.json -o out"),
    KilledCommand("make-files out --count 3 --size '1 kB'"),
    KilledCommand("init out/mine", isFolderThere: true),
    KilledCommand("report made -o out/page.html", isFolderThere: true),
    KilledCommand("history add made --commit c1 --file out/history.csv", isFolderThere: true),
    .file("import log.csv --hz 60"), .file("compare made made --format csv"),
    .file("prove s.yaml --format csv"), .file("explain s.yaml --format csv"),
    .file("doctor --format json", isExact: false),
    .file("bench --quick --repeat 1 --carrier scheduler", isExact: false),
  ]

  static let shards = (1...2).map { "run s.yaml \(sweep) --shard \($0)/2 -o shard-\($0)" }
}

/// What commands read, and the result of one.
private struct KillPlace {
  let scratch: Scratch
  private let command: KilledCommand
  private let inputs: Set<String>

  init(_ command: KilledCommand) throws {
    self.command = command
    scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    try scratch.write(PageTrace.text, to: "page.json")
    try scratch.write("fps,frametime,elapsed\n60,16.7,0\n60,16.7,16700000\n", to: "log.csv")
    var makers = command.words.contains("merge") ? KilledCommand.shards : []
    if command.words.contains(" made") { makers.append("run s.yaml --engine virtual -o made") }
    for maker in makers {
      let made = try BuiltTool("cd \(scratch.root); $tool \(maker)")
      #expect(made.status == 0, "\(made.diagnostics)")
    }
    inputs = Set(scratch.names())
    try makeFolder()
  }

  private func makeFolder() throws {
    guard command.isFolderThere else { return }
    try FileManager.default.createDirectory(
      atPath: scratch.path("out"), withIntermediateDirectories: true)
  }

  func run(_ prefix: String = "", record words: String? = nil) throws -> BuiltTool {
    try BuiltTool("cd \(scratch.root); \(prefix) $tool \(words ?? command.words); exit $?")
  }

  /// All names that are not of inputs, also of folders.
  func names(below folder: String) -> [String] {
    scratch.names(in: folder).flatMap { name in
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      return inputs.contains(path) ? [] : [path] + names(below: path)
    }
  }

  /// The files that say of themselves or of their result that they are not finished.
  var unfinished: [String] { names(below: "").filter(Self.isUnfinished) }

  private static func isUnfinished(_ path: String) -> Bool {
    path.hasPrefix(".") || path.contains("/.") || path.hasSuffix(".partial")
  }

  /// The other files by their names, without the time of day.
  var content: [String: String] {
    let files = names(below: "").filter { !Self.isUnfinished($0) && $0 != "out" }
    return Dictionary(
      uniqueKeysWithValues: files.map { name in
        let lines = scratch.text(name)?.split(separator: "\n") ?? []
        return (name, lines.filter { !$0.contains("\"started\":") }.joined(separator: "\n"))
      })
  }

  /// Whether each file that is there is as in `whole`.
  func hasOnlyWholeFiles(of whole: [String: String]) -> Bool {
    content.allSatisfy { name, text in
      command.isExact ? whole[name] == text : whole[name] != nil && !text.isEmpty
    }
  }

  /// Removes what commands have written.
  func clear() throws {
    for name in scratch.names() where !inputs.contains(name) {
      try FileManager.default.removeItem(atPath: scratch.path(name))
    }
    try makeFolder()
  }
}

/// The `number`th system call of a kind, at which a process is killed before it makes the call.
private struct KillPoint {
  let call: String
  let number: Int

  /// Those that decide come first.
  static let calls = [
    "renameat2", "fsync", "link", "unlink", "rmdir", "write", "mkdir", "openat", "unlinkat",
  ].prefix(Tries.killPoints.count)
  /// More than a command makes calls of one kind.
  static let most = 2000

  /// Only the main thread writes files.
  var prefix: String {
    "strace -qq -o /dev/null -e trace=\(call) -e inject=\(call):signal=KILL:when=\(number)"
  }

  static let canTrace: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "strace -o /dev/null true 2>/dev/null"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
