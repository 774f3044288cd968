import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results of steps that are not awaited, calculated by hand: one item, 100 ms after the start, and a thread for each of the
/// services `a` and `b`; a main loop of events, so that nothing waits for a vsync, and no costs except the work itself.
@Suite struct ForkAnswersTests {
  private typealias Place = (service: ServiceIndex, milliseconds: Double, parts: Set<Part>)
  private enum Part { case fork, join }
  private static let (main, a, b): (ServiceIndex, ServiceIndex, ServiceIndex) = (0, 1, 2)

  private static func scenario(
    _ steps: [Place], at arrivals: [Double] = [100], duration: TimeSpan = .milliseconds(400)
  ) -> Scenario {
    Scenario(
      name: "forks",
      display: Display(refresh: RefreshRate(60), mainLoop: .events(MainLoop.Events())),
      duration: duration, machine: Machine(cores: 4),
      services: ["main", "a", "b"].map { Service(name: $0) },
      workloads: [
        Workload(
          name: "item", arrival: .at(arrivals.map { .ms($0) }),
          steps: steps.map { service, length, parts in
            Step(
              name: "step", service: service, load: .cpu(.constant(.ms(length))),
              isAwaited: !parts.contains(.fork), joins: parts.contains(.join))
          })
      ])
  }

  private static func run(
    _ steps: [Place], at arrivals: [Double] = [100], duration: TimeSpan = .milliseconds(400),
    a lane: Lane? = nil, detail: FrameLedger.Detail = .summary
  ) -> RunLog {
    let scenario = scenario(steps, at: arrivals, duration: duration)
    let log = scenario.run(Arrangement.threeServices(scenario, a: lane), detail: detail)
    #expect(log.status == .complete, "\(log.violations)")
    return log
  }

  /// When the items were done, in milliseconds.
  private static func done(_ log: RunLog) -> [Double] {
    log.items[0].completions.map { Double($0) / 1e6 }
  }

  // MARK: Chains and forks

  @Test func `a chain takes as long as all its steps together`() {
    let log = Self.run([(Self.a, 30, []), (Self.b, 20, []), (Self.main, 5, [])])
    #expect(Self.done(log) == [155] && log.totals.hops == 3)
  }

  @Test func `forks take as long as the longest, and a join waits for them`() {
    let log = Self.run([(Self.a, 30, [.fork]), (Self.b, 20, [.fork]), (Self.main, 5, [.join])])
    #expect(Self.done(log) == [135] && log.totals.hops == 3)
  }

  @Test func `without a join the next step begins at once`() {
    let log = Self.run(
      [(Self.a, 30, [.fork]), (Self.main, 5, []), (Self.b, 10, [])], detail: .trace)
    // Main from 100 to 105, b to 115, a to 130.
    #expect(Self.done(log) == [130] && log.totals.hops == 2)
  }

  @Test func `a join continues on the thread that ended the last fork`() {
    let log = Self.run([(Self.a, 30, [.fork]), (Self.b, 10, []), (Self.a, 5, [.join])])
    // b until 110, a until 130, and on there without a post.
    #expect(Self.done(log) == [135] && log.totals.hops == 2)
  }

  @Test func `a join that comes last is posted to its lane like any step`() {
    let log = Self.run([(Self.a, 10, [.fork]), (Self.b, 20, []), (Self.a, 5, [.join])])
    #expect(Self.done(log) == [125] && log.totals.hops == 3)
  }

  @Test func `an item is done when all its steps are`() {
    let log = Self.run([(Self.main, 1, []), (Self.a, 30, [.fork]), (Self.main, 2, [])])
    #expect(Self.done(log) == [131] && log.totals.hops == 1)
  }

  @Test func `forks behind the last step of the chain are waited for too`() {
    let log = Self.run([(Self.main, 1, []), (Self.a, 30, [.fork]), (Self.b, 40, [.fork])])
    #expect(Self.done(log) == [141])
  }

  @Test func `on the thread that the item is on a step runs in place, awaited or not`() {
    let log = Self.run([(Self.main, 10, [.fork]), (Self.main, 5, [.join])])
    #expect(Self.done(log) == [115] && log.totals.hops == 0)
  }

  @Test func `a lane can leave a step to the main thread`() {
    let log = Self.run([(Self.a, 10, []), (Self.main, 5, [.fork]), (Self.b, 20, [])])
    // a until 110, then main until 115 and b until 130.
    #expect(Self.done(log) == [130] && log.totals.hops == 3)
  }

