import FrameBudget
import FrameBudgetSimulation
import Synchronization
import Testing

@testable import FrameBudgetRealTime

/// Items of which only the newest matters, on this machine's threads and in virtual time.
@Suite struct NewestTests {
  /// Ten items, 60 ms apart, of which each would take 300 ms of waiting on a lane.
  private static func scenario(_ loop: MainLoop, _ rule: NewestRule) -> Scenario {
    var step = Step(
      name: "search", service: 0, load: .cpu(.constant(.microseconds(200))),
      wait: .constant(.milliseconds(30)))
    step.repeats = 10
    var typed = Workload(
      name: "key", arrival: .at((0..<10).map { .milliseconds(200 + 60 * Int64($0)) }),
      steps: [step], result: .constant(.milliseconds(1)), priority: .user,
      respondWithin: .seconds(2))
    typed.admission = rule
    return Scenario(
      name: "typing",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .seconds(4), warmup: .milliseconds(40), services: [Service(name: "index")],
      workloads: [typed])
  }

  private static func plan(_ scenario: Scenario) -> RunPlan {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += [Lane(name: "search", carrier: .scheduler)]
    arrangement.placement = [.home(1)]
    arrangement.returning = .drained(budget: .milliseconds(2))
    return RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
  }

  private static func run(_ scenario: Scenario) async throws -> [RunLog] {
    let plan = plan(scenario)
    let real = try await realRun { try RealEngine().run(plan) }
    return [real, VirtualEngine(costs: .none).run(plan)]
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `a newer item ends those before it and answers for them`(loop: MainLoop) async throws {
    for log in try await Self.run(Self.scenario(loop, .latest)) {
      #expect(log.status == .complete, "\(log.violations)")
      #expect(log.items[0].doneCount == 1 && log.items[0].replacedCount == 9)
      #expect(Set(log.items[0].responses).count == 1 && log.items[0].responses[0] > 0)
    }
  }

  /// Of two items, both wait at the end of a step for longer than the run: of the last one, or of one before it.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())], [false, true])
  func `at the end a newer item ends an older one only before a step`(
    loop: MainLoop, isLast: Bool
  ) async throws {
    var scenario = Self.scenario(loop, .latest)
    scenario.duration = .seconds(60)
    scenario.workloads[0].arrival = .at([.milliseconds(200), .milliseconds(600)])
    var step = Step(name: "fetch", service: 0, load: .cpu(.constant(.microseconds(200))))
    step.suspension = Suspension(.constant(.seconds(120)))
    scenario.workloads[0].steps = isLast ? [step] : [step] + scenario.workloads[0].steps
    let virtual = VirtualEngine(costs: .none).run(Self.plan(scenario))
    #expect(virtual.status == .complete, "\(virtual.violations)")
    scenario.workloads[0].arrival = .at([.milliseconds(200)])
    let real = try await Self.runWithSecondItem(Self.plan(scenario))
    #expect(real.status == .interrupted, "\(real.violations)")
    for log in [real, virtual] {
      #expect(log.items[0].replacedCount == (isLast ? 0 : 1))
      #expect(log.items[0].pendingCount == (isLast ? 2 : 1))
    }
  }

  /// The second item comes when the first one waits, and the run ends when both do.
  private static func runWithSecondItem(_ plan: RunPlan) async throws -> RunLog {
    let watch = RunWatch()
    let hasAdded = Atomic<Bool>(false)
    return try await realRun(watchedBy: {
      let waiting = watch.observe().suspended.reduce(0, +)
      if waiting == 1, !hasAdded.exchange(true, ordering: .relaxed) { watch.add(1, of: 0) }
      if waiting == 2 { watch.stop() }
    }) {
      try RealEngine().run(plan, watch: watch)
    }
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `an item starts when no newer one has come for a time`(loop: MainLoop) async throws {
    for log in try await Self.run(Self.scenario(loop, .debounce(.milliseconds(400)))) {
      #expect(log.status == .complete, "\(log.violations)")
      #expect(log.items[0].doneCount == 1 && log.items[0].replacedCount == 9)
      #expect(log.items[0].completions[9] - log.items[0].arrivals[9] >= 700_000_000)
    }
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `the first item starts at once, and later the newest of the others`(
    loop: MainLoop
  ) async throws {
    for log in try await Self.run(Self.scenario(loop, .throttle(.seconds(1)))) {
      #expect(log.status == .complete, "\(log.violations)")
      #expect(log.items[0].doneCount == 2 && log.items[0].replacedCount == 8)
      #expect(log.items[0].completions[0] > 0 && log.items[0].completions[9] > 0)
    }
  }
}
