import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetTesting

/// Files of measurements, with numbers that no measurement has.
struct HostileFileTests {
  private static let values = [
    "-1", "0", "2147483648", "9007199254740993", "4611686018427387904", "9223372036854775807",
    "-9223372036854775808", "1e308", "-1e308", "5e-324",
  ]

  private static let baseline = Baseline(
    machine: .here, probe: 20_000, fastestProbe: 19_500,
    closures: [
      Baseline.Closure(name: "add", samples: (0..<20).map { 1_000_000 + 1000 * Double($0 % 7) })
    ])

  private static var measurement: MeasurementFile {
    let item = MeasurementFile.Item(
      arrival: 50_000_000,
      pieces: [MeasurementFile.Piece(cpu: 2_000_000, wait: 1000, nice: 3, isUrgent: false)])
    return MeasurementFile(
      test: "adding",
      settings: MeasurementFile.Settings(
        pictures: 60, seconds: 1, drawing: 4_000_000, duration: 300_000_000, cores: 2, seed: 1,
        order: .fifo, batch: .one),
      renders: [4_000_000, 5_000_000],
      ways: [
        MeasurementFile.Way(
          name: "add", closure: "add", respondWithin: 100_000_000, places: ["main"],
          items: [item, item])
      ], baseline: baseline, summary: "")
  }

  /// `text` with each of its numbers replaced by each value, in turn.
  private static func changes(of text: String) -> [String] {
    text.ranges(of: /-?[0-9]+(\.[0-9]+)?/).flatMap { place in
      values.map { text.replacingCharacters(in: place, with: $0) }
    }
  }

  @Test func `a baseline with any number in any place is compared or refused`() throws {
    let scratch = try Scratch()
    let path = scratch.path("base.json")
    try Self.baseline.write(to: path)
    #expect(try Self.baseline.checked(besides: path).count == 1)
    var refused = 0
    for text in Self.changes(of: try #require(scratch.text("base.json"))) {
      try Data(text.utf8).write(to: URL(filePath: path))
      guard let checks = try? Self.baseline.checked(besides: path) else {
        refused += 1
        continue
      }
      for check in checks { #expect(!check.value.contains("nan") && !check.value.contains("inf")) }
    }
    #expect(refused > 0)
  }

  @Test func `a measurement with any number in any place is planned or refused`() throws {
    let scratch = try Scratch()
    let text = String(decoding: try JSONEncoder().encode(Self.measurement), as: UTF8.self)
    let path = "adding/\(MeasurementFile.name)"
    try FileManager.default.createDirectory(
      atPath: scratch.path("adding"), withIntermediateDirectories: true)
    try scratch.write(text, to: path)
    let whole = try #require(try RecordedMeasurement.all(in: scratch.folder).first)
    #expect(try whole.file.plan(named: "adding").scenario.workloads.count == 1)
    var planned = 0
    for text in Self.changes(of: text) {
      try Data(text.utf8).write(to: URL(filePath: scratch.path(path)))
      guard let found = try? RecordedMeasurement.all(in: scratch.folder).first,
        let plan = try? found.file.plan(named: "adding")
      else { continue }
      planned += 1
      for workload in plan.scenario.workloads { #expect(workload.name == "add") }
    }
    #expect(planned > 0 && planned < Self.changes(of: text).count)
  }
}
