import FrameBudget
import FrameBudgetParsing
import struct TestSupport.Tries
import Testing

@testable import FrameBudgetReports

struct ComparisonTests {
  static let gated = Gate.standard.map(\.metric)

  private static let trials = Tries.comparisons.count

  /// A set of results with all gated metrics, each with its own normal noise of 5 %.
  /// Those in `idle` are 0 throughout.
  static func set(
    _ side: String, _ trial: Int, scale: Double = 1, idle: [String] = []
  ) -> ResultSet {
    var values = Dictionary(
      uniqueKeysWithValues: idle.map { ($0, Array(repeating: 0.0, count: 10)) })
    for metric in gated where values[metric] == nil {
      let mean = 100 * scale
      values[metric] = normalSample("\(side)/\(metric)", trial, mean: mean, deviation: mean / 20)
    }
    return results(values)
  }

  static func comparison(_ trial: Int, scale: Double) -> ResultComparison {
    ResultComparison(base: set("base", trial), new: set("new", trial, scale: scale))
  }

  /// Slow: tests each metric of each trial.
  @Test func `equal sets are called different in at most 5 % of trials`() {
    let wrong = (0..<Self.trials).count { trial in
      let verdicts = Self.comparison(trial, scale: 1).groups.flatMap(\.metrics).map(\.verdict)
      return verdicts.contains(.worse) || verdicts.contains(.better)
    }
    #expect(wrong <= Self.trials / 20, "\(wrong) of \(Self.trials) trials")
  }

