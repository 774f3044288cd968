import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Arguments that no command accepts: the errors suggest the probable one, and point to the help.
struct UnknownCommandTests {
  @Test(arguments: [("rnu", "run"), ("Compare", "compare"), ("lst", "list"), ("chekc", "check")])
  func `a misspelt command gets the nearest name`(word: String, command: String) throws {
    let performed = try Performed(word, "camera-upload")
    #expect(performed.status == .usage)
    #expect(
      performed.diagnostics
        == "framebudget: '\(word)' is not a command; did you mean '\(command)'?\n")
    #expect(try Performed("help", word).diagnostics == performed.diagnostics)
  }

  @Test func `a misspelt file of a scenario gets the nearest one in its folder`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "messages.yaml")
    let run = try Performed("run", scratch.path("mesages.yaml"), "--engine", "virtual")
    #expect(run.status == .noInput)
    #expect(run.diagnostics.hasSuffix("; did you mean '\(scratch.path("messages.yaml"))'?\n"))
    let other = try Performed("run", scratch.path("other-name.yaml")).diagnostics
    #expect(!other.contains("did you mean"), "\(other)")
  }

  @Test func `a page without its kind is told how pages are recorded`() throws {
    let record = try Performed("record", "page.html")
    #expect(record.status == .usage)
    #expect(record.diagnostics.contains("'framebudget record chrome page.html'"))
  }

  @Test func `a word far from any command lists all commands except internal ones`() throws {
    let performed = try Performed("simulate")
    #expect(performed.diagnostics.contains("; allowed: init, run, measure, live, limit"))
    #expect(!performed.diagnostics.contains("serve"))
  }

  @Test func `of many values each is named once, on one line`() throws {
    let compare = try Performed("compare", "a", "b", "--format", "pdf").diagnostics
    #expect(
      compare.contains("one of the following: table, markdown, csv, json, junit, github; 'frame"))
    let bench = try Performed("bench", "--carrier", "nope").diagnostics
    #expect(
      bench.hasPrefix(
        "framebudget: --carrier: 'nope' is not a carrier that can be measured; allowed: actor, "))
    #expect(bench.components(separatedBy: "run-loop").count == 2)
  }

  @Test func `a missing extension of a scenario, or one on its results, is reported`()
    throws
  {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "mine.yaml")
    let file = scratch.path("mine.yaml")
    let run = try Performed("run", scratch.path("mine"), "--engine", "virtual")
    #expect(run.status == .noInput)
    #expect(run.diagnostics.hasSuffix("; did you mean '\(file)'?\n"))
    for arguments in [["report", file], ["compare", file, file]] {
      let performed = try Performed(arguments)
      #expect(performed.status == .badInput)
      #expect(
        performed.diagnostics
          == "framebudget: \(file) is a scenario, and no result of it; 'framebudget run \(file) -o DIR' makes one\n"
      )
    }
  }

  @Test func `an error names the help of its own command`() throws {
    let performed = try Performed("list", "colours")
    #expect(performed.status == .usage)
    #expect(performed.diagnostics.contains("'framebudget list --help' shows what is allowed"))
    #expect(
      try Performed("--colours").diagnostics
        .contains("'framebudget --help' shows what is allowed"))
  }
}
