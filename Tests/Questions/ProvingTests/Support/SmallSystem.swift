import FrameBudget
import FrameBudgetSimulation

/// A small app of some frames whose phases and costs can all be tried.
///
/// A vsync is every millisecond, and everything that arrives does so at multiples of a quarter of that: between two such
/// moments no phase changes which frame takes an item up.
struct SmallSystem {
  var scenario: Scenario
  private(set) var strategy: Strategy
  let costs: Costs
  /// Random costs: each is a range, of which both ends are tried.
  let drawn: [WritableKeyPath<Scenario, DurationDistribution>]

  static let grain = TimeSpan.microseconds(250)
  static let period = TimeSpan.milliseconds(1)
  /// The maximum number of phases tried for each workload, and of runs for a system.
  private static let mostPhases = 24
  private static let mostRuns = 2500

  /// Strategies with a bound, under their names in the table.
  enum Family: String, CaseIterable {
    case mainThread = "main-thread"
    case throttled
    case timeSliced = "time-sliced"
    case timeSlicedExact = "time-sliced:estimate=exact"
    case schedulable
    case schedulablePriorities = "schedulable-priorities"
    case coalesced = "schedulable, results coalesced"
    case partial = "schedulable-partial"
    case fairLocks = "threads-and-locks:lock=fair"
    case events = "main-thread in a loop of events"
    case eventsAndLane = "schedulable in a loop of events"
    case fewCores = "schedulable, few cores"
    case locksOnFewCores = "threads-and-locks:lock=fair, few cores"
    case pooled = "lanes on a pool"
  }

  init(seed: UInt64, _ family: Family? = nil) {
    var stream = RandomStream(seed: seed, name: "small system")
    let drawnFamily = stream.pick(Family.allCases)
    let family = family ?? drawnFamily
    var drawn: [WritableKeyPath<Scenario, DurationDistribution>] = []
    var scenario = Self.scenario(&stream, &drawn)
    Self.splitDrawing(of: &scenario, seed: seed)
    scenario.machine = Self.machine(&stream, isThreaded: family.isThreaded)
    if family.hasLocks {
      scenario.machine = Machine(cores: 1 + scenario.workloads.count)
      scenario.machine.scheduler = stream.pick(Machine.Scheduler.allCases)
    }
    if family.isCrowded { Self.crowd(&scenario.machine, family, &stream) }
    if family.isOfEvents {
      scenario.display = Self.events(scenario.display, &stream)
      for index in scenario.workloads.indices {
        scenario.workloads[index].isTimer = stream.chance(25)
      }
    }
    if stream.chance(15) {
      let compositor = DurationDistribution.constant(stream.span(0...1100))
      scenario.display.pipeline = Pipeline(
        deadline: stream.number(1...2), compositor: compositor)
      // Without a core of its own it takes the main thread's.
      if compositor != .none, family.isOfEvents || stream.chance(75) {
        scenario.machine.speeds.append(scenario.machine.speeds[0])
        // The second stage may have the faster core when a frame begins, which then turns to one of the others. They are so
        // little slower that the move itself takes longer than their loss.
        if family.isThreaded, !family.hasLocks, !family.isCrowded, stream.chance(30) {
          scenario.machine.speeds = [1000, 1001, 1000]
        }
      }
    }
    var costs = stream.chance(50) ? Costs.none : .standard
    if stream.chance(30) { costs.releasePerRecord = .nanoseconds(Int64(stream.number(0...200))) }
    if stream.chance(30) { costs.copyPerRecord = .nanoseconds(Int64(stream.number(0...150))) }
    self.scenario = scenario
    self.costs = costs
    self.drawn = drawn
    strategy = Strategy(
      name: family.rawValue, arrangement: Self.arrangement(family, scenario, &stream))
  }

  // MARK: The app

