import FrameBudget
import struct TestSupport.Tries
import Testing

@testable import FrameBudgetReports

/// Results that differ only by their seeds: a gate that fails on them would soon be switched off.
struct `Results that differ by chance alone` {
  private static let trials = Tries.chanceComparisons.count

  /// Ten runs of an app that leaves few items undone, answers few taps late, and draws short frames.
  private static func runs(_ trial: Int, _ side: String, scale: Double = 1) -> ResultSet {
    var app = RandomStream(seed: UInt64(trial), name: "app")
    var noise = RandomStream(seed: UInt64(trial), name: side)
    func times(_ milliseconds: Double, by deviation: Double) -> [Double] {
      (0..<10).map { _ in max(0, milliseconds * scale * (1 + deviation * noise.normal)) }
    }
    func counts(_ mean: Double) -> [Double] { (0..<10).map { _ in noise.count(scale * mean) } }
    // From the app alone, so that both sides mean the same.
    let (backlog, late, drops) = (2 * app.unit(), 2 * app.unit(), 15 * app.unit())
    let (frame, response) = (1 + 15 * app.unit(), 17 + 10 * app.unit())
    return results(
      [
        "items_backlog": counts(backlog), "responses_late": counts(late),
        // Of 600 frames.
        "dropped_frames_pct": counts(drops).map { $0 / 6 },
        "frame_ms_p99": times(frame, by: 0.05), "response_ms_p99": times(response, by: 0.1),
      ], engine: "virtual",
      seeds: (0..<10).map { (side == "base" ? 0 : 100) + $0 })
  }

  private static func outcome(
    _ trial: Int, scale: Double = 1, gates: [Gate] = Gate.standard
  ) -> ResultComparison.Outcome {
    ResultComparison(
      base: runs(trial, "base"), new: runs(trial, "new", scale: scale), gates: gates
    ).outcome
  }

  /// Slow: tests each metric of each trial.
  @Test func `pass in 95 % of trials`() {
    let passed = (0..<Self.trials).count { Self.outcome($0) == .holds }
    #expect(passed >= Self.trials * 95 / 100, "\(passed) of \(Self.trials)")
  }

  /// Slow: tests each metric of each trial, twice.
  @Test func `pass by amounts that hide no change that a ratio would find`() {
    let shares = Gate.standard.map { Gate($0.metric, threshold: GateMargin.standard) }
    var found = 0
    for trial in 0..<Self.trials {
      let regression = Self.outcome(trial, scale: 1.1, gates: shares) == .regression
      #expect((Self.outcome(trial, scale: 1.1) == .regression) == regression, "trial \(trial)")
      if regression { found += 1 }
    }
    #expect(found >= Self.trials / 2, "\(found) of \(Self.trials)")
  }

  @Test func `print the gate that they passed, and what base and new are`() throws {
    let base = results(["items_pending": [0, 1, 0, 0, 1, 0, 0, 0, 1, 1]])
    let new = results(["items_pending": [1, 0, 0, 1, 1, 0, 1, 0, 0, 1]])
    func table(_ gates: String) throws -> String {
      ComparisonText.table(
        ResultComparison(base: base, new: new, gates: try Gate.gates(gates)))
    }
    let standard = try table("items_pending")
    #expect(standard.contains("  gate  verdict\n"))
    #expect(standard.contains("  5 %, 5  same\n"))
    #expect(
      standard.contains(
        "base and new are trimmed means of 10 runs each, without the lowest and the highest fifth"))
    #expect(standard.contains("\ngate: a change counts if it is unlikely to be chance"))
    let stated = try table("items_pending=2")
    #expect(stated.contains("     2  same\n") && !stated.contains("\ngate: "))
  }

  @Test func `are no worse if they are probably better and hardly worse`() throws {
    let base = results(["responses_late": [0, 0, 0, 0, 0, 0, 0, 50, 50, 50]])
    let new = results(["responses_late": Array(repeating: 1, count: 10)])
    let metric = try #require(
      ResultComparison(base: base, new: new, gates: [Gate("responses_late")]).groups.first?.metrics
        .first)
    #expect(metric.verdict == .noWorse)
    #expect(
      ResultComparison(base: base, new: new, gates: [Gate("responses_late")]).outcome == .holds)
    #expect(
      ResultComparison(base: new, new: base, gates: [Gate("responses_late")]).outcome != .holds)
  }

  @Test func `have the same base value whatever they are compared with`() throws {
    let values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map(Double.init)
    let base = results(["frame_ms_p99": values], engine: "virtual", seeds: Array(1...10))
    func shown(_ seeds: ClosedRange<Int>) throws -> Double? {
      let new = results(["frame_ms_p99": values], engine: "virtual", seeds: Array(seeds))
      return try #require(ResultComparison(base: base, new: new).groups.first?.metrics.first).base?
        .value
    }
    #expect(try shown(1...10) == 5.5)
    #expect(try shown(11...20) == 5.5)
  }

  @Test func `of the same seeds name a single run that decides and that means hide`() throws {
    let seeds = Array(1...10)
    let base = results(
      ["frame_ms_p99": Array(repeating: 10, count: 10)], engine: "virtual", seeds: seeds)
    let new = results(
      ["frame_ms_p99": Array(repeating: 10, count: 9) + [50]], engine: "virtual", seeds: seeds)
    let metric = try #require(
      ResultComparison(base: base, new: new).groups.first?.metrics.first)
    #expect(metric.verdict == .worse)
    #expect(metric.note == "runs differ that the trimmed means omit")
  }
}

extension RandomStream {
  /// With mean 0 and deviation 1: twelve equal parts, added up.
  fileprivate var normal: Double {
    mutating get { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
  }

  /// A random number of events, of which `mean` are expected (Knuth).
  fileprivate mutating func count(_ mean: Double) -> Double {
    var product = unit()
    var count = 0.0
    while product > Self.exp(-mean) {
      product *= unit()
      count += 1
    }
    return count
  }

  private static func exp(_ power: Double) -> Double {
    (1...60).reduce((sum: 1.0, term: 1.0)) { series, place in
      let term = series.term * power / Double(place)
      return (series.sum + term, term)
    }.sum
  }
}