  /// Slow: tests each metric of each trial.
  @Test func `a 10 % change is found in at least 90 % of trials`() {
    var found: [String: Int] = [:]
    for trial in 0..<Self.trials {
      for metric in Self.comparison(trial, scale: 1.1).groups.flatMap(\.metrics)
      where metric.verdict == .worse { found[metric.metric, default: 0] += 1 }
    }
    for metric in Self.gated {
      #expect(
        found[metric] ?? 0 >= Self.trials * 9 / 10,
        "\(metric) in \(found[metric] ?? 0) of \(Self.trials)")
    }
  }

  /// All is answered and done in time, as is mostly the case.
  static let counts = ["responses_late", "items_backlog"]

  /// The hard case for the correction: one metric alone changes.
  /// Slow: tests each metric of each trial.
  @Test func `a 10 % change of one metric alone is found in at least 90 % of trials`() {
    let found = (0..<Self.trials).count { trial in
      let base = Self.set("base", trial, idle: Self.counts)
      let calm = Self.set("new", trial, idle: Self.counts)
      let slow = Self.set("new", trial, scale: 1.1)
      let rows = zip(calm.rows, slow.rows).map { calm, slow in
        var numbers: [String: Double] = [:]
        for name in base.metrics { numbers[name] = calm[name] }
        numbers["frame_ms_p99"] = slow["frame_ms_p99"]
        return RunRecord(
          scenario: calm.scenario, strategy: calm.strategy, options: "", changes: "",
          engine: calm.engine, cores: calm.cores, repetition: calm.repetition, seed: calm.seed,
          status: calm.status, refreshHz: 60, durationMilliseconds: 1000,
          numbers: RowNumbers(numbers))
      }
      let comparison = ResultComparison(
        base: base, new: ResultSet(rows: rows, metrics: base.metrics))
      return comparison.groups[0].metrics.contains {
        $0.metric == "frame_ms_p99" && $0.verdict == .worse
      }
    }
    #expect(found >= Self.trials * 9 / 10, "\(found) of \(Self.trials) trials")
  }

  @Test func `a constant metric does not count as a test`() {
    func p(_ gates: [String]) -> Double? {
      let comparison = ResultComparison(
        base: Self.set("base", 1, idle: Self.counts), new: Self.set("new", 1, idle: Self.counts),
        gates: gates.map { Gate($0) })
      return comparison.groups[0].metrics.first { $0.metric == "frame_ms_p99" }?.p
    }
    #expect(p(["frame_ms_p99"]) == p(["frame_ms_p99"] + Self.counts))
  }

  @Test
  func
    `a count that was 0 and is not any more is worse, one that wavers passes unless a gate is strict`()
    throws
  {
    func comparison(_ pending: [Double], _ gate: String = "items_pending") throws
      -> MetricComparison
    {
      let comparison = ResultComparison(
        base: results(["items_pending": Array(repeating: 0, count: 10)]),
        new: results(["items_pending": pending]), gates: try Gate.gates(gate))
      return try #require(comparison.groups[0].metrics.first)
    }
    let wavering = [1, 1, 1, 1] + Array(repeating: 0.0, count: 6)
    #expect(try comparison(Array(repeating: 1, count: 10)).verdict == .worse)
    #expect(try comparison(Array(repeating: 0, count: 10)).verdict == .same)
    let note = "--gate items_pending=AMOUNT sets how much may pass"
    #expect(try comparison(wavering).verdict == .same)
    #expect(try comparison(wavering, "items_pending=0").verdict == .inconclusive)
    #expect(try comparison(wavering, "items_pending=0").note?.hasSuffix(note) == true)
    #expect(try comparison(wavering, "items_pending=1").verdict == .same)
  }

  @Test func `any difference between virtual results is one`() {
    let base = results(["dropped_frames_pct": [10], "items_backlog": [50]], engine: "virtual")
    let new = results(
      ["dropped_frames_pct": [10.000001], "items_backlog": [50]], engine: "virtual")
    let comparison = ResultComparison(base: base, new: new)
    #expect(comparison.groups[0].metrics.map(\.verdict) == [.worse, .same])
    #expect(comparison.outcome == .regression)
    #expect(ResultComparison(base: new, new: base).groups[0].metrics.first?.verdict == .better)
    #expect(ResultComparison(base: base, new: base).outcome == .holds)
  }

  @Test func `virtual runs of other seeds are samples`() {
    let base = results(
      ["frame_ms_p99": [1, 2, 3]], engine: "virtual", seeds: [1, 2, 3])
    let new = results(["frame_ms_p99": [2, 1, 3]], engine: "virtual", seeds: [4, 5, 6])
    let comparison = ResultComparison(base: base, new: new)
    #expect(comparison.groups[0].metrics.first?.verdict == .inconclusive)
    #expect(comparison.outcome == .inconclusive)
  }

  @Test func `one repetition decides nothing, not even for equal values`() {
    let set = results(["items_backlog": [0]])
    let metric = ResultComparison(base: set, new: set).groups[0].metrics[0]
    #expect(metric.verdict == .inconclusive)
    #expect(metric.note == "too few repetitions: --repeat 4 on both sides")
  }

  @Test func `too few captures say how many it takes`() throws {
    func captures(_ value: Double) -> ResultSet {
      let set = results(["frame_ms_p99": [value]], engine: "imported")
      let rows = set.rows.map { row in
        var row = row
        row.app = "app"
        return row
      }
      return ResultSet(rows: rows, metrics: set.metrics)
    }
    let comparison = ResultComparison(base: captures(20), new: captures(30))
    #expect(
      try #require(comparison.groups.first?.metrics.first).note
        == "too few captures: import 4 on both sides")
  }

  @Test func `too few repetitions say how many it takes`() {
    let comparison = ResultComparison(
      base: results(["frame_ms_p99": [10, 10, 10]]), new: results(["frame_ms_p99": [20, 20, 20]]))
    let metric = comparison.groups[0].metrics[0]
    #expect(metric.verdict == .inconclusive)
    #expect(metric.note == "too few repetitions: --repeat 4 on both sides")
  }

  @Test func `a change below its threshold is not a regression`() throws {
    let base = results(["frame_ms_p99": (0..<10).map { 100 + Double($0) / 100 }])
    let new = results(["frame_ms_p99": (0..<10).map { 103 + Double($0) / 100 }])
    func verdict(_ gates: String) throws -> MetricComparison.Verdict {
      ResultComparison(base: base, new: new, gates: try Gate.gates(gates)).groups[0].metrics[0]
        .verdict
    }
    #expect(try verdict("frame_ms_p99") == .same)
    #expect(try verdict("frame_ms_p99=2%") == .worse)
    #expect(try verdict("frame_ms_p99=2.5") == .worse)
    #expect(try verdict("frame_ms_p99=4") == .same)
  }

  @Test func `a metric that can be negative changes if it differs by half a millisecond`() {
    func verdict(_ base: Double, _ change: Double) -> MetricComparison.Verdict {
      func runs(_ mean: Double) -> ResultSet {
        results(["frame_overrun_ms_p99": (0..<10).map { mean + Double($0) / 1000 }])
      }
      return ResultComparison(
        base: runs(base), new: runs(base + change), gates: [Gate("frame_overrun_ms_p99")]
      ).groups[0].metrics[0].verdict
    }
    #expect([-8, -0.1, 0, 5].map { verdict($0, 0.6) } == [.worse, .worse, .worse, .worse])
    #expect([-8, -0.1, 0, 5].map { verdict($0, 0.4) } == [.same, .same, .same, .same])
    #expect(verdict(-1, -0.6) == .better)
  }

  @Test func `results that only one side has are reported`() {
    let comparison = ResultComparison(
      base: results(["frame_ms_p99": [1]]),
      new: results(["frame_ms_p99": [1]], strategy: "main-thread"))
    #expect(comparison.groups.isEmpty)
    #expect(comparison.warnings.count == 2)
  }

  /// A result with these strategies.
  private static func set(_ strategies: [String], _ metric: String = "frame_ms_p99") -> ResultSet {
    strategies.dropFirst().reduce(
      into: results([metric: [10]], engine: "virtual", strategy: strategies[0])
    ) { all, strategy in
      all.append(results([metric: [10]], engine: "virtual", strategy: strategy), from: "")
    }
  }

  /// What is gone may be what got worse, under another name or in an interrupted run; what is new has no counterpart.
  @Test(
    arguments: [
      (["a", "b"], ["a", "b"], .holds), (["a", "b"], ["a"], .inconclusive),
      (["a", "b"], ["a", "c"], .inconclusive), (["a"], ["a", "b"], .holds),
    ] as [([String], [String], ResultComparison.Outcome)])
  func `what only the base has is undecided, what only the new result has is named`(
    _ base: [String], _ new: [String], _ expected: ResultComparison.Outcome
  ) {
    let comparison = ResultComparison(base: Self.set(base), new: Self.set(new))
    #expect(comparison.outcome == expected)
    #expect(!comparison.mayDependOnChance)
    let isGone = expected == .inconclusive
    let table = ComparisonText.table(comparison)
    for text in [table, ComparisonText.markdown(comparison)] {
      #expect(text.contains("Inconclusive: the new result lacks b.") == isGone)
    }
    #expect(table.contains("scenario · b · virtual · 2 cores\n") == (base == new))
    #expect(!table.contains("gate: "))
    #expect(ComparisonText.records(comparison).csv.contains("· b ·") == (isGone || base == new))
    #expect(ComparisonExchange.junit(comparison).contains("<error") == isGone)
    #expect(
      ComparisonExchange.github(comparison).contains("::warning title=scenario · b") == isGone)
  }

  @Test func `what only the base has does not matter without a gate, or if nothing is compared`() {
    let other = Self.set(["a", "b"], "average_fps")
    #expect(
      ResultComparison(
        base: other, new: Self.set(["a"], "average_fps"), gates: [], shown: ["average_fps"]
      ).groups.count == 1)
    #expect(ResultComparison(base: Self.set(["a"]), new: Self.set(["b"])).groups.isEmpty)
  }

  @Test func `runs that only one side has completed are undecided`() {
    var new = Self.set(["a", "b"])
    let rows = new.rows.map { row in
      var row = row
      if row.strategy == "b" { row.status = "interrupted" }
      return row
    }
    new = ResultSet(rows: rows, metrics: new.metrics)
    let comparison = ResultComparison(base: Self.set(["a", "b"]), new: new)
    #expect(comparison.outcome == .inconclusive)
    #expect(comparison.warnings.contains("only in the base: scenario · b · virtual · 2 cores"))
  }

  @Test func `measuring again may decide what varies, and what one count lacked`() {
    func mayChange(_ base: [Double], _ new: [Double], _ engine: String) -> Bool {
      ResultComparison(
        base: results(["frame_ms_p99": base, "items_pending": [1]], engine: engine),
        new: results(["frame_ms_p99": new, "items_pending": [1]], engine: engine)
      ).mayDependOnChance
    }
    #expect(mayChange([10], [20], "real") && mayChange([], [20], "virtual"))
    #expect(!mayChange([10, 10], [9, 12], "virtual") && !mayChange([10], [20], "virtual"))
  }

  @Test func `results that differ in a set value are compared`() {
    let base = results(["frame_ms_p99": [20]], engine: "virtual")
    let new = results(["frame_ms_p99": [10]], engine: "virtual", changes: "display.render=9 ms")
    let comparison = ResultComparison(base: base, new: new)
    #expect(comparison.groups.first?.metrics.first?.verdict == .better)
    #expect(comparison.warnings == ["compares the unchanged scenario with display.render=9 ms"])
  }

  @Test func `the last gate of a metric holds`() throws {
    let base = results(["frame_ms_p99": [100]], engine: "virtual")
    let new = results(["frame_ms_p99": [104]], engine: "virtual")
    let gates = try Gate.gates("frame_ms_p99=1%") + Gate.gates("frame_ms_p99=5%")
    #expect(ResultComparison(base: base, new: new, gates: gates).outcome == .holds)
    #expect(ResultComparison(base: base, new: new, gates: gates.reversed()).outcome == .regression)
  }

  @Test func `gates that apply to nothing prove nothing`() {
    let set = results(["frame_ms_p99": [1]], engine: "virtual")
    let gates = [Gate("response_ms_p99")]
    let shown = ResultComparison(base: set, new: set, gates: gates, shown: ["frame_ms_p99"])
    #expect(shown.outcome == .inconclusive)
    let nothing = ResultComparison(base: set, new: set, gates: gates)
    #expect(nothing.groups.isEmpty)
    #expect(nothing.warnings.count == 1)
  }

  @Test func `workloads are compared separately`() {
    func set(_ taps: Double) -> ResultSet {
      let rows = [("files", 9.0), ("taps", taps)].flatMap { name, latency in
        results(["item_latency_ms_p99": [latency]], engine: "virtual").rows.map { row in
          var row = row
          row.workload = name
          return row
        }
      }
      return ResultSet(rows: rows, metrics: ["item_latency_ms_p99"])
    }
    let comparison = ResultComparison(
      base: set(1), new: set(2), gates: [Gate("item_latency_ms_p99")])
    #expect(comparison.groups.map { $0.metrics[0].verdict } == [.same, .worse])
    #expect(comparison.groups[1].name == "scenario · taps · schedulable · virtual · 2 cores")
  }

  @Test func `gates are read from a flag and from a file`() throws {
    let file = "# smooth\nframe_ms_p99 = 5 %\n\ndropped_frames_pct=0.5 # points\n"
    let gates = try Gate.gates(ByteSource(Array(file.utf8), name: "gates"))
    #expect(
      gates == [
        Gate("frame_ms_p99", threshold: .relative(0.05)),
        Gate("dropped_frames_pct", threshold: .absolute(0.5)),
      ])
    #expect(try Gate.gates("frame_ms_p99=5%,dropped_frames_pct=0.5") == gates)
    for text in ["frame_ms_p98", "", " ", ","] {
      #expect(throws: InputError.self) { try Gate.gates(text) }
    }
    #expect(throws: InputError.self) { try Gate.gates("frame_ms_p99=-1") }
  }
}
