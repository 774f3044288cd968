import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// Invariants of every run, checked on thousands of random scenarios, arrangements and machines.
@Suite struct RandomScenarioTests {
  private static let schedulings: [Scheduling] = [.fair, .mainFirst, .fixedByNice]

  private func run(
    _ seed: UInt64, detail: FrameLedger.Detail = .summary, nests: Bool = false
  ) -> (RunPlan, RunLog) {
    let random = RandomScenario(seed: seed, nests: nests)
    let plan = RunPlan(
      random.scenario, under: Strategy(name: "random", arrangement: random.arrangement))
    let engine = VirtualEngine(
      costs: seed % 3 == 0 ? .none : .standard, detail: detail,
      scheduling: Self.schedulings[Int(seed / 3 % 3)])
    return (plan, engine.run(plan))
  }

  @Test(arguments: Tries.randomScenarios.parts)
  func `no run breaks an invariant`(seeds: Range<UInt64>) {
    for seed in seeds { expectWhole(run(seed), seed) }
  }

  private func expectWhole(_ run: (plan: RunPlan, log: RunLog), _ seed: UInt64) {
    let (plan, log) = run
    #expect(log.violations.isEmpty, "seed \(seed)")
    #expect(log.duration == plan.scenario.duration, "seed \(seed)")
    for (place, workload) in plan.scenario.workloads.enumerated() {
      let arrived = ArrivalSchedule.count(
        of: workload, before: .zero + log.duration, seed: seed, limit: 1 << 20)
      #expect(log.items[place].arrivals.count == arrived, "seed \(seed)")
    }
  }

  /// With two locks at most, as here, every deadlock is one of two workloads.
  @Test func `a run deadlocks only where its arrangement takes locks in opposite orders`() {
    var deadlocks = 0
    for seed in 0..<UInt64(Tries.randomScenarios.count) {
      let (plan, log) = run(seed, nests: true)
      expectWhole((plan, log), seed)
      let conflicts = plan.arrangement.lockOrderConflicts(in: plan.scenario)
      #expect(log.totals.deadlocks.isEmpty || !conflicts.isEmpty, "seed \(seed)")
      #expect(log.totals.deadlocks.count <= 1, "seed \(seed)")
      deadlocks += log.totals.deadlocks.count
      #expect(run(seed).1.totals.deadlocks.isEmpty, "seed \(seed)")
    }
    #expect(deadlocks > 0)
  }

  @Test(arguments: Tries.randomScenarios.parts)
  func `a frame's time is what it spent on its phases`(seeds: Range<UInt64>) {
    for seed in seeds {
      let (plan, log) = run(seed, detail: .frames)
      let refresh = plan.scenario.display.refresh
      for record in log.frames.records {
        let late = record.begin - refresh.vsync(record.beginVsync)
        let phases = Phase.parts.map { record.spans[$0] }
        #expect(record.workEnd - record.begin == phases.reduce(TimeSpan.zero, +), "seed \(seed)")
        #expect(record.spans[.wakeup] == late, "seed \(seed)")
        #expect(record.spans[.preempted] <= record.workEnd - record.begin, "seed \(seed)")
        #expect(record.spans[.machine] == .zero, "seed \(seed)")
      }
    }
  }

  @Test(arguments: Tries.randomScenarios.parts)
  func `the processor time used is that of the work done`(seeds: Range<UInt64>) {
    for seed in seeds where seed % 3 == 0 {
      let (plan, log) = run(seed)
      guard plan.scenario.machine.speeds.allSatisfy({ $0 == 1000 }) else { continue }
      let used = log.totals.threads.map(\.cpu).reduce(TimeSpan.zero, +)
      let (least, most) = work(of: log, plan)
      #expect(used >= least && used <= most, "seed \(seed)")
      #expect(used <= log.duration * plan.scenario.machine.cores, "seed \(seed)")
    }
  }