  private static func scenario(
    _ stream: inout RandomStream, _ drawn: inout [WritableKeyPath<Scenario, DurationDistribution>]
  ) -> Scenario {
    let services = [
      Service(name: "one", records: stream.pick([0, 1000, 5000])), Service(name: "two"),
    ]
    let count = stream.pick([1, 1, 2, 2, 2, 3])
    let workloads = (0..<count).map { workload($0, &stream) }
    let reads = (0..<stream.number(0...1)).map { _ in
      UIRead(service: stream.index(among: 2), cpu: .constant(stream.span(0...100)))
    }
    var scenario = Scenario(
      name: "small", display: Display(refresh: RefreshRate(1000)), duration: .milliseconds(11),
      warmup: stream.chance(90) ? .milliseconds(2) : .zero, services: services,
      workloads: workloads, reads: reads)
    scenario.display.render = .constant(stream.span(0...600))
    var sites: [WritableKeyPath<Scenario, DurationDistribution>] = [\.display.render]
    for index in scenario.workloads.indices {
      sites.append(\.workloads[index].result)
      for step in scenario.workloads[index].steps.indices {
        sites.append(\.workloads[index].steps[step].cost)
      }
    }
    for site in sites where drawn.count < 2 && stream.chance(20) {
      guard let most = scenario[keyPath: site].fixed, most > .zero else { continue }
      scenario[keyPath: site] = .uniform(
        from: TimeSpan(nanoseconds: most.nanoseconds / 2), to: most)
      drawn.append(site)
    }
    return scenario
  }

