import FrameBudget
import FrameBudgetSimulation
import Testing

/// Time has no unit of its own: durations multiplied by k give results multiplied by k.
@Suite struct ScalingTests {
  /// This is not exact for threads that share cores by weight: averages of virtual time are rounded.
  @Test func `scaling every time by k scales every result by k`() {
    for seed in UInt64(0)..<300 {
      let random = RandomScenario(seed: seed, isConstant: true)
      let factor = Int([2, 3, 7][Int(seed % 3)])
      let plain = run(random, seed, scaledBy: 1, .fixedByNice)
      let scaled = run(random, seed, scaledBy: factor, .fixedByNice)
      #expect(scaled.frames.begins == plain.frames.begins, "seed \(seed)")
      #expect(
        scaled.frames.works == plain.frames.works.map { $0 * Int64(factor) }, "seed \(seed)")
      for (left, right) in zip(scaled.items, plain.items) {
        #expect(
          left.completions == right.completions.map { $0 < 0 ? $0 : $0 * Int64(factor) },
          "seed \(seed)")
      }
      #expect(
        scaled.totals.threads.map(\.cpu) == plain.totals.threads.map { $0.cpu * factor },
        "seed \(seed)")
      #expect(scaled.totals.contextSwitches == plain.totals.contextSwitches, "seed \(seed)")
      #expect(scaled.totals.publishing == plain.totals.publishing * factor, "seed \(seed)")
    }
  }

  @Test func `scaling holds for cores shared by weight too, up to rounding`() {
    let same = (UInt64(0)..<300).count { seed in
      let random = RandomScenario(seed: seed, isConstant: true)
      let factor = Int([2, 3, 7][Int(seed % 3)])
      let plain = run(random, seed, scaledBy: 1, nil)
      let scaled = run(random, seed, scaledBy: factor, nil)
      return scaled.frames.works == plain.frames.works.map { $0 * Int64(factor) }
    }
    #expect(same > 285)
  }

  /// `scheduling` nil for slices of the factor's length.
  private func run(
    _ random: RandomScenario, _ seed: UInt64, scaledBy factor: Int, _ scheduling: Scheduling?
  ) -> RunLog {
    let plan = RunPlan(
      random.scenario.scaled(by: factor),
      under: Strategy(name: "random", arrangement: random.arrangement.scaled(by: factor)))
    let share = FairShare.standard(cores: random.scenario.machine.cores)
    let scaled = FairShare(
      slice: share.slice * factor, warm: share.warm * factor, tick: share.tick * factor)
    let costs = seed % 2 == 0 ? Costs.standard.scaled(by: factor) : .none
    return VirtualEngine(costs: costs, scheduling: scheduling ?? .sharing(scaled)).run(plan)
  }
}

extension Scenario {
  fileprivate func scaled(by factor: Int) -> Scenario {
    var scenario = self
    scenario.display = Display(
      refresh: RefreshRate(display.refresh.numerator, over: Int64(factor)),
      render: display.render.scaled(by: factor))
    scenario.duration = duration * factor
    scenario.warmup = warmup * factor
    scenario.workloads = workloads.mapValues { $0.scaled(by: factor) }
    scenario.reads = reads.map { UIRead(service: $0.service, cpu: $0.cpu.scaled(by: factor)) }
    return scenario
  }
}

extension Workload {
  fileprivate func scaled(by factor: Int) -> Workload {
    var workload = self
    switch arrival {
    case .once(let count, let start): workload.arrival = .once(count, start: start * factor)
    case .batch(let count, let every, let start):
      workload.arrival = .batch(count, every: every * factor, start: start * factor)
    case .at(let instants): workload.arrival = .at(instants.map { $0 * factor })
    case .recorded(let instants): workload.arrival = .recorded(instants.map { $0 * factor })
    case .rate: break
    }
    workload.steps = steps.map { step in
      Step(
        name: step.name, service: step.service, load: .cpu(step.load.duration.scaled(by: factor)),
        wait: step.wait.scaled(by: factor))
    }
    workload.result = result.scaled(by: factor)
    workload.respondWithin = respondWithin.map { $0 * factor }
    return workload
  }
}

extension DurationDistribution {
  fileprivate func scaled(by factor: Int) -> DurationDistribution {
    if case .constant(let span) = self { .constant(span * factor) } else { self }
  }
}

extension Arrangement {
  fileprivate func scaled(by factor: Int) -> Arrangement {
    var arrangement = self
    if case .batch(let count, let every) = admission {
      arrangement.admission = .batch(count, every: every * factor)
    }
    if case .drained(let budget) = returning {
      arrangement.returning = .drained(budget: budget * factor)
    }
    return arrangement
  }
}

extension Costs {
  fileprivate func scaled(by factor: Int) -> Costs {
    var costs = self
    for carrier in CarrierKind.allCases { costs[carrier] = costs[carrier].scaled(by: factor) }
    costs.lock = lock.scaled(by: factor)
    costs.contextSwitch = contextSwitch * factor
    costs.copyPerRecord = copyPerRecord * factor
    costs.releasePerRecord = releasePerRecord * factor
    return costs
  }
}

extension HandOffCosts {
  fileprivate func scaled(by factor: Int) -> HandOffCosts {
    HandOffCosts(post: post * factor, wake: wake * factor, latency: latency * factor)
  }
}