  /// The work of all that was done, and that with all that may have been begun.
  private func work(of log: RunLog, _ plan: RunPlan) -> (least: TimeSpan, most: TimeSpan) {
    var (least, most) = (TimeSpan.zero, TimeSpan.zero)
    for (place, workload) in plan.workloads.enumerated() {
      for item in log.items[place].arrivals.indices {
        let steps = workload.steps.map { $0.cost(item: item) }.reduce(TimeSpan.zero, +)
        if log.items[place].completions[item] >= 0 { least += steps }
        most += steps + workload.resultCost(item: item)
      }
    }
    for (frame, begin) in log.frames.begins.enumerated() {
      var cost = plan.renderCost(vsync: Int(begin))
      for read in plan.reads { cost += read.cost(vsync: Int(begin)) }
      if frame + 1 < log.frames.begins.count { least += cost }
      most += cost
    }
    return (least, most)
  }

  @Test func `the same seed gives the same run, in one go or step by step`() {
    for seed in UInt64(0)..<150 {
      let (plan, log) = run(seed)
      let again = run(seed).1
      var steps = VirtualEngine(
        costs: seed % 3 == 0 ? .none : .standard,
        scheduling: Self.schedulings[Int(seed / 3 % 3)]
      ).start(plan)
      while !steps.isOver { steps.advance(to: steps.now + .microseconds(7777)) }
      let stepped = steps.finish()
      #expect(Self.text(again) == Self.text(log), "seed \(seed)")
      #expect(Self.text(stepped) == Self.text(log), "seed \(seed)")
    }
  }

  @Test func `runs side by side are the same as one after another`() async {
    let alone = (UInt64(0)..<40).map { Self.text(run($0).1) }
    let together = await withTaskGroup(of: (Int, String).self) { group in
      for seed in 0..<40 { group.addTask { (seed, Self.text(run(UInt64(seed)).1)) } }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for seed in 0..<40 { #expect(together[seed] == alone[seed], "seed \(seed)") }
  }

  /// In debug and in release, on this machine and on others. A change of these numbers is a change of results.
  @Test func `a run is the same to the bit everywhere`() {
    let logs = (UInt64(0)..<300).filter { $0 % 3 == 0 }.map { run($0).1 }
    let hash = Self.hash(logs) { $0.respondWithin == nil ? [] : $0.responses }
    #expect(hash == 11_865_824_632_044_590_897)
    #expect(
      Self.hash(logs) { $0.responses } == 1_754_735_121_673_664_154,
      "with items that no user waits for")
  }

  private static func hash(_ logs: [RunLog], _ responses: (ItemLog) -> [Int64]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a, 64 bits
    for log in logs {
      let numbers =
        log.frames.begins.map(Int64.init) + log.frames.works
        + log.items.flatMap {
          Array($0.arrivals) + $0.completions.map { max(-1, $0) } + responses($0)
        }
        + log.totals.threads.map(\.cpu.nanoseconds)
      for number in numbers {
        hash = (hash ^ UInt64(bitPattern: number)) &* 0x100_0000_01b3
      }
    }
    return hash
  }

  /// All results of a run, as text.
  static func text(_ log: RunLog) -> String {
    let metrics = RunMetrics(log)
    let values = MetricCatalog.all.map { "\($0.name)=\($0.value(metrics)?.description ?? "")" }
    return "\(values) \(log.frames.begins) \(log.frames.works) \(log.items) \(log.totals.threads)"
  }

  @Test func `a workload's items are done in order wherever that is promised`() {
    var checked = 0
    for seed in UInt64(0)..<1000 {
      let (plan, log) = run(seed)
      guard plan.arrangement.promisesOrder else { continue }
      for items in log.items {
        let done = items.completions.filter { $0 >= 0 }
        #expect(done == done.sorted(), "seed \(seed)")
        checked += done.count
      }
    }
    #expect(checked > 10_000)
  }
}