  /// Gives a part of drawing a name, now and then; from a stream of its own, so that all else stays the same.
  private static func splitDrawing(of scenario: inout Scenario, seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "small parts")
    guard stream.chance(30), let whole = scenario.display.render.fixed else { return }
    let part = whole.multiplied(by: stream.unit())
    scenario.display.render = .constant(whole - part)
    scenario.frameParts = [FramePart(name: "part", cpu: .constant(part))]
  }

  private static func events(_ display: Display, _ stream: inout RandomStream) -> Display {
    var display = display
    display.mainLoop = .events(
      MainLoop.Events(
        order: stream.pick(MainLoop.Events.Order.allCases),
        batch: stream.pick(MainLoop.Events.Batch.allCases),
        frameTime: stream.pick(MainLoop.Events.FrameTime.allCases)))
    if stream.chance(40) { display.frames = .onDemand(at: [Self.grain * stream.number(0...20)]) }
    return display
  }

  private static func workload(_ index: Int, _ stream: inout RandomStream) -> Workload {
    let isLight = stream.chance(60)
    let steps = (0..<stream.pick([0, 1, 1, 2, 2, 3])).map { step in
      Step(
        name: "step-\(step)", service: stream.index(among: 2),
        load: .cpu(.constant(stream.span(0...(isLight ? 150 : 700)))),
        wait: stream.chance(10) ? .constant(stream.span(0...200)) : .none)
    }
    return Workload(
      name: "workload-\(index)", arrival: arrival(&stream), steps: steps,
      result: stream.chance(50) ? .constant(stream.span(0...150)) : .none,
      priority: stream.chance(40) ? .user : .background, draws: stream.chance(40))
  }

  private static func arrival(_ stream: inout RandomStream) -> Arrival {
    switch stream.number(0...9) {
    case 0...3: return .once(stream.number(1...5), start: .zero)
    case 4...8:
      return .batch(stream.number(1...3), every: grain * stream.number(1...16), start: .zero)
    default:
      return .at((0..<stream.number(1...6)).map { _ in grain * stream.number(0...30) }.sorted())
    }
  }

  private static func machine(_ stream: inout RandomStream, isThreaded: Bool) -> Machine {
    var machine =
      stream.chance(80)
      ? Machine(cores: 2)
      : Machine(speeds: (0..<2).map { _ in stream.pick([500, 1000, 1001, 1300]) })
    if !isThreaded && stream.chance(30) { machine.speeds.removeLast() }
    machine.scheduler = stream.pick(Machine.Scheduler.allCases)
    return machine
  }

  /// Takes cores away, of which threads then have too few.
  private static func crowd(
    _ machine: inout Machine, _ family: Family, _ stream: inout RandomStream
  ) {
    machine.speeds = Machine(cores: stream.pick([1, 1, 2])).speeds
    if family == .pooled { machine.speeds = Machine(cores: stream.number(1...3)).speeds }
    if family != .locksOnFewCores, stream.chance(20) {
      machine.speeds = machine.speeds.map { _ in stream.pick([500, 1000, 1300]) }
    }
    machine.slice = stream.pick([nil, .microseconds(100), .microseconds(300)])
    if machine.cores > 1, stream.chance(20) { machine.busy = 1 }
  }

  // MARK: Placement

  private static func arrangement(
    _ family: Family, _ scenario: Scenario, _ stream: inout RandomStream
  ) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    switch family {
    case .mainThread:
      if stream.chance(15) { arrangement.speedup = 1.5 }
      if stream.chance(15) {
        arrangement.locks = [Lock(name: "lock", kind: .fair, hold: stream.pick([.step, .item]))]
        arrangement.placement[0] = .guarded(0)
        arrangement.reading = .locked
      } else if stream.chance(40) {
        arrangement.reading = .snapshot(stream.pick([.perFrame, .perStep]))
      }
    case .throttled:
      arrangement.admission = .batch(
        stream.number(1...4), every: grain * stream.number(0...10))
    case .timeSliced, .timeSlicedExact:
      arrangement.admission = .fitting(
        Admission.Fitting(
          estimate: family == .timeSliced ? .learned : .exact, unit: stream.pick([.item, .step]),
          lookAhead: stream.chance(80)))
    case .events:
      if stream.chance(40) {
        let grain: Yielding.Grain = stream.chance(50) ? .step : .after(stream.span(0...300))
        arrangement.yielding = Yielding(grain, resumes: stream.pick([.inTurn, .first]))
      }
    case .schedulable, .schedulablePriorities, .coalesced, .partial, .eventsAndLane:
      let lane = Lane(
        name: "background", carrier: .scheduler, overtaking: family == .schedulablePriorities)
      arrangement.lanes.append(lane)
      arrangement.placement = PerService(scenario.services.map { _ in .home(1) })
      arrangement.reading = .snapshot(stream.pick([.perFrame, .perStep]))
      arrangement.returning = .drained(budget: stream.span(0...300))
      if family == .partial { arrangement.placement[stream.index(among: 2)] = .home(.main) }
      if family == .coalesced { arrangement.returning = stream.pick([.coalesced, .inPlace]) }
      if family != .eventsAndLane, stream.chance(20) {
        arrangement.admission = .batch(stream.number(1...3), every: stream.span(0...2000))
      }
    case .fewCores, .pooled:
      arrangement.lanes += (0..<stream.number(1...2)).map { lane(family, $0, &stream) }
      let lanes = Array(arrangement.lanes.indices.dropFirst())
      arrangement.placement = PerService(scenario.services.map { _ in .home(stream.pick(lanes)) })
      if stream.chance(15) { arrangement.placement[stream.index(among: 2)] = .home(.main) }
      arrangement.reading = .snapshot(stream.pick([.perFrame, .perStep]))
      arrangement.returning = .drained(budget: stream.span(0...300))
      if stream.chance(15) {
        arrangement.admission = .batch(stream.number(1...3), every: stream.span(0...2000))
      }
    case .fairLocks, .locksOnFewCores:
      arrangement.lanes += scenario.workloads.map { Lane(name: $0.name, carrier: .thread) }
      let (kind, isFine) = (stream.pick([Lock.Kind.fair, .inheriting]), stream.chance(60))
      arrangement.locks = PerLock(
        (isFine ? ["one", "two"] : ["all"]).map {
          Lock(name: $0, kind: kind, hold: stream.pick([.step, .item]))
        })
      arrangement.placement = PerService(
        scenario.services.indices.map { .guarded(LockIndex(isFine ? $0.position : 0)) })
      // Some items run on the main thread, and wait there.
      arrangement.entry = PerWorkload(
        arrangement.lanes.indices.dropFirst().map { stream.chance(80) ? $0 : .main })
      arrangement.reading = .locked
      arrangement.returning = .drained(budget: stream.span(0...300))
    }
    return arrangement
  }

  private static func lane(
    _ family: Family, _ number: Int, _ stream: inout RandomStream
  ) -> Lane {
    let name = "lane-\(number)"
    guard family == .pooled else {
      var lane = Lane(
        name: name, carrier: .scheduler, nice: stream.pick([0, 0, 5, 19]),
        overtaking: stream.chance(30))
      if stream.chance(20) { lane.cores = CoreSet([stream.number(0...1)]) }
      return lane
    }
    let carrier = stream.pick([CarrierKind.actor, .actor, .dispatch, .ordered])
    return Lane(name: name, carrier: carrier, width: carrier == .actor ? 1 : stream.number(1...3))
  }

  // MARK: Parallel work and waits

  /// Whether a service lets several threads in, after the call. Draws nothing from the stream of the rest.
  mutating func letThreadsIn() -> Bool {
    let stateless = scenario.services.indices.filter { service in
      scenario.services[service].records == 0
        && !scenario.reads.contains { $0.service == service }
    }
    for service in stateless { scenario.services[service].isExclusive = false }
    return !stateless.isEmpty
  }

  /// Puts a second stage that takes no core behind the main thread, in place of any other.
  mutating func showThroughGPU(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "gpu")
    let deadline = stream.number(1...2)
    scenario.display.pipeline = Pipeline(
      deadline: deadline, buffers: deadline + stream.number(0...1),
      compositor: .constant(stream.span(0...1100)), usesGPU: true)
  }

  /// Suspends items at the end of a step of each workload that has one.
  mutating func suspend(seed: UInt64) -> Bool {
    var stream = RandomStream(seed: seed, name: "suspended")
    scenario.resources = [Resource(name: "network", parallel: 1)]
    for workload in scenario.workloads.indices where !scenario.workloads[workload].steps.isEmpty {
      let step = stream.number(0...(scenario.workloads[workload].steps.count - 1))
      scenario.workloads[workload].steps[step].suspension = Suspension(
        .constant(stream.span(0...2000)), on: stream.chance(50) ? 0 : nil)
    }
    return scenario.workloads.contains { !$0.steps.isEmpty }
  }

  // MARK: All runs

  /// All phases of all workloads with all extreme costs.
  func forEachRun(_ body: (Scenario, RunLog) -> Void) {
    let engine = VirtualEngine(costs: costs)
    for scenario in extremes {
      forEachPhase(of: scenario) { phased in
        body(phased, engine.run(RunPlan(phased, under: strategy)))
      }
    }
  }

  private func forEachPhase(of scenario: Scenario, _ body: (Scenario) -> Void) {
    let free = Array(scenario.workloads.indices)
    let share = Self.mostRuns / max(1, extremeCount)
    var phases = Self.mostPhases
    while free.count > 1 && power(phases, free.count) > share { phases -= 1 }
    var places = Array(repeating: 0, count: free.count)
    while true {
      var phased = scenario
      for (workload, place) in zip(free, places) {
        // In a loop of events a frame waits longest for work that begins just before its vsync.
        let start =
          isOfEvents ? max(.zero, Self.grain * place - .nanoseconds(1)) : Self.grain * place
        phased.workloads[workload].arrival = phased.workloads[workload].arrival.starting(at: start)
      }
      body(phased)
      guard let next = places.firstIndex(where: { $0 + 1 < phases }) else { return }
      places[next] += 1
      for place in 0..<next { places[place] = 0 }
    }
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  private var isOfEvents: Bool { scenario.display.mainLoop != .frame }

  private var extremeCount: Int { power(4, drawn.count) }

  /// Each drawn cost always at its smallest or largest, or at both in turn.
  private var extremes: [Scenario] {
    drawn.reduce([scenario]) { scenarios, site in
      scenarios.flatMap { scenario -> [Scenario] in
        guard case .uniform(let least, let most) = scenario[keyPath: site] else {
          return [scenario]
        }
        let turns = [[least], [most], [least, most], [most, least]]
        return turns.compactMap(RecordedDurations.init).map { durations in
          var extreme = scenario
          extreme[keyPath: site] = .recorded(durations)
          return extreme
        }
      }
    }
  }

  /// The same with every drawn cost at its smallest.
  var cheapest: Scenario {
    var scenario = scenario
    for site in drawn {
      guard case .uniform(let least, _) = scenario[keyPath: site] else { continue }
      scenario[keyPath: site] = .constant(least)
    }
    return scenario
  }
}

