import Foundation
import FrameBudget
import Reports
import Scenarios
import TestSupport
import Testing

@testable import Tool

/// From what `bench` measures to what a simulation assumes.
struct `Measured costs` {
  /// A scheduler that takes 2 ms of whoever posts to it, 3 ms where that wakes it, and 40 ms to wake up.
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
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let place = try #require(lines.first?.firstIndex(of: Substring(name)))
    return String(try #require(lines.last)[place])
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

  /// A scheduler's lane copies 1000 records once a frame; a microsecond each is what makes the difference.
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

  @Test func `stand in run_json, and can be read again from there`() throws {
    let scratch = try Scratch()
    let file = scratch.path("costs.json")
    try scratch.write(CostsJSON.text([Self.slow]), to: "costs.json")
    _ = try run(["--costs", file, "-o", scratch.path("out")], in: scratch)
    let json = try #require(scratch.text("out/run.json"))
    #expect(json.contains("\"changes\": \"costs=\(file)\""))
    let from = try #require(json.range(of: "  \"costs\": ")?.upperBound)
    let to = try #require(json.range(of: "\n  },", range: from..<json.endIndex)?.upperBound)
    let again = try CostsFile.parse(
      Array(json[from..<to].dropLast().utf8), file: "run.json")
    var expected = Costs.standard
    expected[.scheduler] = HandOffCosts(
      post: .milliseconds(2), wake: .milliseconds(1), latency: .milliseconds(40))
    #expect(again == expected)
  }

  @Test func `are not in run_json where the standard ones hold`() throws {
    let scratch = try Scratch()
    _ = try run(["-o", scratch.path("out")], in: scratch)
    #expect(scratch.text("out/run.json")?.contains("post_ns") == false)
  }
}
