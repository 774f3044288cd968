import FrameBudget
import FrameBudgetReports
import Testing

@testable import FrameBudgetCLI

struct `Expectations` {
  /// A frame of ten is late.
  private func row(
    _ options: String = "", engine: EngineKind = .virtual, isInterrupted: Bool = false
  ) -> ReportRow {
    let scenario = Scenario(
      name: "s", display: Display(refresh: RefreshRate(10)), duration: .seconds(1))
    let plan = RunPlan(
      scenario,
      under: Strategy(name: "throttled", options: options, arrangement: .onMain(scenario)))
    var ledger = FrameLedger(
      refresh: RefreshRate(10), duration: .seconds(1), detail: .summary, hasRealClock: false)
    var vsync = 0
    while vsync < 10 {
      let begin = RefreshRate(10).vsync(vsync)
      let work = TimeSpan.milliseconds(vsync == 3 ? 150 : 10)
      ledger.begin(vsync: vsync, wokeAt: begin)
      ledger.spend(work, on: .render)
      vsync = ledger.end(at: begin + work) ?? vsync
    }
    let log = RunLog(
      plan, engine: engine, duration: .seconds(1), warmupFrames: 0,
      frames: ledger.finish(at: .zero + .seconds(1)), items: [], totals: RunTotals(),
      interrupted: isInterrupted)
    return ReportRow(log, cores: 1)
  }

  private func failures(
    _ strategy: String = "throttled", _ metric: String = "dropped_frames", min: Double? = nil,
    max: Double? = nil, of row: ReportRow
  ) -> [String] {
    var scenario = Scenario(
      name: "s", display: Display(refresh: RefreshRate(10)), duration: .seconds(1))
    scenario.expectations = [
      Expectation(
        engine: .virtual, strategy: strategy, Aim(metric, minimum: min, maximum: max))
    ]
    return ExpectationCheck.failures(of: row, in: scenario)
  }

  @Test func `are not met by a part of a run`() {
    var scenario = Scenario(
      name: "s", display: Display(refresh: RefreshRate(10)), duration: .seconds(1))
    scenario.expectations = [
      Expectation(
        engine: .virtual, strategy: "throttled",
        Aim("dropped_frames", minimum: nil, maximum: 1))
    ]
    func result(_ row: ReportRow, _ failures: [String] = []) -> ExpectationResult? {
      ExpectationCheck.result(of: scenario, by: [row], failures: failures, omissions: [])
    }
    #expect(result(row()) == .met)
    #expect(result(row(isInterrupted: true)) == .unchecked)
    #expect(result(row(isInterrupted: true), ["a bound"]) == .missed)
  }

  @Test func `hold within their bounds`() {
    #expect(failures(min: 1, max: 1, of: row()) == [])
    #expect(failures(max: 1, of: row()) == [])
    #expect(failures(min: 0, of: row()) == [])
    // Empty in the file: no part of drawing is spread, so none is incomplete.
    #expect(failures("throttled", "incomplete_frames", max: 0, of: row()) == [])
  }

  @Test(
    arguments: [
      (nil, 0, "at most 0"), (2, nil, "at least 2"), (2, 3, "from 2 to 3"), (5, 5, "5"),
    ] as [(Double?, Double?, String)])
  func `fail beyond them, with value and bound`(_ min: Double?, _ max: Double?, _ bound: String) {
    #expect(
      failures(min: min, max: max, of: row()) == [
        "expectation failed: throttled on the virtual engine has dropped_frames 1, expected \(bound)"
      ])
  }

  @Test func `cover every row of a bare name, and one row of a name with options`() {
    let row = row("batch=5")
    #expect(failures("throttled", max: 0, of: row).count == 1)
    #expect(failures("throttled:batch=5", max: 0, of: row).count == 1)
    #expect(failures("throttled:batch=6", max: 0, of: row) == [])
    #expect(failures("schedulable", max: 0, of: row) == [])
  }

  @Test func `do not concern the other engine`() {
    #expect(failures(max: 0, of: row(engine: .real)) == [])
  }

  @Test func `fail where the metric does not apply`() {
    #expect(
      failures("throttled", "response_ms_p99", max: 1, of: row()).first?
        .contains("response_ms_p99 not applicable, expected at most 1") == true)
  }

  /// A tap that is never answered, in a run of one second.
  private func unanswered() -> ReportRow {
    let step = Step(name: "tap", service: 0, load: .cpu(.constant(.milliseconds(1))))
    let scenario = Scenario(
      name: "s", display: Display(refresh: RefreshRate(10)), duration: .seconds(1),
      services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "tap", arrival: .once(1, start: .zero), steps: [step],
          respondWithin: .milliseconds(100))
      ])
    let plan = RunPlan(scenario, under: Strategy(name: "throttled", arrangement: .onMain(scenario)))
    var frames = FrameLedger(
      refresh: RefreshRate(10), duration: .seconds(1), detail: .summary, hasRealClock: false)
    frames.begin(vsync: 0, wokeAt: .zero)
    var items = ItemLedger(plan, duration: .seconds(1))
    var arrivals = ArrivalSchedule(plan)
    while let item = arrivals.next(atOrBefore: .zero) { items.arrived(item) }
    items.pending(0, 0)
    return ReportRow(
      RunLog(
        plan, engine: .virtual, duration: .seconds(1), warmupFrames: 0,
        frames: frames.finish(at: .zero + .seconds(1)), items: items.finish(), totals: RunTotals(),
        interrupted: false), cores: 1)
  }

  @Test(arguments: [10, 999, 1000, 1001, 10_000] as [Double])
  func `no maximum holds for a missing response`(_ maximum: Double) {
    let failure =
      "expectation failed: throttled on the virtual engine has response_ms_p99 of at least 1000 "
      + "(open at the end), expected at most \(Int(maximum))"
    #expect(failures("throttled", "response_ms_p99", max: maximum, of: unanswered()) == [failure])
  }

  @Test func `a minimum holds for a missing response once it is certain`() {
    let row = unanswered()
    #expect(failures("throttled", "response_ms_p99", min: 1000, of: row) == [])
    #expect(failures("throttled", "response_ms_p99", min: 1001, of: row).count == 1)
    #expect(failures("throttled", "item_latency_ms_max", max: 5000, of: row).count == 1)
    #expect(failures("throttled", "responses_open", min: 1, max: 1, of: row) == [])
  }
}