// Words of scenarios beside those of the families.
extension SmallSystem {
  /// Words for which there is no bound.
  enum Word: String, CaseIterable { case answers, `repeat`, slices, admission, prefetch, prepare }

  /// The system with a step that has `word`; nil if the word has no effect in it.
  func with(_ word: Word) -> SmallSystem? {
    var system = self
    guard let workload = scenario.workloads.indices.first(where: { !steps(of: $0).isEmpty })
    else { return nil }
    switch word {
    case .answers:
      guard steps(of: workload).count > 1 else { return nil }
      system.scenario.workloads[workload].steps[0].answers = true
    case .admission: system.scenario.workloads[workload].admission = .latest
    case .prefetch: return drawing(.prefetched(frames: 2, estimate: .learned))
    case .prepare:
      guard strategy.arrangement.lanes.count > 1 else { return nil }
      return drawing(.prepared(lane: 1, frames: 1))
    case .repeat: system.scenario.workloads[workload].steps[0].repeats = 3
    case .slices:
      guard strategy.arrangement.yielding != nil, strategy.name == Family.events.rawValue
      else { return nil }
      system.scenario.workloads[workload].steps[0].slice = .microseconds(100)
    }
    return system
  }

  private func steps(of workload: WorkloadIndex) -> [Step] { scenario.workloads[workload].steps }

