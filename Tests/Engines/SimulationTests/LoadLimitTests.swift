import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

@Suite struct LoadLimitTests {
  /// Ticks and bursts of one long item at regular intervals, on one service or two, on a lane in the background.
  private static func app(_ seed: UInt64, load: Int, lasting duration: TimeSpan) -> Scenario {
    var numbers = RandomNumbers(seed: seed)
    let every = 10 + numbers.next(below: 40)
    let tick = 200 + numbers.next(below: 2000)
    let burst = 5 + numbers.next(below: 60)
    let result = [0, 0, 100, 400][numbers.next(below: 4)]
    func step(_ service: ServiceIndex, _ microseconds: Int) -> Step {
      Step(
        name: "step", service: service, load: .cpu(.constant(.microseconds(Int64(microseconds)))))
    }
    let apart = ServiceIndex(numbers.next(below: 2))
    return Scenario(
      name: "load",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(3))),
      duration: duration, services: [Service(name: "one"), Service(name: "two")],
      workloads: [
        Workload(
          name: "tick",
          arrival: .batch(load, every: .milliseconds(Int64(every)), start: .zero),
          steps: [step(0, tick)], result: .constant(.microseconds(Int64(result)))),
        Workload(
          name: "burst", arrival: .batch(1, every: .milliseconds(1000), start: .zero),
          steps: [step(apart, burst * 1000)]),
      ])
  }

  private static func limit(seed: UInt64, tenths: Int) -> Int {
    let outcome = LoadSearch.largest(in: 1...200) { load in
      let app = app(seed, load: load, lasting: .milliseconds(Int64(10_000 + 100 * tenths)))
      return Overload.of(RunMetrics(app.run(app.inBackground())))
    }
    return outcome.largest ?? 0
  }

  // Slow: eleven searches for each load, whose runs last ten seconds.
  @Test(arguments: 0..<UInt64(Tries.loadLimits.count))
  func `the largest load does not depend on where in a burst a run ends`(seed: UInt64) {
    let limits = (0...10).map { Self.limit(seed: seed, tenths: $0) }
    let (least, most) = (limits.min() ?? 0, limits.max() ?? 0)
    #expect(most - least <= 1, "seed \(seed): \(limits)")
  }
}
