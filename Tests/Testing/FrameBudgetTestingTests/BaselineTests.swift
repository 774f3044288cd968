import Foundation
import TestSupport
import Testing

@testable import FrameBudgetTesting

extension Measuring {
  struct BaselineTests {
    @Test func `without idle time on the main thread, the speed is another thread's`() {
      let speed = ThreadSpeed([], otherwise: [40, 20, 30])
      #expect(speed.probe == 30 && speed.fastestProbe == nil)
    }

    @Test @MainActor func `a missing baseline is an error that names its path`() async throws {
      let report = try await Self.report()
      let scratch = try Scratch()
      let path = scratch.path("none.json")
      let error = #expect(throws: MeasurementError.self) { try report.compare(to: path) }
      #expect(error?.reason == .noBaseline(path))
    }

    @Test @MainActor func `a baseline of another machine is refused`() async throws {
      let report = try await Self.report()
      let scratch = try Scratch()
      var baseline = report.baseline
      try baseline.write(to: scratch.path("here.json"))
      #expect(try report.compare(to: scratch.path("here.json")).regressions == [])
      baseline.machine.cores += 1
      try baseline.write(to: scratch.path("there.json"))
      let error = #expect(throws: MeasurementError.self) {
        try report.compare(to: scratch.path("there.json"))
      }
      guard case .otherMachine? = error?.reason else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
    }

    @Test @MainActor func `a file that is not a baseline is refused`() async throws {
      let report = try await Self.report()
      let scratch = try Scratch()
      try scratch.write("{}", to: "broken.json")
      #expect(throws: MeasurementError.self) { try report.compare(to: scratch.path("broken.json")) }
    }

    @Test func `a third more time is slower, a third less is faster, no change is the same`() {
      let base = Self.baseline(1)
      #expect(Self.verdict(base, Self.baseline(1.3)) == .slower)
      #expect(Self.verdict(base, Self.baseline(0.7)) == .faster)
      #expect(Self.verdict(base, Self.baseline(1)) == .same)
      #expect(Self.verdict(base, Self.baseline(1.05)) == .same)
    }

    @Test(arguments: [(1.3, 1.3), (1.3, 1), (1.1, 1)])
    func `on a slower main thread, only more than that is a change`(probe: Double, fastest: Double)
    {
      func slowed(_ factor: Double) -> Baseline {
        var slow = Self.baseline(factor * probe)
        slow.probe *= probe
        slow.fastestProbe = slow.fastestProbe.map { $0 * fastest }
        return slow
      }
      #expect(Self.verdict(Self.baseline(1), slowed(1)) == (probe > 1.2 ? .unsure : .same))
      #expect(Self.verdict(slowed(1), Self.baseline(1)) == (probe > 1.2 ? .unsure : .same))
      // Times that are longer by twice as much as those of probes.
      let twice = (2 * probe - 1) / probe
      #expect(Self.verdict(Self.baseline(1), slowed(twice)) == (probe > 1.2 ? .unsure : .same))
      #expect(Self.verdict(Self.baseline(1), slowed(1.6)) == .slower)
      #expect(Self.verdict(slowed(4), Self.baseline(1)) == .faster)
      let notes = BaselineStatistics(base: slowed(1), new: Self.baseline(1), threshold: 0.15)
        .comparison.notes
      let share = Int((100 * (probe - 1)).rounded())
      #expect(
        notes == ["during the baseline the main thread was \(share) % slower than at its best"])
    }

    @Test(arguments: [true, false])
    func `if the main thread's speed is unknown, only twice the time is a change`(isBase: Bool) {
      var (base, new) = (Self.baseline(1), Self.baseline(1))
      // The probe of another thread.
      if isBase {
        (base.probe, base.fastestProbe) = (1.3 * base.probe, nil)
      } else {
        (new.probe, new.fastestProbe) = (1.3 * new.probe, nil)
      }
      func verdict(_ factor: Double) -> BaselineComparison.Verdict? {
        new.closures = Self.baseline(factor).closures
        return Self.verdict(base, new)
      }
      #expect([1, 1.3, 2.5].map(verdict) == [.unsure, .unsure, .slower])
      let side = isBase ? "the baseline" : "this measurement"
      #expect(
        BaselineStatistics(base: base, new: new, threshold: 0.15).comparison.notes == [
          "the speed of the main thread during \(side) is unknown, so only twice the time counts"
        ])
    }

    @Test func `50 % more time is not a change if it is below a microsecond`() {
      #expect(Self.verdict(Self.baseline(0.001), Self.baseline(0.0015)) == .same)
      #expect(Self.verdict(Self.baseline(0.001), Self.baseline(0.004)) == .slower)
    }

    @Test func `few items make the comparison unsure`() {
      var (base, new) = (Self.baseline(1), Self.baseline(1.3))
      base.closures[0].samples = Array(base.closures[0].samples.prefix(3))
      new.closures[0].samples = Array(new.closures[0].samples.prefix(3))
      #expect(Self.verdict(base, new) == .unsure)
    }

    @Test(arguments: [true, false])
    func `if others used the processors, only twice the time is a change`(isBase: Bool) {
      var (base, new) = (Self.baseline(1), Self.baseline(1))
      if isBase { base.disturbance = 60 } else { new.disturbance = 60 }
      func verdict(_ factor: Double) -> BaselineComparison.Verdict? {
        new.closures = Self.baseline(factor).closures
        return Self.verdict(base, new)
      }
      #expect([1, 1.6, 2.5].map(verdict) == [.unsure, .unsure, .slower])
      let found = BaselineStatistics(base: base, new: new, threshold: 0.15).comparison
      #expect(found.notes.count == 1 && found.notes[0].contains("60 % of the processors' time"))
    }

    @Test func `closures that only one side has are noted`() {
      var new = Self.baseline(1)
      new.closures[0].name = "renamed"
      let found = BaselineStatistics(base: Self.baseline(1), new: new, threshold: 0.15).comparison
      #expect(found.closures.isEmpty)
      #expect(found.notes == ["only in the baseline: add", "not in the baseline: renamed"])
    }

    /// Items of 1 ms, plus or minus a tenth, multiplied by `factor`.
    private static func baseline(_ factor: Double) -> Baseline {
      var numbers = RandomNumbers(seed: 7)
      let samples = (0..<40).map { _ in factor * (900_000 + Double(numbers.next(below: 200_000))) }
      return Baseline(
        machine: .here, probe: 20_000, fastestProbe: 20_000,
        closures: [Baseline.Closure(name: "add", samples: samples)])
    }

    private static func verdict(_ base: Baseline, _ new: Baseline) -> BaselineComparison.Verdict? {
      BaselineStatistics(base: base, new: new, threshold: 0.15).comparison.closures.first?.verdict
    }

    @MainActor private static func report() async throws -> FrameReport {
      try await measureFrames(drawing: .milliseconds(1), for: .milliseconds(300)) { app in
        app.workload("add", .batch(5, every: .milliseconds(100))) { _ in burn(.milliseconds(1)) }
      }
    }
  }
}