  /// The system with a part of drawing under `rule`: 300 µs, in most frames.
  func drawing(_ rule: FramePartRule) -> SmallSystem {
    var system = self
    let costs = [TimeSpan](repeating: .microseconds(300), count: 4) + [.zero]
    let cpu = RecordedDurations(costs).map(DurationDistribution.recorded) ?? .none
    system.scenario.frameParts = [FramePart(name: "part", cpu: cpu, ahead: 2)]
    var arrangement = strategy.arrangement
    arrangement.frameParts = [rule]
    system.strategy = Strategy(name: strategy.name, arrangement: arrangement)
    return system
  }

  /// The system whose results are one update.
  var coalescing: SmallSystem {
    var arrangement = strategy.arrangement
    arrangement.returning = .coalesced
    var system = self
    system.strategy = Strategy(name: strategy.name, arrangement: arrangement)
    return system
  }
}

extension SmallSystem.Family {
  fileprivate var isThreaded: Bool {
    switch self {
    case .mainThread, .throttled, .timeSliced, .timeSlicedExact, .events: false
    case .schedulable, .schedulablePriorities, .coalesced, .partial, .fairLocks, .eventsAndLane,
      .fewCores, .locksOnFewCores, .pooled:
      true
    }
  }

  fileprivate var hasLocks: Bool { self == .fairLocks || self == .locksOnFewCores }

  /// Whether it has fewer cores than threads.
  fileprivate var isCrowded: Bool {
    self == .fewCores || self == .locksOnFewCores || self == .pooled
  }

  fileprivate var isOfEvents: Bool { self == .events || self == .eventsAndLane }
}

extension Step {
  fileprivate var cost: DurationDistribution {
    get { load.duration }
    set { load = .cpu(newValue) }
  }
}

extension RandomStream {
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...(values.count - 1))] }

  mutating func index<Kind>(among count: Int) -> TypedIndex<Kind> {
    TypedIndex(number(0...(count - 1)))
  }

  /// The given number of microseconds, as a multiple of 10 µs.
  mutating func span(_ microseconds: ClosedRange<Int>) -> TimeSpan {
    .microseconds(
      Int64(number((microseconds.lowerBound / 10)...(microseconds.upperBound / 10)) * 10))
  }
}
