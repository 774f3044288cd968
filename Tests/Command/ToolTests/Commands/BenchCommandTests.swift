import FrameBudget
import FrameBudgetReports
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// On the carriers that cost least to measure; the measurement itself is tested with the engine.
@Suite(.serialized) struct `framebudget bench` {
  private static let short = ["bench", "--carrier", "dispatch,thread", "--repeat", "1", "--quick"]

  @Test func `prints a table and warns of a debug build`() throws {
    let bench = try Performed(Self.short)
    #expect(bench.status == .success)
    #expect(bench.output.contains("\ndispatch "))
    #expect(bench.output.contains("\nthread "))
    #expect(!bench.output.contains("\nnio "))
    #expect(bench.diagnostics.contains("debug build") == Circumstances.isBuiltForDebugging)
  }

  @Test
  func `puts a line for each carrier and number of producers into CSV, and nothing beside it`()
    throws
  {
    let bench = try Performed(Self.short + ["--format", "csv", "--quiet"])
    #expect(bench.status == .success)
    #expect(bench.diagnostics == "")
    let lines = bench.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("schema,carrier,queue,producers,repetition,events_per_s,"))
    #expect(lines[1].hasPrefix("1,thread,,1,1,"))
    #expect(lines[4].hasPrefix("1,dispatch,,2,1,"))
  }

  @Test func `says in JSON which machine it was`() throws {
    let bench = try Performed(Self.short + ["--format", "json", "--quiet"])
    #expect(bench.output.contains("\"machine\": {"))
    #expect(bench.output.contains("\"measurements\": ["))
  }

  @Test func `writes costs, and over nothing`() throws {
    let scratch = try Scratch()
    let file = scratch.path("costs.json")
    let first = try Performed(Self.short + ["-o", file])
    #expect(first.status == .success)
    #expect(first.diagnostics.contains("the costs are in \(file)"))
    let costs = try #require(scratch.text("costs.json"))
    let isQuiet = !first.diagnostics.contains("the file leaves out hand-offs")
    #expect(costs.contains("\"dispatch\": {") == isQuiet)
    #expect(costs.contains("\"latency_ns\": ") == isQuiet)
    let again = try Performed(Self.short + ["-o", file])
    #expect(again.status == .cannotCreate)
    #expect(again.output == "")
    #expect(scratch.text("costs.json") == costs)
    #expect(scratch.names() == ["costs.json"])
  }

  @Test func `leaves out what others disturbed`() {
    let (quiet, busy) = (
      HostLoad(stealPercent: 0, othersPercent: 4), HostLoad(stealPercent: 0, othersPercent: 34)
    )
    #expect(BenchCommand.reason(toLeaveOut: "slices", quiet) == nil)
    #expect(
      BenchCommand.reason(toLeaveOut: "slices", busy)
        == "the file leaves out slices, so --costs assumes the default: others used 34 % of the processors"
    )
  }

  @Test func `measures copies of state only where no carriers are named`() throws {
    let named = try Performed(Self.short + ["--format", "csv", "--quiet"])
    #expect(named.output.split(separator: "\n").dropFirst().allSatisfy { $0.hasSuffix(",,,") })
  }

  @Test(arguments: ["main", "dispach", ""])
  func `knows no other carrier`(_ name: String) throws {
    let bench = try Performed("bench", "--carrier", name)
    #expect(bench.status == .usage)
    #expect(bench.diagnostics.contains("'\(name)' is not a carrier that can be measured"))
  }

  @Test func `suggests the carrier that was meant`() throws {
    #expect(try Performed("bench", "--carrier", "dispach").diagnostics.contains("'dispatch'"))
  }

  @Test(arguments: ["0", "-1", "1001", "x"])
  func `wants a sensible number of repetitions`(_ count: String) throws {
    #expect(try Performed("bench", "--repeat=\(count)").status == .usage)
  }

  @Test(arguments: [10, 30, 80])
  func `draws a bar that fits`(_ width: Int) {
    for done in 0..<50 {
      let line = StepBar.line("operation-queue", done: done, of: 50, width: width)
      #expect(line.count <= width)
      #expect(line.hasPrefix("\(done + 1)/50"))
    }
    #expect(StepBar.line("nio", done: 1, of: 2, width: 80).count { $0 == "█" } == 15)
  }
}
