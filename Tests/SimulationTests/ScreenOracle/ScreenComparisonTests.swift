import FrameBudget
import Simulation
import Testing

/// The virtual engine against `ScreenOracle`, on cases drawn by seed.
@Suite struct ScreenComparisonTests {
  private static let parts: [Range<UInt64>] = {
    let cases = UInt64(Environment["FRAMEBUDGET_RUNS"] ?? "") ?? 800
    return (0..<8).map { cases * $0 / 8..<cases * ($0 + 1) / 8 }
  }()

  @Test(arguments: parts)
  func `the frame loop does what is described`(seeds: Range<UInt64>) {
    for seed in seeds {
      let drawn = ScreenCase.random(seed: seed).plain
      guard !Self.differences(drawn).isEmpty else { continue }
      let smallest = drawn.smallest { !Self.differences($0).isEmpty }
      let told = Self.differences(smallest).joined(separator: "; ")
      Issue.record("seed \(seed): \(told)\n\(smallest.yaml)")
    }
  }

  /// Those that can show where there is neither depth nor an event loop.
  @Test(arguments: [
    ScreenFault.readyAtVsyncIsLate, .causeCountedTwice, .drainUnlimited, .bufferFreedLate,
  ])
  func `a fault would show in the comparison`(_ fault: ScreenFault) {
    let seen = (UInt64(0)..<1000).first {
      !Self.differences(ScreenCase.random(seed: $0).plain, fault: fault).isEmpty
    }
    #expect(seen != nil)
  }

  /// What the engine has otherwise, in words; none where nobody's rule says what comes first.
  private static func differences(_ drawn: ScreenCase, fault: ScreenFault? = nil) -> [String] {
    let outcome = ScreenOracle.run(drawn, fault: fault)
    guard !outcome.isAmbiguous else { return [] }
    let log = drawn.scenario.run(drawn.arrangement, detail: .frames)
    return frames(outcome, log, drawn) + items(outcome, log, drawn)
  }

  private static func frames(
    _ outcome: ScreenOutcome, _ log: RunLog, _ drawn: ScreenCase
  ) -> [String] {
    let metrics = RunMetrics(log)
    var told: [String] = []
    func expect<Value: Equatable>(_ name: String, _ engine: Value, _ oracle: Value) {
      if engine != oracle { told.append("\(name) \(engine), not \(oracle)") }
    }
    expect("begins", log.frames.begins.map(Int.init), outcome.frames.map(\.vsync))
    expect(
      "ends", log.frames.records.map(\.workEnd.nanoseconds),
      outcome.frames.map { $0.workEnd ?? drawn.duration })
    expect("expected", metrics.frames.expected, outcome.expected)
    expect("presented", metrics.frames.presented, outcome.presented)
    for cause in ScreenOutcome.Cause.allCases {
      guard let drops = metrics["drops_\(cause)"] else { continue }
      expect("drops_\(cause)", Int(drops), outcome.drops(by: cause))
    }
    return told
  }

  private static func items(
    _ outcome: ScreenOutcome, _ log: RunLog, _ drawn: ScreenCase
  ) -> [String] {
    drawn.workloads.indices.flatMap { workload in
      let items = outcome.items.filter { $0.workload == workload }
      let engine = log.items[workload]
      let done = engine.completions.map { $0 >= 0 ? $0 : nil }
      // The log has the instant of a frame that no vsync of the run showed, too.
      let shown = engine.responses.map { 0...drawn.duration ~= $0 ? $0 : nil }
      var told: [String] = []
      if done != items.map(\.done) { told.append("done \(done), not \(items.map(\.done))") }
      let instants = items.map { $0.shown.map(drawn.instant) }
      if shown != instants { told.append("shown \(shown), not \(instants)") }
      return told
    }
  }
}
