import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

@Suite struct `Frames that an arrangement shows later` {
  /// What the arrangement does is what a screen with a later deadline and more buffers does.
  @Test(arguments: Tries.randomRuns.parts)
  func `are those of a screen that shows them later`(seeds: Range<UInt64>) {
    for seed in seeds {
      let run = RandomRun(seed: seed, forks: seed.isMultiple(of: 2))
      guard run.plan.strategy.name == "random" else { continue }
      let (screen, arranged) = run.presenting(later: 1 + Int(seed % 2))
      let (one, other) = (screen.log(), arranged.log())
      #expect(RandomScenarioTests.text(one) == RandomScenarioTests.text(other), "seed \(seed)")
      #expect(one.frames.records == other.frames.records, "seed \(seed)")
      #expect(one.violations == other.violations)
    }
  }

  /// Every sixth frame takes 20 ms: it is late by 3.3 ms, and in time a period later. A tap is answered a period later, too.
  @Test func `are in time, and everything is seen a period later`() throws {
    let refresh = RefreshRate(60)
    let costs = [TimeSpan](repeating: .ms(4), count: 5) + [.ms(20)]
    var scenario = Scenario(
      name: "list",
      display: Display(
        refresh: refresh, render: RecordedDurations(costs).map { .recorded($0) } ?? .none,
        mainLoop: .events(MainLoop.Events())),
      duration: refresh.vsync(60).sinceZero, warmup: .zero, services: [Service(name: "app")])
    scenario.workloads = [
      Workload(
        name: "tap", arrival: .once(1, start: refresh.vsync(20).sinceZero + .ms(1)),
        steps: [Step(name: "step", service: 0, load: .cpu(.constant(.ms(1))))],
        result: .constant(.ms(1)), priority: .user, respondWithin: .milliseconds(100))
    ]
    var arrangement = Arrangement.onMain(scenario)
    let today = scenario.run(arrangement, detail: .frames)
    #expect(today.frames.dropped > 0)
    arrangement.presentsLater = 1
    try arrangement.validate(for: scenario)
    let later = scenario.run(arrangement, detail: .frames)
    #expect(later.frames.dropped == 0)
    #expect(
      later.items[0].responses[0] - today.items[0].responses[0]
        == (refresh.vsync(23) - refresh.vsync(22)).nanoseconds)
  }
}
