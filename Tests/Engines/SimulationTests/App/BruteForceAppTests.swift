import FrameBudget
import Testing

@testable import FrameBudgetSimulation

@Suite struct BruteForceAppTests {
  /// Nanoseconds in a tick of the simple simulator.
  private static let tick: Int64 = 10_000
  private static let vsyncs = 40

  @Test func `a frame loop of small time steps agrees on tiny cases`() {
    var compared = 0
    for seed in UInt64(0)..<400 {
      let drawn = Self.draw(seed)
      var brute = BruteForceApp(drawn)
      // A tick more, so that the frame that ends with the run has ended.
      brute.run(to: drawn.period * Self.vsyncs)
      if brute.isAmbiguous { continue }
      compared += 1
      let log = Self.run(drawn)
      let frames = log.frames.begins.count
      #expect(log.frames.begins.map(Int.init) == Array(brute.begins.prefix(frames)), "seed \(seed)")
      let whole = min(frames, brute.works.count)
      #expect(
        log.frames.works.prefix(whole)
          == brute.works.prefix(whole).map { Int64($0) * Self.tick }[...],
        "seed \(seed)")
      for item in 0..<log.items[0].arrivals.count {
        let done = brute.done[item].map { Int64($0) * Self.tick } ?? -1
        #expect(max(-1, log.items[0].completions[item]) == done, "seed \(seed), item \(item)")
        let shown = brute.shown[item].map { Int64($0) * Self.tick } ?? -1
        #expect(log.items[0].responses[item] == shown, "seed \(seed), item \(item)")
      }
    }
    #expect(compared > 200)
  }

  private static func draw(_ seed: UInt64) -> BruteForceApp.Case {
    var stream = RandomStream(seed: seed, name: "tiny")
    let steps = (0..<stream.number(1...3)).map { _ in
      (ticks: stream.number(1...700), isOnMain: stream.chance(40))
    }
    return BruteForceApp.Case(
      period: 1000, render: stream.number(0...900), arrival: stream.number(0...3000),
      count: stream.number(1...30), steps: steps, result: stream.number(0...200),
      budget: stream.number(0...500))
  }

  private static func run(_ drawn: BruteForceApp.Case) -> RunLog {
    func span(_ ticks: Int) -> TimeSpan { TimeSpan(nanoseconds: Int64(ticks) * tick) }
    let steps = drawn.steps.map { step in
      Step(
        name: "step", service: step.isOnMain ? 0 : 1, load: .cpu(.constant(span(step.ticks))))
    }
    let scenario = Scenario(
      name: "tiny",
      display: Display(refresh: RefreshRate(100), render: .constant(span(drawn.render))),
      duration: span(drawn.period * vsyncs), machine: Machine(cores: 2),
      services: [Service(name: "here"), Service(name: "there")],
      workloads: [
        Workload(
          name: "item", arrival: .once(drawn.count, start: span(drawn.arrival)), steps: steps,
          result: .constant(span(drawn.result)), respondWithin: .seconds(1))
      ])
    var arrangement = scenario.inBackground()
    arrangement.placement = [.home(.main), .home(1)]
    arrangement.returning = .drained(budget: span(drawn.budget))
    return scenario.run(arrangement)
  }
}
