import FrameBudget
import Testing

@testable import FrameBudgetRealTime

/// A main loop that runs one event after another, on this machine's threads and clock. Runs are much longer than their work,
/// because the machine may be busy.
@Suite struct EventLoopTests {
  private static func run(
    _ frames: FrameDemand = .always, yielding: Yielding? = nil, _ name: String? = nil
  ) async throws -> RunLog {
    let steps = (0..<20).map {
      Step(name: "call \($0)", service: 0, load: .cpu(.constant(.milliseconds(3))))
    }
    let scenario = Scenario(
      name: "events",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)), frames: frames,
        mainLoop: .events(MainLoop.Events(frameTime: .posted))),
      duration: .seconds(4), warmup: .milliseconds(40), services: [Service(name: "app")],
      workloads: [
        Workload(
          name: "task", arrival: .at([.milliseconds(105), .milliseconds(305)]), steps: steps)
      ])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.yielding = yielding
    if let name { arrangement = try StrategyCatalog.strategy(name, for: scenario).arrangement }
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    return try await realRun { try RealEngine().run(plan) }
  }

  @Test func `a task runs to its end and drops the frames meanwhile`() async throws {
    let log = try await Self.run()
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 2)
    // Two tasks of 60 ms hide at least two vsyncs of 20 ms each.
    #expect(log.frames.dropped >= 4)
    #expect(log.frames.dropped == log.frames.expected - log.frames.presented)
  }

  @Test func `a task that yields is done all the same, step by step`() async throws {
    let log = try await Self.run(yielding: Yielding(.step))
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 2 && log.items[0].orderViolations == 0)
    #expect(log.frames.presented > 0)
  }

  /// Items of 3 ms, twice as many as end within five periods.
  @Test(arguments: MainLoop.Events.Order.allCases)
  func `a batch of all that is queued runs to its end before the next frame`(
    order: MainLoop.Events.Order
  ) async throws {
    let scenario = Scenario(
      name: "flood",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(1)),
        mainLoop: .events(MainLoop.Events(order: order, batch: .queued))),
      duration: .seconds(8), warmup: .milliseconds(40), services: [Service(name: "app")],
      workloads: [
        Workload(
          name: "flood",
          arrival: .at(Array(repeating: .milliseconds(105), count: 70)),
          steps: [Step(name: "call", service: 0, load: .cpu(.constant(.milliseconds(3))))])
      ])
    let plan = RunPlan(
      scenario, under: Strategy(name: "test", arrangement: Arrangement.onMain(scenario)))
    let log = try await realRun { try RealEngine().run(plan) }
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 70)
    // 210 ms of processor time hide at least nine vsyncs of 20 ms, one after the other.
    #expect(log.frames.drops.map(\.vsyncs).max() ?? 0 >= 9)
  }

  @Test func `on demand, only requested frames are drawn`() async throws {
    let log = try await Self.run(.onDemand(at: [.milliseconds(50)]))
    #expect(log.status == .complete, "\(log.violations)")
    // The request, and the results of two items.
    #expect(log.frames.begins.count <= 3 && log.frames.begins.count >= 1)
    #expect(log.frames.expected == log.frames.presented + log.frames.dropped)
  }

  /// A task of 400 ms from 105 ms; 5 ms later a timer is due, and 25 ms later work is posted. A busy machine can post it after
  /// the task has ended, so some runs show no order; an order that is wrong is wrong in each.
  @Test(arguments: [false, true])
  func `a timer that is due during a task runs after what was posted meanwhile`(
    isTimer: Bool
  ) async throws {
    func workload(_ name: String, at arrival: Int64, _ cost: Int64) -> Workload {
      Workload(
        name: name, arrival: .at([.milliseconds(arrival)]),
        steps: [Step(name: name, service: 0, load: .cpu(.constant(.milliseconds(cost))))])
    }
    var scenario = Scenario(
      name: "timer",
      display: Display(
        refresh: RefreshRate(50), frames: .onDemand(at: []),
        mainLoop: .events(MainLoop.Events(order: .fifo))),
      duration: .seconds(8), warmup: .milliseconds(40), services: [Service(name: "app")],
      workloads: [
        workload("task", at: 105, 400), workload("due", at: 110, 3), workload("posted", at: 130, 3),
      ])
    scenario.workloads[1].isTimer = isTimer
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: .onMain(scenario)))
    var orders: [[Int64]] = []
    while orders.count < 5, !orders.contains(where: { ($0[2] < $0[1]) == isTimer }) {
      let log = try await realRun { try RealEngine().run(plan) }
      #expect(log.status == .complete, "\(log.violations)")
      let done = log.items.map { $0.completions[0] }
      #expect(done[0] < done[1] && done[0] < done[2])
      orders.append(done)
    }
    #expect(orders.contains { ($0[2] < $0[1]) == isTimer }, "\(orders)")
  }

  /// An input of 400 ms, meanwhile a task and another input. The result of the input requests a frame, which comes by 525 ms.
  @Test func `behind an input, tasks wait for the frame, and other inputs do not`() async throws {
    func workload(_ name: String, at arrival: Int64, _ cost: Int64) -> Workload {
      Workload(
        name: name, arrival: .at([.milliseconds(arrival)]),
        steps: [Step(name: name, service: 0, load: .cpu(.constant(.milliseconds(cost))))])
    }
    var scenario = Scenario(
      name: "inputs",
      display: Display(
        refresh: RefreshRate(50), frames: .onDemand(at: []),
        mainLoop: .events(MainLoop.Events(order: .fifo, deferral: .seconds(60)))),
      duration: .seconds(8), warmup: .milliseconds(40), services: [Service(name: "app")],
      workloads: [
        workload("input", at: 105, 400), workload("task", at: 130, 3),
        workload("other", at: 131, 3),
      ])
    for input in [0, 2] as [WorkloadIndex] { scenario.workloads[input].isInput = true }
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: .onMain(scenario)))
    let log = try await realRun { try RealEngine().run(plan) }
    #expect(log.status == .complete, "\(log.violations)")
    let done = log.items.map { $0.completions[0] }
    #expect(done[0] < done[2] && done[2] < done[1], "\(done)")
    // The vsync of the first frame.
    let vsync = Int(try #require(log.frames.begins.first))
    #expect(RefreshRate(50).vsync(vsync).nanoseconds < done[1])
  }

  @Test func `results of other lanes wake the loop`() async throws {
    let log = try await Self.run(.onDemand(at: []), "schedulable")
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].doneCount == 2 && log.frames.begins.count >= 1)
  }

  /// Frames of 30 ms at 50 Hz wait for one another, and the thread never sleeps.
  @Test func `waiting for the drawing of the previous frame is not a late wake-up`() async throws {
    let scenario = Scenario(
      name: "drawing",
      display: Display(
        refresh: RefreshRate(50), render: .constant(.milliseconds(30)),
        pipeline: Pipeline(deadline: 2), mainLoop: .events(MainLoop.Events())),
      duration: .seconds(2), warmup: .milliseconds(20), services: [Service(name: "app")])
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: .onMain(scenario)))
    // A busy machine draws few of the 66.
    let log = try await realRuns(of: plan) { $0.frames.wakeups.count >= 5 }
    let wakeups = log.frames.wakeups.sorted()
    let lateness = log.frames.lateness.sorted()
    try #require(wakeups.count >= 5)
    #expect(wakeups[wakeups.count / 2] * 4 < lateness[lateness.count / 2])
    #expect(log.frames.totals[.wakeup] < log.frames.totals[.render])
  }
}