  @Test func `a join can be a fork itself`() {
    let log = Self.run([
      (Self.a, 10, [.fork]), (Self.b, 20, [.fork, .join]), (Self.main, 5, []),
    ])
    // a until 110, b from there to 130, and main, posted by a, from 110 to 115.
    #expect(Self.done(log) == [130])
  }

  @Test func `each item waits for its own parts`() {
    let log = Self.run(
      [(Self.a, 30, [.fork]), (Self.b, 20, [.fork]), (Self.main, 5, [.join])], at: [100, 110])
    // a from 100 to 130 and to 160, b to 120 and to 140.
    #expect(Self.done(log) == [135, 165])
  }

  // MARK: Frames

  @Test func `in a loop of frames a join on the main thread waits for the next one`() {
    var scenario = Self.scenario(
      [(Self.a, 30, [.fork]), (Self.b, 20, [.fork]), (Self.main, 5, [.join])])
    scenario.display.mainLoop = .frame
    let log = scenario.run(Arrangement.threeServices(scenario))
    // a ends at 130; vsync 8 is at 133.33.
    #expect(log.status == .complete, "\(log.violations)")
    #expect(log.items[0].completions == [138_333_333])
  }

  @Test func `in a loop of frames an item reaches its join in its turn`() {
    var scenario = Self.scenario([(Self.main, 20, [])])
    scenario.workloads.append(
      Self.scenario([(Self.a, 15, [.fork]), (Self.main, 5, [.join])]).workloads[0])
    scenario.workloads[1].name = "forked"
    scenario.display.mainLoop = .frame
    let log = scenario.run(Arrangement.threeServices(scenario))
    // Main from 100 to 120, and a until 115: by then there is nothing to wait for.
    #expect(log.items.map(\.completions) == [[120_000_000], [125_000_000]])
  }

  // MARK: Threads

  private static let splitting: Lane = {
    var options = StrategyOptions()
    options[.operations] = .choice("step")
    return Lane(name: "a", carrier: .operationQueue, options: options)
  }()

  @Test func `where each step is an event of its own, what follows a fork is posted anew`() {
    let steps: [Place] = [
      (Self.a, 10, []), (Self.a, 10, []), (Self.b, 30, [.fork]), (Self.a, 10, []),
      (Self.a, 10, [.join]),
    ]
    let (whole, split) = (Self.run(steps), Self.run(steps, a: Self.splitting))
    // a until 120, b from there to 150, a to 130, and from 150 to 160.
    #expect(Self.done(whole) == [160] && whole.totals.hops == 3)
    #expect(Self.done(split) == [160])
  }

  @Test func `a step under a lock is done by the item itself`() {
    let scenario = Self.scenario([(Self.a, 30, [.fork]), (Self.b, 20, [.fork])])
    var arrangement = Arrangement.threeServices(scenario)
    arrangement.locks = [Lock(name: "lock", kind: .fair)]
    arrangement.placement = [.home(.main), .guarded(0), .guarded(0)]
    arrangement.entry = [1]
    let log = scenario.run(arrangement)
    #expect(Self.done(log) == [150] && log.totals.hops == 1)
  }

  @Test func `a trace shows the parts beside one another`() throws {
    let log = Self.run(
      [(Self.a, 30, [.fork]), (Self.b, 20, [.fork]), (Self.main, 5, [.join])], detail: .trace)
    let trace = try #require(log.trace)
    let steps = trace.threads.map { thread in
      thread.spans.compactMap { span -> [Double]? in
        guard case .step(let place) = span.activity else { return nil }
        return [
          Double(place.step), span.begin.sinceZero.inMilliseconds,
          span.end.sinceZero.inMilliseconds,
        ]
      }
    }
    #expect(steps == [[[2, 130, 135]], [[0, 100, 130]], [[1, 100, 120]]])
  }

  // MARK: The end of a run

  @Test(arguments: [105, 125, 132])
  func `a run that stops within the parts of an item counts it once`(milliseconds: Int64) {
    let log = Self.run(
      [(Self.a, 30, [.fork]), (Self.b, 20, [.fork]), (Self.main, 5, [.join])],
      duration: .milliseconds(milliseconds))
    #expect(log.items[0].doneCount == 0 && log.items[0].pendingCount == 1)
  }

  @Test func `a thread at a part is a thread at the item`() {
    // At vsync 7, 116.67 ms, one of four items is under way, on both lanes.
    let scenario = Self.scenario(
      [(Self.a, 30, [.fork]), (Self.b, 30, [.fork])], at: [100, 100, 100, 100])
    let log = scenario.run(Arrangement.threeServices(scenario), detail: .frames)
    #expect(log.frames.records[7].queueDepth == 3)
  }
}
