import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `The summary of a sweep over seeds` {
  private func records(_ text: String?) throws -> [[String: String]] {
    let lines = try #require(text).split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  @Test func `has the mean of what its rows say`() throws {
    let sweep = try SweepFixture()
    let run = try sweep.run("-o", sweep.path("out"), "--summary", "--format", "csv")
    #expect(run.status == .success, "\(run.diagnostics)")
    #expect(run.output == sweep.scratch.text("out/seeds.csv"))
    let rows = try records(sweep.scratch.text("out/summary.csv"))
    let lines = try records(run.output).filter { $0["metric"] == "frame_ms_p99" }
    #expect(lines.count == SweepFixture.runs / 3)
    for line in lines {
      let values = rows.filter {
        $0["strategy"] == line["strategy"] && $0["changes"] == line["changes"]
      }
      .compactMap { $0["frame_ms_p99"].flatMap(Double.init) }
      #expect(values.count == 3)
      let mean = try #require(line["mean"].flatMap(Double.init))
      #expect(abs(mean - values.reduce(0, +) / 3) < 0.001)
      #expect(line["max"].flatMap(Double.init) == values.max())
      #expect(line["min"].flatMap(Double.init) == values.min())
    }
  }

  @Test func `has the same bytes after an interruption and after a merge`() throws {
    let sweep = try SweepFixture()
    _ = try sweep.run("-o", sweep.path("whole"), "--summary")
    let whole = try #require(sweep.scratch.text("whole/seeds.csv"))
    _ = try sweep.run("-o", sweep.path("part"))
    try sweep.interrupt("part", summary: 3000, workloads: 3000)
    _ = try sweep.run("-o", sweep.path("part"), "--summary", "--resume", "--jobs", "1")
    #expect(sweep.scratch.text("part/seeds.csv") == whole)
    let folders = try (1...4).map { number in
      _ = try sweep.run("--shard", "\(number)/4", "-o", sweep.path("\(number)"))
      return sweep.path("\(number)")
    }
    #expect(try Performed(["merge"] + folders + ["-o", sweep.path("all")]).status == .success)
    #expect(try sweep.run("-o", sweep.path("all"), "--summary", "--resume").status == .success)
    #expect(sweep.scratch.text("all/seeds.csv") == whole)
  }

  @Test func `says how many seeds meet what is expected`() throws {
    let text = ShortScenario.expecting("main-thread: {dropped_frames: {max: 11}}")
    let sweep = try SweepFixture(text)
    let run = try sweep.run(
      ["-o", sweep.path("out"), "--summary"], flags: ["--vary", "seed=1..40"])
    #expect(run.status == .success)
    let dropped = try records(sweep.scratch.text("out/summary.csv"))
      .filter { $0["strategy"] == "main-thread" }.compactMap {
        $0["dropped_frames"].flatMap(Double.init)
      }
    let met = Double(dropped.count { $0 <= 11 }) / 40
    // Neither all nor none, or the test would show nothing.
    #expect(met > 0 && met < 1)
    let line = try #require(
      try records(sweep.scratch.text("out/seeds.csv")).first { $0["metric"] == "expectations_met" })
    #expect(line["strategy"] == "main-thread")
    #expect(line["mean"].flatMap(Double.init) == met)
    #expect(run.output.contains("expectations"))
  }

  @Test(arguments: [
    (["--vary", "display.render=1..2 ms", "--summary", "-o", "x"], "add --vary seed"),
    (["--vary", "seed=1..2", "--summary"], "needs -o"),
    (["--vary", "seed=1..2", "--summary", "-o", "x", "--shard", "1/2"], "merge"),
    (["--vary", "seed=1..2", "--summary", "-o", "x", "--format", "json"], "no JSON"),
  ])
  func `is refused where there is none`(_ flags: [String], _ words: String) throws {
    let sweep = try SweepFixture()
    let run = try sweep.run([], flags: flags)
    #expect(run.status == .usage)
    #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
  }
}
