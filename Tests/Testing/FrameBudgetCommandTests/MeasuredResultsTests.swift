import Foundation
import FrameBudgetTesting
import TestSupport
import Testing

@testable import frame_budget

struct `What tests left behind` {
  @Test func `is written as files for framebudget, and as a page`() throws {
    let scratch = try Scratch()
    let measurements = try Self.measurements(in: scratch, pieces: 3)
    #expect(measurements.map(\.name) == ["adding-photos"])
    #expect(measurements.map(\.checks.count) == [1])
    try MeasuredResults(measurements).write(to: scratch.folder)
    #expect(
      scratch.names() == [
        "adding-photos", "frames.csv", "frames.html", "run.json", "summary.csv", "trace.json",
        "workloads.csv",
      ])
    let summary = try #require(scratch.text("summary.csv"))
    for strategy in ["as-measured", "main-thread", "yielding", "schedulable"] {
      #expect(summary.contains(",adding-photos,\(strategy),"), "\(strategy)")
    }
    let page = try #require(scratch.text("frames.html"))
    #expect(page.contains("adding-photos") && page.contains("as-measured"))
  }

  @Test func `is refused if a part is missing`() throws {
    let scratch = try Scratch()
    let measurements = try Self.measurements(in: scratch, pieces: 2)
    let error = #expect(throws: CommandError.self) { try MeasuredResults(measurements) }
    #expect(error?.status == .badInput)
  }

  @Test func `is refused if it has another version`() throws {
    let scratch = try Scratch()
    #expect(throws: (any Error).self) {
      try Self.measurements(in: scratch, pieces: 3, format: 99)
    }
  }

  @Test func `is compared with a folder of baselines`() throws {
    let scratch = try Scratch()
    let measurements = try Self.measurements(in: scratch, pieces: 3)
    let baselines = BaselineFolder(path: scratch.path("baselines"))
    let error = #expect(throws: CommandError.self) { try baselines.requirePresence() }
    #expect(error?.status == .noInput)
    try baselines.update(measurements)
    try baselines.requirePresence()
    #expect(scratch.names(in: "baselines") == ["adding-photos.json"])
    #expect(try baselines.checks(measurements[0]).map(\.word) == ["same"])
  }

  private static func measurements(
    in scratch: Scratch, pieces: Int, format: Int = 2
  ) throws -> [RecordedMeasurement] {
    let piece = #"{"cpu":9000000,"wait":0,"nice":0,"isUrgent":false}"#
    let items = (1...20).map { number in
      let own = Array(repeating: piece, count: pieces).joined(separator: ",")
      return "{\"arrival\":\(number)0000000,\"pieces\":[\(own)]}"
    }
    let samples = (0..<20).map { String(27_000_000 + $0) }
    try FileManager.default.createDirectory(
      atPath: scratch.path("adding-photos"), withIntermediateDirectories: true)
    try scratch.write(
      """
      {"format":\(format),"test":"adding photos","summary":"adding photos: 60 Hz","renders":[],
       "settings":{"pictures":60,"seconds":1,"drawing":4000000,"duration":1000000000,"cores":2,"seed":1,"order":"first","batch":"one"},
       "ways":[{"name":"add","closure":"add","respondWithin":100000000,"places":["main","pool-add","main"],
         "items":[\(items.joined(separator: ","))]}],
       "baseline":{"format":1,"machine":{"processor":"one","cores":2,"build":"release"},"probe":20000,"fastestProbe":20000,
         "closures":[{"name":"add","samples":[\(samples.joined(separator: ","))]}]}}
      """, to: "adding-photos/measurement.json")
    try scratch.write(
      #"[{"name":"dropped_frames at most 0","value":"3","verdict":"missed","word":"missed"}]"#,
      to: "adding-photos/checks.json")
    return try RecordedMeasurement.all(in: scratch.folder)
  }
}
