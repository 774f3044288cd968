import FrameBudget
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `framebudget check` {
  @Test func `says in one line what each scenario is`() throws {
    let check = try Performed(["check"] + ShippedScenarios.all.map(\.name))
    #expect(check.status == .success)
    // Notes on a scenario are indented below its line.
    let lines = check.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(lines.count == ShippedScenarios.all.count)
    for (line, shipped) in zip(lines, ShippedScenarios.all) {
      #expect(line.hasPrefix("\(shipped.name): ok: "))
    }
    #expect(check.diagnostics == "")
  }

  @Test func `names workloads that take nested locks in opposite orders`() throws {
    let check = try Performed("check", "lock-order", "lock-starvation")
    #expect(check.status == .success)
    let notes = check.output.split(separator: "\n").filter { $0.hasPrefix(" ") }
    #expect(
      notes == [
        "  opposite-orders can deadlock: import takes catalogue, then gallery; clean-up takes "
          + "gallery, then catalogue"
      ])
  }

  @Test func `goes on after an error, and ends with the status of the first`() throws {
    let scratch = try Scratch()
    try scratch.write("scenario: [", to: "broken.yaml")
    let check = try Performed("check", scratch.path("broken.yaml"), Scratch.nowhere, "steady")
    #expect(check.status == .badInput)
    #expect(check.output.hasPrefix("steady: ok"))
    #expect(check.diagnostics.contains("broken.yaml:1:"))
    #expect(check.diagnostics.contains("cannot open \(Scratch.nowhere)"))
    #expect(try Performed("check", Scratch.nowhere, scratch.path("broken.yaml")).status == .noInput)
  }

  @Test func `reads standard input`() throws {
    let check = try Performed("check", "-", input: ShortScenario.text)
    #expect(check.output == "-: ok: 60 Hz, 1 s, 1 service, 1 workload, 2 strategies\n")
  }

  @Test func `draws the arrangement on request`() throws {
    let check = try Performed("check", "--sketch", "-", input: ShortScenario.text)
    #expect(
      check.output.hasSuffix(
        """
        schedulable
          main         [frame loop]  runs results for up to 2 ms per frame  draws
          background   [scheduler]  home of files

          add-file     main ─▶ background: files ─▶ main: result

          calls        1 of 1 goes to another lane

        """))
  }

  @Test func `warns of a second stage that takes longer than a period`() throws {
    for (compositor, notes) in [("16 ms", 0), ("18 ms", 1)] {
      let display = "display: {refresh: 60 Hz, compositor: \(compositor), deadline: 2}"
      let text = "scenario: slow\n\(display)\nduration: 1 s\n"
      let check = try Performed("check", "-", input: text)
      #expect(check.status == .success)
      let lines = check.output.split(separator: "\n").dropFirst()
      #expect(lines.count == notes)
      #expect(lines.allSatisfy { $0.contains("the compositor takes 18 ms, longer than a period") })
    }
  }

  @Test func `wants something to check`() throws {
    #expect(try Performed("check").status == .usage)
  }

  @Test func `refuses a file without an end quickly`() throws {
    let check = try Performed("check", "/dev/zero")
    #expect(check.status == .badInput)
    #expect(check.diagnostics.contains("too large"))
  }
}

struct `framebudget list` {
  @Test func `lists everything there is`() throws {
    let list = try Performed("list")
    #expect(list.status == .success)
    for name in StrategyCatalog.all.map(\.name) + MetricCatalog.all.map(\.name) {
      #expect(list.output.contains("\n\(name) "), "\(name)")
    }
    for name in CarrierKind.allCases.map(\.rawValue) + ShippedScenarios.all.map(\.name) {
      #expect(list.output.contains("\n\(name) "), "\(name)")
    }
  }

  @Test func `lists a single topic on request`() throws {
    let list = try Performed("list", "strategies")
    #expect(list.output.hasPrefix("main-thread "))
    #expect(list.output.contains("batch=1000: number of background items that start at a time"))
    #expect(!list.output.contains("dropped_frames"))
  }

  @Test func `names the tools that print a metric`() throws {
    let output = try Performed("list", "metrics").output
    let words = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for theirs in PlatformMetric.all {
      #expect(words.contains("\(theirs.set.rawValue): \(theirs.theirs)"), "\(theirs.theirs)")
    }
  }

  @Test func `has a formula and a unit for metrics`() throws {
    let metrics = try Performed("list", "metrics").output
    #expect(metrics.contains("1000 x hitch_total / (D, or on demand T x expected_frames) [ms/s]"))
  }

  @Test func `keeps to the width`() throws {
    for width in [60, 80, 200] {
      let lines = try Performed(["list"], columns: width).output.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width })
    }
  }

  @Test func `knows no other topic`() throws {
    let list = try Performed("list", "nonsense")
    #expect(list.status == .usage)
    #expect(list.diagnostics.contains("'scenarios'"))
  }
}

struct `framebudget itself` {
  @Test(arguments: [
    [], ["--help"], ["run", "--help"], ["help", "list"], ["check", "-h"], ["--version"],
  ])
  func `puts help and version on the output`(_ arguments: [String]) throws {
    let help = try Performed(arguments)
    #expect(help.status == .success)
    #expect(!help.output.isEmpty)
    #expect(help.diagnostics == "")
  }

  @Test(arguments: [["nonsense"], ["--nonsense"], ["run"]])
  func `says what is wrong in one line`(_ arguments: [String]) throws {
    let wrong = try Performed(arguments)
    #expect(wrong.status == .usage)
    #expect(wrong.output == "")
    #expect(wrong.diagnostics.hasPrefix("framebudget: "))
    #expect(wrong.diagnostics.split(separator: "\n").count == 1)
  }
}
