import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results of steps at whose end the item is suspended, calculated by hand: items 100 ms after the start, and a thread for each
/// of the services `a` and `b`; a main loop of events, so that nothing waits for a vsync, and no costs except the work itself.
@Suite struct SuspensionAnswersTests {
  private typealias Place = (
    service: ServiceIndex, milliseconds: Double, suspended: Double?, parts: Set<Part>
  )
  private enum Part { case fork, join, limited }
  private static let (main, a, b): (ServiceIndex, ServiceIndex, ServiceIndex) = (0, 1, 2)

  private static func scenario(
    _ steps: [Place], at arrivals: [Double] = [100], duration: TimeSpan = .milliseconds(400)
  ) -> Scenario {
    var scenario = Scenario(
      name: "suspended",
      display: Display(refresh: RefreshRate(60), mainLoop: .events(MainLoop.Events())),
      duration: duration, machine: Machine(cores: 4),
      services: ["main", "a", "b"].map { Service(name: $0) },
      workloads: [
        Workload(
          name: "item", arrival: .at(arrivals.map { .ms($0) }),
          steps: steps.map { service, length, suspended, parts in
            var step = Step(
              name: "step", service: service, load: .cpu(.constant(.ms(length))),
              isAwaited: !parts.contains(.fork), joins: parts.contains(.join))
            step.suspension = suspended.map {
              Suspension(.constant(.ms($0)), on: parts.contains(.limited) ? 0 : nil)
            }
            return step
          })
      ])
    scenario.resources = [Resource(name: "network", parallel: 2)]
    return scenario
  }

  private static func run(
    _ steps: [Place], at arrivals: [Double] = [100], a lane: Lane? = nil,
    detail: FrameLedger.Detail = .summary
  ) -> RunLog {
    let scenario = scenario(steps, at: arrivals)
    let log = scenario.run(Arrangement.threeServices(scenario, a: lane), detail: detail)
    #expect(log.status == .complete, "\(log.violations)")
    return log
  }

  /// When the items were done, in milliseconds.
  private static func done(_ log: RunLog) -> [Double] {
    log.items[0].completions.map { Double($0) / 1e6 }
  }

  // MARK: Items

  @Test func `a suspended item continues on its lane as a new event`() {
    let log = Self.run([(Self.main, 10, 30, []), (Self.main, 5, nil, [])])
    #expect(Self.done(log) == [145] && log.totals.hops == 1)
    let ends = Self.run([(Self.a, 10, 50, []), (Self.main, 5, nil, [])])
    // To a, from the timer to a again, and to main.
    #expect(Self.done(ends) == [165] && ends.totals.hops == 3)
  }

  @Test func `an item whose last step suspends it is done after the wait`() {
    #expect(Self.done(Self.run([(Self.a, 10, 30, [])])) == [140])
    #expect(Self.done(Self.run([(Self.main, 10, 30, [])])) == [140])
  }

  @Test func `its thread serves other items meanwhile`() {
    let steps: [Place] = [(Self.a, 10, 100, []), (Self.a, 1, nil, [])]
    let log = Self.run(steps, at: [100, 100, 100], detail: .trace)
    #expect(Self.done(log) == [211, 221, 231] && log.totals.hops == 6)
    #expect(log.totals.threads[1].cpu == .ms(33))
    let suspended = log.trace?.suspended.spans.map { span in
      [span.begin, span.end].map(\.sinceZero.inMilliseconds)
    }
    #expect(suspended == [[110, 210], [120, 220], [130, 230]])
  }

  @Test func `after the wait it waits for its turn on the lane`() {
    // a from 100 to 110, and from 110 to 140 for the second item; the first is back at 115.
    let scenario = Self.scenario([(Self.a, 10, 5, [])], at: [100])
    var busy = scenario
    busy.workloads.append(Self.scenario([(Self.a, 30, nil, [])], at: [105]).workloads[0])
    busy.workloads[1].name = "other"
    let log = busy.run(Arrangement.threeServices(busy))
    #expect(log.items.map(\.completions) == [[140_000_000], [140_000_000]])
  }

  @Test func `two waits at a time on a resource that serves two`() {
    let log = Self.run([(Self.a, 1, 20, [.limited])], at: [100, 100, 100, 100, 100])
    // Served from 101, 102, 121, 122 and 141 on.
    #expect(Self.done(log) == [121, 122, 141, 142, 161])
  }

  @Test func `the wait of a step comes before its suspension`() {
    var scenario = Self.scenario([(Self.a, 10, 20, [])], at: [100, 100])
    scenario.workloads[0].steps[0].wait = .constant(.ms(5))
    let log = scenario.run(Arrangement.threeServices(scenario))
    #expect(Self.done(log) == [135, 150])
  }

  // MARK: Locks

  @Test(arguments: Lock.Hold.allCases)
  func `a suspended item holds no lock`(_ hold: Lock.Hold) {
    var scenario = Self.scenario([(Self.a, 10, 100, []), (Self.a, 10, nil, [])])
    scenario.workloads.append(Self.scenario([(Self.a, 20, nil, [])], at: [105]).workloads[0])
    scenario.workloads[1].name = "other"
    var arrangement = Arrangement.threeServices(scenario)
    arrangement.locks = [Lock(name: "lock", kind: .fair, hold: hold)]
    arrangement.placement[Self.a] = .guarded(0)
    arrangement.entry = [1, 2]
    let log = scenario.run(arrangement)
    #expect(log.items.map(\.completions) == [[220_000_000], [130_000_000]])
  }

