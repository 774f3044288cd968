import SchedulableThreads
import FrameBudget
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetRealTime

/// Steps that answer, repeat or are cut into slices, and results that are one update, on this machine's threads and in virtual time.
/// On threads, a run ends when its three items are done and shown.
@Suite struct StepWordTests {
  private static func step(
    _ name: String, _ service: ServiceIndex, cpu: Int64 = 200, wait: Int64 = 0
  ) -> Step {
    Step(
      name: name, service: service, load: .cpu(.constant(.microseconds(cpu))),
      wait: .constant(.milliseconds(wait)))
  }

  private static func scenario(_ loop: MainLoop, _ steps: [Step]) -> Scenario {
    Scenario(
      name: "words",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: .seconds(60), warmup: .milliseconds(40),
      services: ["here", "there"].map { Service(name: $0) },
      workloads: [
        Workload(
          name: "tap", arrival: .at([.milliseconds(100), .milliseconds(110), .milliseconds(120)]),
          steps: steps, result: .constant(.milliseconds(2)), priority: .user,
          respondWithin: .milliseconds(450))
      ])
  }

  private static func arrangement(_ scenario: Scenario) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += [Lane(name: "there", carrier: .scheduler)]
    arrangement.placement = [.home(.main), .home(1)]
    arrangement.returning = .drained(budget: .milliseconds(2))
    return arrangement
  }

  /// Runs on threads and in virtual time.
  private static func run(_ scenario: Scenario, _ arrangement: Arrangement) async throws -> [RunLog]
  {
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    var options = RealEngine.Options()
    options.detail = .trace
    let shown = Locked(0)
    let real = try await realRun(until: { observation in
      shown.withLock { $0 += observation.responses.count }
      return observation.itemsDone >= 3 && shown.withLock { $0 } >= 3
    }) { [options] in try RealEngine(options).run(plan, watch: $0) }
    return [real, VirtualEngine(costs: .none, detail: .trace).run(plan)]
  }

  /// The number of runs of each step of the first item.
  private static func runs(_ log: RunLog) throws -> [Int32: Int] {
    var runs: [Int32: Int] = [:]
    for span in try #require(log.trace).threads.flatMap(\.spans) {
      if case .step(let place) = span.activity, place.item == 0 {
        runs[place.step, default: 0] += 1
      }
    }
    return runs
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `the user has the answer long before the item ends`(loop: MainLoop) async throws {
    var (present, fetch) = (Self.step("present", 0), Self.step("fetch", 1, wait: 250))
    present.answers = true
    fetch.isAwaited = false
    fetch.repeats = 3
    let scenario = Self.scenario(loop, [present, fetch])
    let logs = try await Self.run(scenario, Self.arrangement(scenario))
    for log in logs {
      #expect(log.violations == [])
      #expect(log.items[0].doneCount == 3)
      #expect(try Self.runs(log) == [0: 1, 1: 3])
      for item in 0..<3 {
        let answered = log.items[0].responses[item]
        #expect(answered >= 0 && answered < log.items[0].completions[item], "item \(item)")
      }
    }
    // How soon this machine's threads answer depends on what else it does.
    let exact = try #require(logs.last)
    #expect(RunMetrics(exact).items.responsesLate == 0)
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `an answer from another thread comes before the rest of the item`(
    loop: MainLoop
  ) async throws {
    var answer = Self.step("answer", 1)
    answer.answers = true
    let scenario = Self.scenario(loop, [answer, Self.step("rest", 1, wait: 200)])
    for log in try await Self.run(scenario, Self.arrangement(scenario)) {
      #expect(log.violations == [])
      #expect(log.items[0].doneCount == 3)
      #expect(log.items[0].responses[0] < log.items[0].completions[0])
    }
  }

  /// Slow: runs in real time.
  @Test func `a long step yields between its slices, if the arrangement yields`() async throws {
    var long = Self.step("long", 0, cpu: 40_000)
    long.slice = .milliseconds(10)
    let scenario = Self.scenario(.events(MainLoop.Events()), [long])
    var arrangement = Arrangement.onMain(scenario)
    for (yielding, slices) in [(nil, 1), (Yielding(.step), 4)] as [(Yielding?, Int)] {
      arrangement.yielding = yielding
      for log in try await Self.run(scenario, arrangement) {
        #expect(log.violations == [])
        #expect(log.items[0].doneCount == 3)
        #expect(try Self.runs(log) == [0: slices])
      }
    }
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `results of items on the main thread are one update in the next frame`(
    loop: MainLoop
  ) async throws {
    let scenario = Self.scenario(loop, [Self.step("parse", 0)])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.returning = .coalesced
    for log in try await Self.run(scenario, arrangement) {
      #expect(log.violations == [])
      #expect(log.items[0].doneCount == 3)
      #expect(log.items[0].responses.allSatisfy { $0 > 0 })
    }
  }
}
