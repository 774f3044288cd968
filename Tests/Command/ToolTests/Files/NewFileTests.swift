import Foundation
import FrameBudget
import FrameBudgetReports
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `A new file` {
  @Test func `appears whole, and only once it is committed`() throws {
    let scratch = try Scratch()
    let file = try NewFile(scratch.path("a"))
    try file.write("one ")
    #expect(scratch.text("a") == nil)
    try file.write("two")
    try file.commit()
    #expect(scratch.text("a") == "one two")
    #expect(scratch.names() == ["a"])
  }

  @Test func `vanishes when it is given up`() throws {
    let scratch = try Scratch()
    do {
      let file = try NewFile(scratch.path("a"))
      try file.write("half")
    }
    #expect(scratch.names() == [])
  }

  @Test func `does not take a name that is taken`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "a")
    #expect(throws: ToolError.self) { try NewFile.write("other", to: scratch.path("a")) }
    #expect(scratch.text("a") == "mine")
  }

  @Test func `does not take a name that was taken meanwhile`() throws {
    let scratch = try Scratch()
    let file = try NewFile(scratch.path("a"))
    try file.write("other")
    try scratch.write("mine", to: "a")
    do {
      try file.commit()
      Issue.record("it took the name")
    } catch {
      #expect(error.status == .cannotCreate)
    }
    #expect(scratch.text("a") == "mine")
    #expect(scratch.names() == ["a"])
  }

  @Test func `does not take the name of a link that leads nowhere`() throws {
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("a"), withDestinationPath: Scratch.nowhere)
    #expect(throws: ToolError.self) { try NewFile.requireAbsent(scratch.path("a")) }
  }

  @Test(arguments: ["\(Scratch.nowhere)/a", "/proc/a", "/dev/null/a"])
  func `says why it cannot be`(_ path: String) throws {
    do {
      try NewFile.write("", to: path)
      Issue.record("it was created")
    } catch {
      #expect(error.status == .cannotCreate)
      #expect(error.message.contains(path))
    }
  }
}

struct `A result folder` {
  private func row() -> ReportRow {
    let scenario = Scenario(
      name: "empty", display: Display(refresh: RefreshRate(60)), duration: .seconds(1))
    let plan = RunPlan(
      scenario, under: Strategy(name: "main-thread", arrangement: .onMain(scenario)))
    var ledger = FrameLedger(
      refresh: RefreshRate(60), duration: .seconds(1), detail: .summary, hasRealClock: false)
    ledger.begin(vsync: 0, wokeAt: .zero)
    _ = ledger.end(at: .zero + .milliseconds(5))
    let log = RunLog(
      plan, engine: .virtual, duration: .seconds(1), warmupFrames: 0,
      frames: ledger.finish(at: .zero + .milliseconds(10)), items: [], totals: RunTotals(),
      interrupted: false)
    return ReportRow(log, cores: 1)
  }

  @Test func `is created with those above it`() throws {
    let scratch = try Scratch()
    var folder = try ResultFolder(scratch.path("a/b/c"))
    try folder.append(row())
    try folder.files([row()], Circumstances()).commit()
    #expect(scratch.names(in: "a/b/c") == ["run.json", "summary.csv", "workloads.csv"])
  }

  @Test func `keeps finished runs if the process goes on to be killed`() throws {
    let scratch = try Scratch()
    do {
      var folder = try ResultFolder(scratch.path("a"))
      try folder.append(row())
      try folder.append(row())
    }
    #expect(scratch.names(in: "a") == ["summary.csv.partial"])
    #expect(scratch.text("a/summary.csv.partial") == SummaryCSV.text([row(), row()]))
  }

  @Test func `is left alone while a run writes it`() throws {
    let scratch = try Scratch()
    var folder = try ResultFolder(scratch.path("a"))
    #expect(throws: ToolError.self) { _ = try ResultFolder(scratch.path("a")) }
    try folder.append(row())
    do {
      _ = try ResultFolder(scratch.path("a"))
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .cannotCreate)
      #expect(error.message.contains("another run is writing it"))
    }
    #expect(scratch.text("a/summary.csv.partial") == SummaryCSV.text([row()]))
    try folder.files([row()], Circumstances()).commit()
  }

  @Test(arguments: [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
  func `says how much a killed run had measured, and leaves it`(
    _ count: Int, _ words: String
  ) throws {
    let scratch = try Scratch()
    let rows = SummaryCSV.text(Array(repeating: row(), count: count)) + "1,cut of"
    try scratch.write(rows, to: "summary.csv.partial")
    do {
      _ = try ResultFolder(scratch.root)
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .cannotCreate)
      #expect(error.message.contains("had measured \(words);"), "\(error.message)")
    }
    #expect(scratch.text("summary.csv.partial") == rows)
  }

  @Test func `can be reused if a killed run had not begun to measure`() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "summary.csv.partial")
    try scratch.write("half", to: ".result.123.unfinished")
    let heard = try Heard(scratch) { console in
      var folder = try ResultFolder(scratch.root, on: console)
      try folder.append(row())
      try folder.files([row()], Circumstances()).commit()
    }
    #expect(heard.text.contains("summary.csv.partial, an empty leftover of a killed run"))
    #expect(heard.text.contains("removed \(scratch.path(".result.123.unfinished"))"))
    #expect(scratch.names() == ["run.json", "summary.csv", "workloads.csv"])
  }

  @Test func `keeps nothing if nothing was measured`() throws {
    let scratch = try Scratch()
    do { _ = try ResultFolder(scratch.path("a")) }
    #expect(scratch.names(in: "a") == [])
  }

  @Test(arguments: ["summary.csv", "workloads.csv", "run.json", "summary.csv.partial"])
  func `is refused where a result is`(_ name: String) throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: name)
    do {
      _ = try ResultFolder(scratch.root)
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .cannotCreate)
      #expect(error.message.contains(name))
    }
    #expect(scratch.names() == [name])
  }

  @Test func `may hold other files`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "notes.txt")
    var folder = try ResultFolder(scratch.root)
    try folder.append(row())
    try folder.files([row()], Circumstances()).commit()
    #expect(scratch.names() == ["notes.txt", "run.json", "summary.csv", "workloads.csv"])
  }

  @Test func `is not a file`() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "a")
    do {
      _ = try ResultFolder(scratch.path("a"))
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .cannotCreate)
    }
  }
}