  // MARK: Parts

  @Test func `a step that is not awaited is suspended while the item goes on, on any lane`() {
    let onMain = Self.run([
      (Self.main, 1, 100, [.fork]), (Self.main, 1, 50, [.fork]), (Self.main, 5, nil, [.join]),
    ])
    // Main until 102, and from 201 on.
    #expect(Self.done(onMain) == [206])
    let elsewhere = Self.run([
      (Self.a, 10, 50, [.fork]), (Self.main, 5, nil, []), (Self.b, 10, nil, [.join]),
    ])
    // a until 110, its end at 160, b from there.
    #expect(Self.done(elsewhere) == [170])
  }

  @Test func `an item is done when the last of its suspended parts is`() {
    let log = Self.run([(Self.main, 1, 100, [.fork]), (Self.main, 1, nil, [])])
    #expect(Self.done(log) == [201])
    let onLane = Self.run([(Self.a, 1, nil, []), (Self.a, 1, 100, [.fork])])
    #expect(Self.done(onLane) == [202])
  }

  // MARK: Yielding

  private static func yielding(_ steps: [Place]) -> [Double] {
    let scenario = scenario(steps, at: [100, 100])
    var arrangement = Arrangement.threeServices(scenario)
    arrangement.yielding = Yielding(.step)
    return done(scenario.run(arrangement))
  }

  @Test func `a task that ends a suspended fork goes on with the step that has waited for it`() {
    // Forks end at 140 and 150; main: 140, 141, 161 (the second fork's end, then the join), 162, 167, 187, 192.
    let done = Self.yielding([
      (Self.main, 10, 30, [.fork]), (Self.main, 1, nil, [.join]), (Self.main, 20, nil, []),
      (Self.main, 5, nil, []),
    ])
    #expect(done == [167, 192])
  }

  @Test func `a task that begins with a fork for another lane goes on with the next step`() {
    // Back at 140 and 150; main: 140, 160 (the second item), 180, 185, 190.
    let done = Self.yielding([
      (Self.main, 10, 30, []), (Self.a, 1, nil, [.fork]), (Self.main, 20, nil, []),
      (Self.main, 5, nil, []),
    ])
    #expect(done == [185, 190])
  }

  // MARK: Loops and lanes

  @Test func `in a loop of frames it continues in the next one`() {
    var scenario = Self.scenario([(Self.main, 10, 30, []), (Self.main, 5, nil, [])])
    scenario.display.mainLoop = .frame
    let log = scenario.run(Arrangement.threeServices(scenario))
    // Vsyncs 6 and 9 are at 100 and 150.
    #expect(log.status == .complete && log.items[0].completions == [155_000_000])
  }

  @Test func `time slicing learns and fits the steps up to a suspension`() {
    for unit in Admission.Fitting.Unit.allCases {
      var scenario = Self.scenario([(Self.main, 10, 30, []), (Self.main, 5, nil, [])])
      scenario.display.mainLoop = .frame
      var arrangement = Arrangement.onMain(scenario)
      arrangement.admission = .fitting(Admission.Fitting(estimate: .exact, unit: unit))
      let log = scenario.run(arrangement)
      #expect(log.items[0].completions == [155_000_000])
    }
  }

  private static let splitting: Lane = {
    var options = StrategyOptions()
    options[.operations] = .choice("step")
    return Lane(name: "a", carrier: .operationQueue, options: options)
  }()

  @Test func `where each step is an event of its own, the rest is posted after the wait`() {
    let steps: [Place] = [
      (Self.a, 10, nil, []), (Self.a, 10, 20, []), (Self.a, 10, nil, []), (Self.a, 10, nil, []),
    ]
    let (whole, split) = (Self.run(steps), Self.run(steps, a: Self.splitting))
    #expect(Self.done(whole) == [160] && whole.totals.hops == 2)
    #expect(Self.done(split) == [160] && split.totals.hops == 2)
  }

  // MARK: Counts

  @Test(arguments: [105, 125, 152])
  func `an item that is suspended when the run stops is counted once`(milliseconds: Int64) {
    let scenario = Self.scenario(
      [(Self.a, 10, 30, []), (Self.main, 1, 10, [.fork]), (Self.main, 1, 20, [.limited])],
      duration: .milliseconds(milliseconds))
    let log = scenario.run(Arrangement.threeServices(scenario))
    #expect(log.items[0].doneCount == 0 && log.items[0].pendingCount == 1)
  }

  @Test func `a suspended item does not wait for a thread`() {
    // At vsync 7, 116.67 ms, the first is suspended, the second runs, and the third waits.
    let scenario = Self.scenario([(Self.a, 15, 30, [])], at: [100, 100, 100])
    let log = scenario.run(Arrangement.threeServices(scenario), detail: .frames)
    #expect(log.frames.records[7].queueDepth == 1)
  }
}
