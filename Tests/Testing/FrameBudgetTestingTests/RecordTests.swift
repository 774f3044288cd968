import Foundation
import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  struct RecordTests {
    @Test @MainActor func `the recorded measurement replays as the report predicts`()
      async throws
    {
      let report = try await Self.report()
      let scratch = try Scratch()
      _ = try MeasurementRecord(of: report, in: scratch.root)
      let found = try #require(try RecordedMeasurement.all(in: scratch.folder).first)
      #expect(found.name == "adding-photos")
      #expect(found.checks == [])
      #expect(found.file.summary == report.description)
      let plan = try found.file.plan(named: found.name)
      let metrics = RunMetrics(VirtualEngine(costs: .none).run(plan))
      for metric in [ReportedMetric.droppedFrames, .frameTime, .contentTime, .lateResponses] {
        #expect(metrics[metric.name] == report.predicted(metric), "\(metric)")
      }
      #expect(
        scratch.names(in: found.name).filter { $0.hasSuffix(".yaml") } == ["adding-photos.yaml"])
    }

    @Test @MainActor func `each check of the test is recorded once`() async throws {
      let scratch = try Scratch()
      var report = try await Self.report()
      report.record = try MeasurementRecord(of: report, in: scratch.root)
      let verdict = report.verdict(.droppedFrames, atMost: 1_000_000)
      _ = report.verdict(.droppedFrames, atMost: 1_000_000)
      _ = report.verdict(.droppedFrames, atLeast: 1_000_000)
      let checks = try #require(try RecordedMeasurement.all(in: scratch.folder).first).checks
      #expect(
        checks.map(\.name) == [
          "dropped_frames at most 1000000", "dropped_frames at least 1000000",
        ])
      #expect(checks.map(\.verdict) == [verdict, .missed])
      #expect(verdict == .met)
    }

    @Test @MainActor func `measurements with the same name get different folders`() async throws {
      let (report, scratch) = (try await Self.report(), try Scratch())
      for _ in 0..<3 { _ = try MeasurementRecord(of: report, in: scratch.root) }
      #expect(scratch.names() == ["adding-photos", "adding-photos-2", "adding-photos-3"])
    }

    @MainActor private static func report() async throws -> FrameReport {
      let catalogue = Catalogue()
      return try await measureFrames(
        drawing: .milliseconds(1), for: .milliseconds(300), test: "`adding photos`()"
      ) { app in
        app.workload("add", .every(.milliseconds(50)), respondWithin: .milliseconds(100)) {
          catalogue.add($0, taking: .milliseconds(2))
        }
      }
    }
  }
}

struct RecordedCheckTests {
  private static func baseline(_ factor: Double, _ names: [String] = ["add"]) -> Baseline {
    let samples = (0..<40).map { factor * (1_000_000 + 1000 * Double($0 % 7)) }
    return Baseline(
      machine: .here, probe: 20_000, fastestProbe: 20_000,
      closures: names.map { Baseline.Closure(name: $0, samples: samples) })
  }

  private static func checks(_ base: Baseline, _ new: Baseline) throws -> [RecordedCheck] {
    let scratch = try Scratch()
    try base.write(to: scratch.path("base.json"))
    return try new.checked(besides: scratch.path("base.json"))
  }

  @Test func `a slower closure is missed, a faster one is not`() throws {
    let slower = try Self.checks(Self.baseline(1), Self.baseline(1.3))
    #expect(slower.map(\.verdict) == [.missed])
    #expect(slower.map(\.word) == ["slower"])
    #expect(slower.first?.value.hasPrefix("+30 %, +") == true, "\(slower)")
    #expect(try Self.checks(Self.baseline(1), Self.baseline(0.7)).map(\.verdict) == [.met])
    #expect(try Self.checks(Self.baseline(1), Self.baseline(1)).map(\.word) == ["same"])
  }

  @Test func `a closure that cannot be compared is unsure, with the reason`() throws {
    var elsewhere = Self.baseline(1)
    elsewhere.machine.cores += 1
    let checks = [
      try Self.baseline(1).checked(besides: "\(Scratch.nowhere)/base.json"),
      try Self.checks(elsewhere, Self.baseline(1)),
      try Self.checks(Self.baseline(1, ["add", "gone"]), Self.baseline(1)).filter {
        $0.name == "baseline"
      },
    ]
    for check in checks {
      #expect(check.map(\.verdict) == [.unsure])
      #expect(check.first?.note != nil)
    }
  }

  @Test func `the check of a limit has the range and the reasons for doubt`() {
    let check = RecordedCheck(
      .frameTime, .atMost, 16, range: 3.25...4, .unsure, doubts: ["half of it"])
    #expect(check.name == "frame_ms_p99 at most 16 ms")
    #expect(check.value == "3.25 to 4 ms")
    #expect(check.note == "half of it")
  }

  @Test func `folders are named after tests, without characters that names may not have`() {
    #expect(WorkloadName.folder(for: "`adding photos: é`()") == "adding-photos")
    #expect(WorkloadName.folder(for: "()") == "test")
  }
}
