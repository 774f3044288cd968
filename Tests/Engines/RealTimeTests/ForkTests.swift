import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Items that leave steps to other lanes, on this machine's threads and clock: the order and place of all work, and that nothing
/// is lost. Runs are much longer than their work, because the machine may be busy.
@Suite struct ForkTests {
  /// Two steps that wait on lanes of their own, and one on main that joins them.
  private static func scenario(
    _ loop: MainLoop, items: Int = 5, wait: TimeSpan = .milliseconds(15),
    duration: TimeSpan = .seconds(4)
  ) -> Scenario {
    func step(_ name: String, _ service: ServiceIndex, wait: TimeSpan = .zero) -> Step {
      Step(
        name: name, service: service, load: .cpu(.constant(.microseconds(200))),
        wait: .constant(wait),
        isAwaited: wait == .zero, joins: wait == .zero)
    }
    return Scenario(
      name: "forks",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: duration, warmup: .milliseconds(40),
      services: ["decoder", "likes", "viewer"].map { Service(name: $0) },
      workloads: [
        Workload(
          name: "photo",
          arrival: .at((0..<items).map { .milliseconds(100 + 20 * Int64($0)) }),
          steps: [step("decode", 0, wait: wait), step("fetch", 1, wait: wait), step("show", 2)])
      ])
  }

  private static func run(
    _ scenario: Scenario, _ arrangement: Arrangement
  ) async throws -> RunLog {
    var options = RealEngine.Options()
    options.detail = .trace
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    return try await realRun { [options] in try RealEngine(options).run(plan) }
  }

  private static func onLanes(_ scenario: Scenario) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += ["decoder", "likes"].map { Lane(name: $0, carrier: .scheduler) }
    arrangement.placement = [.home(1), .home(2), .home(.main)]
    arrangement.returning = .drained(budget: .milliseconds(2))
    return arrangement
  }

  private struct Ran {
    let thread: Int
    let span: TraceSpan
  }

  /// By item and step: the place and time of its run.
  private static func steps(_ log: RunLog) throws -> [Int32: [Int32: [Ran]]] {
    var steps: [Int32: [Int32: [Ran]]] = [:]
    for (thread, trace) in try #require(log.trace).threads.enumerated() {
      for span in trace.spans {
        guard case .step(let place) = span.activity else { continue }
        steps[place.item, default: [:]][place.step, default: []].append(
          Ran(thread: thread, span: span))
      }
    }
    return steps
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `a join starts when all of its forks have ended, and every step runs once`(
    loop: MainLoop
  ) async throws {
    let scenario = Self.scenario(loop)
    let log = try await Self.run(scenario, Self.onLanes(scenario))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 5 && log.items[0].pendingCount == 0)
    // To both lanes, and back unless both were over before main came to the join.
    #expect((10...15).contains(log.totals.hops))
    for (item, steps) in try Self.steps(log) {
      #expect(steps.count == 3 && steps.values.allSatisfy { $0.count == 1 }, "item \(item)")
      #expect(steps.sorted { $0.key < $1.key }.map(\.value[0].thread) == [1, 2, 0])
      let ends = [0, 1].compactMap { steps[$0]?[0].span.end }
      let join = try #require(steps[2]?[0].span.begin)
      #expect(ends.allSatisfy { $0 <= join }, "item \(item)")
    }
  }

  @Test func `forked steps run at the same time`() async throws {
    let scenario = Self.scenario(.events(MainLoop.Events()), items: 1, wait: .seconds(1))
    let log = try await Self.run(scenario, Self.onLanes(scenario))
    let steps = try #require(try Self.steps(log)[0])
    let (decode, fetch) = (try #require(steps[0]?[0].span), try #require(steps[1]?[0].span))
    // Each sleeps for a second, so in turn they could not overlap.
    #expect(decode.begin < fetch.end && fetch.begin < decode.end)
  }

  /// Other mechanisms, among them one that makes an event of each step, and one on which a join comes back to a lane.
  /// Slow: runs every strategy in real time.
  @Test(arguments: ["schedulable", "actors", "gcd-serial", "job-queue", "bridge", "observe-on"])
  func `every strategy completes every item`(name: String) async throws {
    let scenario = Self.scenario(.frame, wait: .milliseconds(2))
    let log = try await Self.run(
      scenario, StrategyCatalog.strategy(name, for: scenario).arrangement)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount + log.items[0].pendingCount == 5)
    // Actors share their threads with tests that hold them.
    #expect(log.items[0].doneCount == 5 || name == "actors")
  }

  @Test func `if each step is an operation, so is the step after a fork`() async throws {
    var scenario = Self.scenario(.frame, wait: .milliseconds(2))
    scenario.workloads[0].steps.append(scenario.workloads[0].steps[0])
    scenario.workloads[0].steps[3].isAwaited = true
    scenario.workloads[0].steps.append(scenario.workloads[0].steps[2])
    var arrangement = Self.onLanes(scenario)
    arrangement.lanes[1].carrier = .operationQueue
    arrangement.lanes[1].options[.operations] = .choice("step")
    arrangement.placement = [.home(1), .home(2), .home(1)]
    let log = try await Self.run(scenario, arrangement)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 5)
    for (item, steps) in try Self.steps(log) {
      #expect(steps.count == 5 && steps.values.allSatisfy { $0.count == 1 }, "item \(item)")
    }
  }

  /// Slow: runs in real time.
  @Test func `an item whose parts are cut off by the end of the run is pending once`() async throws
  {
    let scenario = Self.scenario(
      .frame, items: 3, wait: .seconds(5), duration: .milliseconds(300))
    let log = try await Self.run(scenario, Self.onLanes(scenario))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 0 && log.items[0].pendingCount == 3)
  }

  // MARK: Yielding

  /// The order in which the main thread ran the steps of two tasks that came at once: `item.step`.
  private static func order(_ yielding: Yielding?) async throws -> [String] {
    let steps = (0..<3).map {
      Step(name: "call \($0)", service: 0, load: .cpu(.constant(.milliseconds(1))))
    }
    let scenario = Scenario(
      name: "yielding",
      display: Display(refresh: RefreshRate(50), mainLoop: .events(MainLoop.Events())),
      duration: .seconds(3), warmup: .milliseconds(40), services: [Service(name: "page")],
      workloads: [
        Workload(name: "task", arrival: .once(2, start: .milliseconds(100)), steps: steps)
      ]
    )
    var arrangement = Arrangement.onMain(scenario)
    arrangement.yielding = yielding
    let log = try await run(scenario, arrangement)
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 2)
    return try #require(log.trace).threads[0].spans.compactMap { span in
      guard case .step(let place) = span.activity else { return nil }
      return "\(place.item).\(place.step)"
    }
  }

  private static let inARow = ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]

  /// Slow: runs in real time.
  @Test func `tasks that yield in turn take turns`() async throws {
    #expect(try await Self.order(Yielding(.step)) == ["0.0", "1.0", "0.1", "1.1", "0.2", "1.2"])
    // No task lasts that long.
    #expect(try await Self.order(Yielding(.after(.seconds(5)))) == Self.inARow)
    // Each of them takes longer than that.
    let short = try await Self.order(Yielding(.after(.nanoseconds(1))))
    #expect(short == ["0.0", "1.0", "0.1", "1.1", "0.2", "1.2"])
  }

  /// Slow: runs in real time.
  @Test func `tasks that resume first run to their end`() async throws {
    #expect(try await Self.order(Yielding(.step, resumes: .first)) == Self.inARow)
    #expect(try await Self.order(nil) == Self.inARow)
  }
}
