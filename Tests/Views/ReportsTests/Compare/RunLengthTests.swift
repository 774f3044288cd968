import FrameBudget
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetReports

/// Runs that were not measured alike: over another time, or on another screen.
@Suite struct `Runs of different lengths` {
  private static func comparison(
    _ metric: String, _ base: [Double], _ new: [Double], engine: String = "virtual",
    milliseconds: (Double, Double) = (3000, 300)
  ) -> ResultComparison {
    let seeds = base.indices.map { $0 + 1 }
    return ResultComparison(
      base: results(
        [metric: base], engine: engine, seeds: seeds, milliseconds: milliseconds.0),
      new: results([metric: new], engine: engine, seeds: seeds, milliseconds: milliseconds.1),
      gates: [Gate(metric)])
  }

  /// A shorter run has fewer late answers, and its worst moment is not as bad.
  @Test(arguments: MetricCatalog.compared.map(\.name))
  func `decide nothing in virtual time, in either direction`(_ metric: String) throws {
    for (base, new) in [(11.0, 1.0), (1.0, 11.0), (7, 7)] {
      let comparison = Self.comparison(metric, [base], [new])
      #expect(comparison.outcome == .inconclusive)
      let note = try #require(comparison.groups.first?.metrics.first?.note)
      #expect(note.contains("3 s against 300 ms: measure both"), "\(note)")
      #expect(comparison.warnings.contains { $0.contains("last 3 s in the base and 300 ms") })
      #expect(!ComparisonText.table(comparison).contains("exact"))
      let alike = Self.comparison(metric, [base], [new], milliseconds: (300, 300))
      #expect(alike.outcome != .inconclusive && alike.warnings.isEmpty)
    }
  }

  @Test(arguments: ["real", "virtual"])
  func `are compared by their shares over several runs, but not by their counts`(
    _ engine: String
  ) {
    let (few, many) = (
      normalSample("few", 1, mean: 5, deviation: 0.1),
      normalSample("many", 1, mean: 20, deviation: 0.1)
    )
    let shares = Self.comparison("dropped_frames_pct", few, many, engine: engine)
    #expect(shares.outcome == .regression)
    let counts = Self.comparison(
      "dropped_frames", few.map { $0.rounded() }, many.map { $0.rounded() }, engine: engine)
    #expect(counts.outcome == .inconclusive)
    #expect(shares.warnings.count == 1 && counts.warnings.count == 1)
  }

  /// People end captures by hand.
  @Test(arguments: [(10_000.0, 10_400.0, false), (10_000, 12_000, true), (10_000, 9400, true)])
  func `are captures only if they differ by more than counts may`(
    _ base: Double, _ new: Double, _ differ: Bool
  ) {
    let comparison = Self.comparison(
      "dropped_frames", Array(repeating: 8, count: 6), Array(repeating: 8, count: 6),
      engine: ImportRow.engine, milliseconds: (base, new))
    #expect(comparison.outcome == (differ ? .inconclusive : .holds))
  }

  /// Costs decide how many frames there are before the warm-up's end.
  @Test func `or on another screen are said to be, but not those with other frames of warm-up`() {
    func set(_ edit: (inout RunRecord) -> Void) -> ResultSet {
      let set = results(["frame_ms_p99": [20]], engine: "virtual")
      return ResultSet(
        rows: set.rows.map { row in
          var row = row
          row.warmupFrames = "18"
          edit(&row)
          return row
        }, metrics: set.metrics)
    }
    let base = set { _ in }
    let warmup = ResultComparison(base: base, new: set { $0.warmupFrames = "2" })
    #expect(warmup.outcome == .holds && warmup.warnings.isEmpty)
    let screen = ResultComparison(base: base, new: set { $0.refreshHz = 120 })
    #expect(screen.outcome == .holds)
    #expect(screen.warnings == ["the screens differ: 60 Hz in the base, 120 Hz in the new result"])
    #expect(ResultComparison(base: base, new: base).warnings.isEmpty)
  }

  /// Every metric that is compared between lengths is about the same in a run that is four times as long.
  @Test func `have the same of each metric that does not grow with the run`() {
    func row(_ seconds: Int64) -> ReportRow {
      let step = { (name: String, span: TimeSpan) in
        Step(name: name, service: 0, load: .cpu(.constant(span)))
      }
      var input = Workload(
        name: "tap", arrival: .batch(1, every: .milliseconds(500), start: .milliseconds(70)),
        steps: [step("tap", .milliseconds(40))], respondWithin: .milliseconds(30))
      input.isInput = true
      let scenario = Scenario(
        name: "periodic", display: Display(refresh: RefreshRate(60)), duration: .seconds(seconds),
        seed: 1, services: [Service(name: "files")],
        workloads: [
          input,
          Workload(
            name: "file", arrival: .batch(3, every: .milliseconds(100), start: .milliseconds(50)),
            steps: [step("file", .milliseconds(4))]),
        ])
      let strategy = Strategy(name: "main", arrangement: .onMain(scenario))
      return ReportRow(
        VirtualEngine(detail: .summary).run(RunPlan(scenario, under: strategy)), changes: "",
        cores: 2, repetition: 1)
    }
    let (short, long) = (row(4), row(16))
    var grown: [String] = []
    for metric in MetricCatalog.numbers {
      guard let old = short.metrics[metric.name], let now = long.metrics[metric.name] else {
        continue
      }
      if metric.growsWithRun, now > 2 * old, old > 0 { grown.append(metric.name) }
      guard !metric.growsWithRun else { continue }
      #expect(abs(now - old) <= 0.1 * max(abs(old), abs(now)), "\(metric.name): \(old), \(now)")
    }
    #expect(grown.contains("dropped_frames") && grown.contains("hitch_total_ms"))
    #expect(grown.contains("main_cpu_ms") && grown.contains("responses_late"))
  }
}
