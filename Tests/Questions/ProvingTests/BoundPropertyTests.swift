import FrameBudget
import FrameBudgetAdvice
import TestSupport
import Testing

/// Bounds compared with all possible runs of small random systems.
@Suite struct BoundPropertyTests {
  private func bound(_ system: SmallSystem) -> FrameBound {
    FrameBound(system.scenario, under: system.strategy.arrangement, costs: system.costs)
  }

  // Slow: makes up to 2500 runs of each system.
  @Test(arguments: Tries.provenSystems.parts)
  func `no run is worse than the bound, and refuting runs are reproducible`(seeds: Range<UInt64>) {
    for seed in seeds {
      let system = SmallSystem(seed: seed)
      let bound = bound(system)
      // With other processes, a thread that waits for its own core may wait without limit.
      let machine = system.scenario.machine
      let isUnbounded = machine.scheduler == .perCore && machine.cores > 1 && machine.busy > 0
      let reasons = bound.gaps.map(\.reason)
      let known = ["other threads may keep all cores busy for any time"]
      #expect(reasons == [] || isUnbounded && reasons == known, "seed \(seed)")
      let worst = WorstRuns(of: system)
      #expect(
        !worst.refutes(bound),
        "seed \(seed): \(system.strategy.name) took \(worst.longest), dropped \(worst.dropped): \(bound)"
      )
      let prover = Prover(RunPlan(system.scenario, under: system.strategy), costs: system.costs)
      let proof = prover.proof { count, make in (0..<count).map(make) }
      #expect(proof.verdict != .proven || worst.dropped == 0, "seed \(seed)")
      guard let witness = proof.witness else { continue }
      #expect(!bound.isKept, "seed \(seed): \(witness)")
      #expect(prover.run(witness) == proof.worst, "seed \(seed)")
    }
  }

  // Slow: makes up to 2500 runs of each system.
  @Test func `a word without a bound is named, and nothing is proven`() {
    for seed in 0..<UInt64(Tries.provenGrowths.count) {
      for word in SmallSystem.Word.allCases {
        guard let system = SmallSystem(seed: seed).with(word) else { continue }
        let bound = bound(system)
        #expect(bound.gaps.contains { $0.reason.contains(word.rawValue) }, "seed \(seed), \(word)")
        let prover = Prover(RunPlan(system.scenario, under: system.strategy), costs: system.costs)
        let proof = prover.proof { count, make in (0..<count).map(make) }
        #expect(proof.verdict != .proven, "seed \(seed), \(word)")
        guard let witness = proof.witness else { continue }
        #expect(prover.run(witness) == proof.worst, "seed \(seed), \(word)")
      }
    }
  }

  // Slow: makes up to 2500 runs of each system.
  /// A budget below what frames need on average, so that each runs all of it; one between; and one that is never reached.
  @Test(arguments: [
    .spread(budget: .microseconds(200)), .spread(budget: .microseconds(290)),
    .spread(budget: .microseconds(400)), FramePartRule.cached(hits: 0.8),
  ])
  func `a part of drawing that is spread or in a cache has a bound`(rule: FramePartRule) {
    var proven = 0
    for seed in 0..<UInt64(Tries.provenGrowths.count) {
      let system = SmallSystem(seed: seed).drawing(rule)
      let bound = bound(system)
      if case .fitting = system.strategy.arrangement.admission {
        #expect(bound.gaps.contains { $0.reason.contains("beside time slicing") })
        continue
      }
      #expect(!bound.gaps.contains { $0.reason.contains("part") }, "seed \(seed): \(bound.gaps)")
      let worst = WorstRuns(of: system)
      #expect(!worst.refutes(bound), "seed \(seed): \(worst.longest), not \(bound)")
      if bound.isKept { proven += 1 }
    }
    #expect(proven > 0)
  }

  @Test func `frames that an arrangement shows later have the bound of a screen that does`() {
    for seed in 0..<UInt64(Tries.provenGrowths.count) {
      var system = SmallSystem(seed: seed)
      system.showThroughGPU(seed: seed)
      var (screen, arrangement) = (system.scenario, system.strategy.arrangement)
      screen.display.pipeline.deadline += 1
      screen.display.pipeline.buffers += 1
      arrangement.presentsLater = 1
      #expect(
        FrameBound(system.scenario, under: arrangement, costs: system.costs)
          == FrameBound(screen, under: system.strategy.arrangement, costs: system.costs),
        "seed \(seed)")
    }
  }

  @Test func `results that the main thread shows as one update have a bound`() {
    for seed in 0..<UInt64(Tries.provenGrowths.count) {
      for family in [SmallSystem.Family.mainThread, .events, .partial] {
        checkOneUpdate(seed, family)
      }
    }
  }

  /// Each update falls into the frame after the items, which are late themselves.
  @Test(arguments: [286, 290, 355, 470, 559, 585] as [UInt64])
  func `an update may be late after a late frame`(seed: UInt64) {
    checkOneUpdate(seed, .mainThread)
  }

  private func checkOneUpdate(_ seed: UInt64, _ family: SmallSystem.Family) {
    let system = SmallSystem(seed: seed, family).coalescing
    let bound = bound(system)
    let worst = WorstRuns(of: system)
    #expect(bound.gaps.isEmpty, "seed \(seed), \(family): \(bound.gaps)")
    #expect(!worst.refutes(bound), "seed \(seed), \(family): \(worst.longest), not \(bound)")
  }

  // Slow: the same, with services that let several threads in.
  @Test(arguments: Tries.provenSystems.parts)
  func `no run with parallel services is worse than the bound`(seeds: Range<UInt64>) {
    for seed in seeds {
      var system = SmallSystem(seed: seed)
      guard system.letThreadsIn() else { continue }
      let bound = bound(system)
      #expect(
        !WorstRuns(of: system).refutes(bound), "seed \(seed): \(system.strategy.name): \(bound)")
    }
  }

  // Slow: the same, with a second stage that takes no core.
  @Test(arguments: Tries.provenSystems.parts)
  func `no run whose frames pass through a GPU is worse than the bound`(seeds: Range<UInt64>) {
    for seed in seeds {
      var system = SmallSystem(seed: seed)
      system.showThroughGPU(seed: seed)
      let (bound, worst) = (bound(system), WorstRuns(of: system))
      #expect(
        !worst.refutes(bound),
        "seed \(seed): \(system.strategy.name) took \(worst.longest), dropped \(worst.dropped): \(bound)"
      )
    }
  }

  @Test(arguments: Tries.provenSystems.parts)
  func `suspended items are refused with a reason, and never proven`(seeds: Range<UInt64>) {
    for seed in seeds {
      var system = SmallSystem(seed: seed)
      guard system.suspend(seed: seed) else { continue }
      let bound = bound(system)
      #expect(bound.gaps.contains { $0.reason.contains("are suspended") }, "seed \(seed)")
      let plan = RunPlan(system.scenario, under: system.strategy)
      let proof = Prover(plan, costs: system.costs).proof { count, make in (0..<count).map(make) }
      #expect(!bound.isKept && proof.verdict != .proven, "seed \(seed)")
    }
  }

  /// The longest frame of this system waits for an event that began at its vsync.
  @Test func `a frame wanted at its vsync waits for an event that began at the same instant`() {
    let system = SmallSystem(seed: 569, .events)
    #expect(WorstRuns(of: system).longest == bound(system).frame)
  }

  // Slow: the same, for two growths of each system.
  @Test func `a proof for larger costs holds for them, and for all smaller ones`() {
    for seed in 0..<UInt64(Tries.provenGrowths.count) {
      let system = SmallSystem(seed: seed)
      guard
        let growth = FrameBound.growth(
          of: system.scenario, under: system.strategy.arrangement, costs: system.costs),
        growth < FrameBound.maxGrowth
      else { continue }
      for thousandths in Set([growth, growth > 1000 ? (1000 + growth) / 2 : growth]) {
        var grown = system
        grown.scenario = system.scenario.costing(Double(thousandths) / 1000)
        #expect(WorstRuns(of: grown).dropped == 0, "seed \(seed) with \(thousandths) thousandths")
      }
    }
  }
}
