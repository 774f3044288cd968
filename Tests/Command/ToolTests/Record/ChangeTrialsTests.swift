import ArgumentParser
import FrameBudgetLearning
import FrameBudgetReports
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A recorded app, which is recorded again with changes by closures instead of a program.
private struct TriedApp {
  let scratch: Scratch
  let learned: LearnedFolder
  let command: RecordCommand
  var trials: ChangeTrials

  init() throws {
    scratch = try Scratch()
    try scratch.write(PageTrace.text, to: "before.json")
    let path = scratch.path("before.json")
    learned = try LearnedFolder(RecordedFolder.read(path), from: path)
    command = try RecordCommand.parse(["program", "true", "-q", "-o", scratch.path("app")])
    trials = ChangeTrials(in: scratch.root, of: learned)
  }

  mutating func attempt(
    _ name: String, recording record: (borrowing NewFolder) throws(ToolError) -> String?
  ) throws {
    let predicted = try #require(try learned.predicted(name))
    try command.attempt(
      AppChange(arrangement: name, moved: [], yields: false), basis: .user, predicted: predicted,
      &trials, showing: nil, on: Console(), recording: record)
  }

  /// The app with the change makes this recording.
  mutating func attempt(_ name: String, made text: String, failing failure: String? = nil) throws {
    try attempt(name) { (folder) throws(ToolError) in
      try folder.write(Array(text.utf8), to: "program.json")
      return failure
    }
  }
}

@Suite struct `The trials of changes to an app` {
  @Test func `have the status of the worst prediction`() throws {
    var app = try TriedApp()
    #expect(app.trials.status == nil)
    try app.attempt("as-recorded", made: PageTrace.text)
    #expect(app.trials.status == .success)
    app.trials.leaveOut("yielding", because: "it changes nothing")
    #expect(app.trials.status == .success)
    var leftOut = try TriedApp()
    leftOut.trials.leaveOut("yielding", because: "it changes nothing")
    #expect(leftOut.trials.status == .inconclusive)
    try app.attempt("move-hash", made: PageTrace.text)
    #expect(app.trials.status == .failed)
  }

  @Test func `go on after a recording that fails, and are undecided then`() throws {
    var app = try TriedApp()
    try app.attempt("move-hash") { (_) throws(ToolError) in
      throw ToolError(.unavailable, "the app has ended")
    }
    #expect(app.trials.status == .inconclusive)
    try app.attempt("as-recorded", made: PageTrace.text)
    #expect(app.trials.status == .inconclusive)
    try app.attempt("yielding", made: "no recording")
    #expect(app.trials.tried.map(\.name) == ["move-hash", "as-recorded", "yielding"])
    try app.trials.write()
    let table = try #require(app.scratch.text("tried.csv"))
    #expect(table.split(separator: "\n").count == 1 + 5)
    #expect(app.trials.text.contains("move-hash was not tried: the app has ended"))
    let same = try #require(try app.learned.predicted("as-recorded"))
    let range = try #require(same.range?.droppedInShort)
    #expect(same.drops.hasSuffix(" (\(range))") && app.trials.text.contains(same.drops))
    #expect(app.trials.text.hasSuffix("\nrange: \(RangeWords.smallChanges)\n"))
    #expect(app.trials.text.contains("yielding was not tried: \(app.scratch.root)"))
  }

  @Test func `leave out an app that has failed, and keep what it has recorded`() throws {
    var app = try TriedApp()
    try app.attempt("as-recorded", made: PageTrace.text, failing: "app has ended with status 139")
    #expect(app.trials.status == .inconclusive)
    #expect(app.trials.text.contains("as-recorded was not tried: app has ended with status 139"))
    #expect(app.scratch.names(in: "try-as-recorded") == ["program.json"])
  }

  @Test(arguments: [FrameBudgetCLI.ExitStatus.cannotCreate, .cannotWrite])
  func `end where nothing more can be written`(_ status: FrameBudgetCLI.ExitStatus) throws {
    var app = try TriedApp()
    let error = #expect(throws: ToolError.self) {
      try app.attempt("move-hash") { (_) throws(ToolError) in
        throw ToolError(status, "no space left")
      }
    }
    #expect(error?.status == status)
    #expect(app.trials.tried.isEmpty)
  }

  @Test func `have folders of their own, also where names differ by signs alone`() throws {
    var app = try TriedApp()
    for _ in 0..<2 { try app.attempt("as-recorded", made: PageTrace.text) }
    for folder in ["try-as-recorded", "try-as-recorded-2"] {
      #expect(
        app.scratch.names(in: folder) == [
          "after-the-change.csv", "after-the-change.md", "program.json",
        ])
    }
    let names = ["latest:a:b", "latest:a-b"].map { app.trials.freePlace(of: $0) }
    #expect(names == Array(repeating: app.scratch.path("try-latest-a-b"), count: 2))
  }
}
