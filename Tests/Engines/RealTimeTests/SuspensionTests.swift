import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Suspended items and services that let several threads in, on this machine's threads and clock. Runs are much longer than their
/// work, because the machine may be busy.
@Suite struct SuspensionTests {
  private static func scenario(
    _ steps: [Step], items: Int = 12, loop: MainLoop = .frame,
    duration: TimeSpan = .seconds(8)
  ) -> Scenario {
    var scenario = Scenario(
      name: "suspended",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), mainLoop: loop),
      duration: duration, warmup: .milliseconds(40),
      services: ["ui", "network"].map { Service(name: $0) },
      workloads: [
        Workload(name: "image", arrival: .once(items, start: .milliseconds(100)), steps: steps)
      ])
    scenario.resources = [Resource(name: "connections", parallel: 4)]
    return scenario
  }

  private static func step(
    _ service: ServiceIndex, suspended: TimeSpan? = nil, limited: Bool = false,
    isAwaited: Bool = true, joins: Bool = false
  ) -> Step {
    var step = Step(
      name: "step", service: service, load: .cpu(.constant(.microseconds(100))),
      isAwaited: isAwaited, joins: joins)
    step.suspension = suspended.map { Suspension(.constant($0), on: limited ? 0 : nil) }
    return step
  }

  private static func onLane(_ scenario: Scenario, _ lane: Lane) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(lane)
    arrangement.placement = [.home(.main), .home(1)]
    arrangement.returning = .drained(budget: .milliseconds(2))
    return arrangement
  }

  private static func run(
    _ scenario: Scenario, _ arrangement: Arrangement
  ) async throws -> RunLog {
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    return try await realRun { try RealEngine().run(plan) }
  }

  /// From the arrival to the end of each item, in milliseconds, sorted.
  private static func spans(_ log: RunLog) -> [Double] {
    log.items[0].completions.map { Double($0) / 1e6 - 100 }.sorted()
  }

  /// Whether a third of the items ended within less than `milliseconds` after another one. Of waits one after another none would; a
  /// busy machine delays some, by any time.
  private static func areTogether(_ spans: [Double], within milliseconds: Double) -> Bool {
    let close = zip(spans, spans.dropFirst()).count { $1 - $0 < milliseconds }
    return close * 3 >= spans.count - 1
  }

  private static let lanes = [
    Lane(name: "net", carrier: .thread), Lane(name: "net", carrier: .actor),
    Lane(name: "net", carrier: .operationQueue), Lane(name: "net", carrier: .process),
  ]

  /// Slow: runs in real time.
  @Test(arguments: lanes)
  func `suspended items wait at the same time`(_ lane: Lane) async throws {
    let scenario = Self.scenario([Self.step(1, suspended: .milliseconds(250))])
    let log = try await Self.run(scenario, Self.onLane(scenario, lane))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 12 && log.totals.hops == 24)
    #expect(try #require(Self.spans(log).first) >= 250)
    #expect(Self.areTogether(Self.spans(log), within: 250), "\(Self.spans(log))")
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `the main thread draws and serves others meanwhile`(_ loop: MainLoop) async throws {
    let scenario = Self.scenario(
      [Self.step(0, suspended: .milliseconds(250)), Self.step(0)], loop: loop)
    let log = try await Self.run(scenario, .onMain(scenario))
    let same = VirtualEngine().run(
      RunPlan(scenario, under: Strategy(name: "test", arrangement: .onMain(scenario))))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 12 && log.totals.hops == same.totals.hops)
    #expect(try #require(Self.spans(log).first) >= 250)
    #expect(Self.areTogether(Self.spans(log), within: 250), "\(Self.spans(log))")
  }

  /// Slow: runs in real time.
  @Test func `a resource serves as many at a time as the file says`() async throws {
    let scenario = Self.scenario([Self.step(1, suspended: .milliseconds(200), limited: true)])
    let log = try await Self.run(scenario, Self.onLane(scenario, Self.lanes[0]))
    #expect(log.status == .complete, "\(log.violations)")
    let spans = Self.spans(log)
    for (place, span) in spans.enumerated() { #expect(span >= Double(1 + place / 4) * 200) }
    #expect(Self.areTogether(spans, within: 200), "\(spans)")
  }

  /// Slow: runs in real time.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())])
  func `steps that are not awaited are suspended at the same time`(
    _ loop: MainLoop
  ) async throws {
    let fork = Self.step(0, suspended: .milliseconds(250), isAwaited: false)
    let far = Self.step(1, suspended: .milliseconds(300), isAwaited: false)
    let scenario = Self.scenario(
      [fork, fork, far, Self.step(0, joins: true)], items: 5, loop: loop)
    let log = try await Self.run(scenario, Self.onLane(scenario, Self.lanes[0]))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 5)
    #expect(try #require(Self.spans(log).first) >= 300)
    // One after another the forks of an item take 800 ms.
    #expect(Self.areTogether(Self.spans(log), within: 800), "\(Self.spans(log))")
  }

  /// Slow: runs in real time.
  @Test func `items that are suspended when the run stops are pending`() async throws {
    let scenario = Self.scenario(
      [Self.step(1, suspended: .seconds(30), limited: true)], duration: .milliseconds(300))
    let log = try await Self.run(scenario, Self.onLane(scenario, Self.lanes[0]))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 0 && log.items[0].pendingCount == 12)
  }

  /// Slow: runs in real time.
  @Test func `a service without state lets all threads of its lane in`() async throws {
    var step = Self.step(1)
    step.wait = .constant(.milliseconds(200))
    var scenario = Self.scenario([step])
    scenario.services[1].isExclusive = false
    let lane = Lane(name: "net", carrier: .dispatch, width: 8)
    let log = try await Self.run(scenario, Self.onLane(scenario, lane))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.totals.exclusionViolations == 0 && log.items[0].doneCount == 12)
    #expect(Self.areTogether(Self.spans(log), within: 200), "\(Self.spans(log))")
  }
}
