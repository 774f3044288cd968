import Foundation
import FrameBudget
import FrameBudgetReports
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The costs that a simulation assumes, from measurements of `bench`.
struct `Measured costs` {
  /// A scheduler with posts of 2 ms, wake-ups of 3 ms and a latency of 40 ms.
  private static let slow = HandOffMeasurement(
    carrier: .scheduler, queue: "stack", producers: 1, repetition: 1, eventsPerSecond: 1e6,
    post: .init(p50: 2_000_000, p99: 2_000_000, max: 2_000_000),
    idle: .init(
      latency: .init(p50: 43_000_000, p99: 43_000_000, max: 43_000_000), wakingPost: 3_000_000))

  private func run(
    _ flags: [String], _ scenario: String = ShortScenario.text, in scratch: Scratch
  ) throws -> Performed {
    try scratch.write(scenario, to: "short.yaml")
    return try Performed(
      ["run", scratch.path("short.yaml"), "--engine", "virtual", "--format", "csv"]
        + ["--strategy", "schedulable"] + flags)
  }

  private func field(_ name: String, of run: Performed) throws -> String {
    try #require(row(of: run)[name])
  }

  /// The last line, by the names of its columns.
  private func row(of run: Performed) throws -> [String: String] {
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (names, cells) = (try #require(lines.first), try #require(lines.last))
    return Dictionary(uniqueKeysWithValues: zip(names, cells))
  }

  @Test func `are assumed by a simulation as they were written`() throws {
    let scratch = try Scratch()
    let file = scratch.path("costs.json")
    try scratch.write(CostsJSON.text([Self.slow]), to: "costs.json")
    let standard = try run([], in: scratch)
    let slow = try run(["--costs", file, "-o", scratch.path("out")], in: scratch)
    #expect(slow.status == .success)
    // Posting 100 files one by one takes 201 ms of the main thread, which drops twelve frames.
    #expect(try field("drops_post", of: standard) == "0")
    #expect(try field("drops_post", of: slow) == "12")
    #expect(try field("changes", of: slow) == "costs=\(file)")
  }

  /// A scheduler's lane copies 1000 records once a frame; a microsecond for each makes the difference.
  @Test func `of copying are assumed by a simulation too`() throws {
    let scratch = try Scratch()
    let spread = HandOffMeasurement.Spread(p50: 1_000_000, p99: 1_000_000, max: 1_000_000)
    let copies = [CopyMeasurement(records: 1000, repetition: 1, copy: spread, release: spread)]
    try scratch.write(CostsJSON.text([], copies: copies), to: "costs.json")
    let scenario =
      ShortScenario.text.replacing("files: {}", with: "files: {state: 1000 records}")
      + "ui: {reads: [{service: files, cpu: 1 us}]}\n"
    let standard = try run([], scenario, in: scratch)
    let slow = try run(["--costs", scratch.path("costs.json")], scenario, in: scratch)
    #expect(slow.status == .success)
    let (before, after) = (
      try #require(Double(try field("publish_ms_total", of: standard))),
      try #require(Double(try field("publish_ms_total", of: slow)))
    )
    #expect(before > 0 && after > 10 * before)
  }

  @Test func `of slices are the simulated machine's, unless the scenario has its own`() throws {
    let scratch = try Scratch()
    let found = MachineMeasurement(calibration: Calibration(cores: 1, slice: .milliseconds(20)))
    try scratch.write(CostsJSON.text([], machine: found), to: "costs.json")
    func values(_ flags: String...) throws -> [String: String] {
      try row(of: run(flags + ["--cores", "1"], in: scratch)).filter { $0.key != "changes" }
    }
    let costs = scratch.path("costs.json")
    let measured = try values("--costs", costs)
    #expect(try measured == values("--set", "machine.slice=20 ms"))
    #expect(try measured != values())
    let own = ["--set", "machine.slice=500 us"]
    #expect(try values(own[0], own[1], "--costs", costs) == values(own[0], own[1]))
  }

  @Test func `of another machine are warned of`() throws {
    let scratch = try Scratch()
    let found = MachineMeasurement(calibration: Calibration(cores: 8, wakesOnIdle: 40))
    try scratch.write(CostsJSON.text([], machine: found), to: "costs.json")
    let costs = ["--costs", scratch.path("costs.json")]
    let other = try run(costs, in: scratch)
    #expect(
      other.diagnostics.contains("a machine with 8 cores, the simulated one has 2; --cores 8"))
    #expect(other.diagnostics.contains("40 % of waking threads get an idle core"))
    let same = try run(costs + ["--cores", "8"], in: scratch)
    #expect(same.status == .success && !same.diagnostics.contains("8 cores, the simulated"))
    #expect(try run(costs + ["--quiet"], in: scratch).diagnostics == "")
  }

  @Test func `are in run.json, and can be read from it`() throws {
    let scratch = try Scratch()
    let file = scratch.path("costs.json")
    try scratch.write(CostsJSON.text([Self.slow]), to: "costs.json")
    _ = try run(["--costs", file, "-o", scratch.path("out")], in: scratch)
    let json = try #require(scratch.text("out/run.json"))
    #expect(json.contains("\"changes\": \"costs=\(file)\""))
    var expected = Costs.standard
    expected[.scheduler] = HandOffCosts(
      post: .milliseconds(2), wake: .milliseconds(1), latency: .milliseconds(40))
    #expect(try costs(in: json) == expected)
  }

  @Test func `keep every value in run_json`() throws {
    var costs = Costs.standard
    costs[.scheduler].post = .nanoseconds(123_456_789)
    costs[.naive].pollInterval = .milliseconds(3)
    costs[.naive].perWaiting = .nanoseconds(4)
    costs[.naive].run = .nanoseconds(5)
    costs.lock.wake = .zero
    costs.copyPerRecord = .nanoseconds(17)
    costs.calibration = Calibration(cores: 3, slice: .microseconds(1234), wakesOnIdle: 7)
    var circumstances = Circumstances()
    circumstances.costs = costs
    #expect(try self.costs(in: RunJSON.text([ReportRow](), circumstances)) == costs)
  }

  private func costs(in json: String) throws -> Costs {
    let from = try #require(json.range(of: "  \"costs\": ")?.upperBound)
    let to = try #require(json.range(of: "\n  },", range: from..<json.endIndex)?.upperBound)
    return try CostsFile.parse(Array(json[from..<to].dropLast().utf8), file: "run.json")
  }

  @Test func `are not in run_json where the standard ones hold`() throws {
    let scratch = try Scratch()
    _ = try run(["-o", scratch.path("out")], in: scratch)
    #expect(scratch.text("out/run.json")?.contains("post_ns") == false)
  }
}
