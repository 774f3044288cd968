import FrameBudget
import FrameBudgetSimulation

/// A run drawn from a seed, of all that arrangements can be: placements, every carrier with its widths and options,
/// locks, reads, admission and results, odd durations, services with state, copies of workloads, costs, machines, and
/// the instant at which it is stopped.
struct RandomRun {
  private(set) var scenario: Scenario
  private var arrangement: Arrangement
  let engine: VirtualEngine
  /// The scenario's end, or somewhere before.
  private(set) var stop: Instant
  let seed: UInt64

  /// With `forks` also steps that are not awaited, joins, and event loops in which tasks may yield; everything else is the same.
  /// With `sharing` also items that are suspended, and services that let several threads in.
  init(seed: UInt64, forks: Bool = false, sharing: Bool = false) {
    var stream = RandomStream(seed: seed, name: "run")
    let base = RandomScenario(seed: seed, nests: stream.chance(15))
    (scenario, arrangement) = (base.scenario, base.arrangement)
    self.seed = seed
    engine = Self.engine(&stream)
    // Most of what can go wrong at a run's end does so within some microseconds of something.
    scenario.duration = .nanoseconds(Int64(stream.number(20_000_000...500_000_000)))
    stop =
      .zero
      + (stream.chance(25)
        ? .nanoseconds(Int64(stream.number(0...Int(scenario.duration.nanoseconds))))
        : scenario.duration)
    widen(&stream)
    if forks { fork() }
    if sharing { share() }
    chooseMachine()
  }

  private mutating func share() {
    var stream = RandomStream(seed: seed, name: "sharing")
    for service in scenario.services.indices where scenario.services[service].records == 0 {
      let isRead = scenario.reads.contains { $0.service == service }
      scenario.services[service].isExclusive = isRead || stream.chance(40)
    }
    scenario.resources = PerResource(
      (0..<stream.number(0...2)).map { Resource(name: "\($0)", parallel: stream.number(1...3)) })
    for workload in scenario.workloads.indices {
      for step in scenario.workloads[workload].steps.indices where stream.chance(40) {
        let resource =
          stream.chance(60) && !scenario.resources.isEmpty
          ? stream.index(among: scenario.resources.count) as ResourceIndex : nil
        scenario.workloads[workload].steps[step].suspension = Suspension(
          stream.chance(50)
            ? .constant(stream.microseconds(0...20_000))
            : .exponential(mean: stream.microseconds(0...20_000)), on: resource)
      }
    }
  }

  /// Drawn from a separate stream, so that the other values of a seed stay the same.
  private mutating func chooseMachine() {
    var stream = RandomStream(seed: seed, name: "scheduler")
    scenario.machine.scheduler = stream.pick(Machine.Scheduler.allCases)
    scenario.machine.hasPools = stream.chance(50)
    if stream.chance(20) { scenario.machine.slice = stream.microseconds(100...5000) }
    if stream.chance(20) { scenario.machine.busy = stream.number(1...3) }
    for lane in arrangement.lanes.indices.dropFirst()
    where stream.chance(30) && arrangement.lanes[lane].carrier.description.canChooseCores {
      arrangement.lanes[lane].cores = CoreSet([stream.number(0...(scenario.machine.cores - 1))])
    }
  }

  private mutating func fork() {
    var stream = RandomStream(seed: seed, name: "forks")
    for workload in scenario.workloads.indices {
      for step in scenario.workloads[workload].steps.indices {
        scenario.workloads[workload].steps[step].isAwaited = stream.chance(50)
        scenario.workloads[workload].steps[step].joins = stream.chance(30)
      }
    }
    guard stream.chance(50) else { return }
    scenario.display.mainLoop = .events(
      MainLoop.Events(
        order: stream.pick(MainLoop.Events.Order.allCases),
        batch: stream.pick(MainLoop.Events.Batch.allCases),
        frameTime: stream.pick(MainLoop.Events.FrameTime.allCases)))
    guard stream.chance(50) else { return }
    arrangement.yielding = Yielding(
      stream.chance(50) ? .step : .after(stream.microseconds(100...20_000)),
      resumes: stream.pick(Yielding.Resumption.allCases))
  }

  /// The same run with a core for every thread, on a separately drawn screen, on which frames take time.
  func withOwnCores() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "screen")
    run.scenario.machine = Machine(cores: 64)
    // A pool has a worker for each core, so that there are never cores for all.
    run.scenario.machine.hasPools = false
    for lane in run.arrangement.lanes.indices { run.arrangement.lanes[lane].cores = nil }
    let deadline = stream.number(1...3)
    run.scenario.display.pipeline = Pipeline(
      deadline: deadline, buffers: deadline + stream.number(0...2),
      compositor: stream.chance(40) ? .constant(stream.microseconds(500...20_000)) : .none)
    if stream.chance(50) {
      run.scenario.display.render = .constant(stream.microseconds(5000...60_000))
    }
    if run.scenario.display.mainLoop != .frame, stream.chance(40) {
      run.scenario.display.frames = .onDemand(
        at: (0..<stream.number(0...20)).map { _ in stream.microseconds(0...400_000) }.sorted())
    }
    return run
  }

  /// The same run with steps that run several times.
  func repeatingSteps() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "repeats")
    for workload in run.scenario.workloads.indices {
      for step in run.scenario.workloads[workload].steps.indices where stream.chance(40) {
        run.scenario.workloads[workload].steps[step].repeats = stream.number(2...4)
      }
    }
    return run
  }

  /// The same run to its end, on one core, with a period that is no whole number of nanoseconds. Some end at a vsync or next to it.
  func onOneCore() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "one core")
    let refresh = RefreshRate(stream.pick([30_000, 60_000, 120_000]), over: 1001)
    run.scenario.display.refresh = refresh
    run.scenario.display.render = .constant(stream.microseconds(0...20_000))
    run.scenario.machine = Machine(cores: 1)
    run.scenario.machine.busy = stream.pick([0, 0, 1, 3])
    run.scenario.machine.scheduler = stream.pick(Machine.Scheduler.allCases)
    if stream.chance(50) { run.scenario.machine.slice = stream.microseconds(1000...40_000) }
    for lane in run.arrangement.lanes.indices { run.arrangement.lanes[lane].cores = nil }
    if stream.chance(60) {
      let last = refresh.vsync(stream.number(2...30))
      run.scenario.duration = last.sinceZero + .nanoseconds(Int64(stream.number(0...1)))
    }
    run.stop = .zero + run.scenario.duration
    return run
  }

  /// The same run with other drawing.
  func drawing(_ render: DurationDistribution, _ parts: [FramePart] = []) -> RandomRun {
    var run = self
    run.scenario.display.render = render
    run.scenario.frameParts = parts
    return run
  }

  /// The same run with parts of drawing that run early.
  func prefetching() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "prefetching")
    run.arrangement.frameParts = scenario.frameParts.indices.map { part in
      let ahead = stream.number(1...6)
      run.scenario.frameParts[part].ahead = ahead
      if stream.chance(50) {
        run.scenario.frameParts[part].unit = .constant(
          .microseconds(Int64(stream.number(100...4000))))
      }
      return .prefetched(
        frames: stream.number(1...ahead), estimate: stream.pick(Admission.Fitting.Estimate.allCases)
      )
    }
    return run
  }

  /// The same run with parts of drawing that are in a cache.
  func caching() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "caching")
    run.arrangement.frameParts = scenario.frameParts.map { _ in
      .cached(hits: Double(stream.number(1...100)) / 100)
    }
    return run
  }

  /// The same run with parts of drawing that are spread over frames.
  func spreading() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "spreading")
    run.arrangement.frameParts = scenario.frameParts.map { _ in
      .spread(budget: .microseconds(Int64(stream.number(100...6000))))
    }
    return run
  }

  /// The same run on a screen that shows frames later, and the same under an arrangement that does, with its usual strategies.
  func presenting(later periods: Int) -> (screen: RandomRun, arrangement: RandomRun) {
    var (screen, arranged) = (self, self)
    screen.scenario.display.pipeline.deadline += periods
    screen.scenario.display.pipeline.buffers += periods
    arranged.arrangement.presentsLater = periods
    return (screen, arranged)
  }

  /// The same run with some parts of drawing that lanes prepare, one of them a lane of its own.
  func preparing() -> RandomRun {
    var run = self
    var stream = RandomStream(seed: seed, name: "preparing")
    run.arrangement.lanes.append(Lane(name: "drawing", carrier: stream.pick([.thread, .ordered])))
    run.arrangement.frameParts = scenario.frameParts.indices.map { part in
      if stream.chance(25) { return .inFrame }
      run.scenario.frameParts[part].ahead = 4
      return .prepared(
        lane: LaneIndex(stream.number(1...run.arrangement.lanes.count - 1)),
        frames: stream.number(0...4))
    }
    return run
  }

  /// A named strategy now and then; otherwise the arrangement that was drawn.
  var plan: RunPlan {
    var stream = RandomStream(seed: seed, name: "strategy")
    if stream.chance(25),
      let named = try? StrategyCatalog.strategy(
        stream.pick(StrategyCatalog.all(for: scenario)).name, for: scenario)
    {
      return RunPlan(scenario, under: named)
    }
    return RunPlan(scenario, under: Strategy(name: "random", arrangement: arrangement))
  }

  func log(detail: FrameLedger.Detail = .frames) -> RunLog {
    var engine = engine
    engine.detail = detail
    var run = engine.start(plan)
    run.advance(to: stop)
    return run.finish()
  }

  private static func engine(_ stream: inout RandomStream) -> VirtualEngine {
    var costs = stream.chance(30) ? Costs.none : .standard
    if stream.chance(50) {
      costs.copyPerRecord = .nanoseconds(Int64(stream.number(0...200)))
      costs.releasePerRecord = .nanoseconds(Int64(stream.number(0...200)))
      costs.lock.wake = stream.microseconds(0...50)
    }
    return VirtualEngine(
      costs: costs, scheduling: stream.pick([.fair, .mainFirst, .fixedByNice]))
  }

  // MARK: What the base does not have

  private mutating func widen(_ stream: inout RandomStream) {
    if stream.chance(20) {
      scenario.display.refresh = stream.pick([RefreshRate(60_000, over: 1001), RefreshRate(144)])
    }
    for service in scenario.services.indices where stream.chance(30) {
      scenario.services[service].records = stream.pick([1, 777, 20_000, 60_000])
    }
    if stream.chance(25) { copyWorkload(&stream) }
    let before = arrangement
    for lane in arrangement.lanes.indices.dropFirst() where stream.chance(60) {
      let isHome = arrangement.placement.contains(.home(lane))
      arrangement.lanes[lane].change(&stream, isHome: isHome, end: scenario.duration)
    }
    if (try? arrangement.validate(for: scenario)) == nil { arrangement = before }
  }

  /// Copies of a workload, each with a service of its own behind what it shares.
  private mutating func copyWorkload(_ stream: inout RandomStream) {
    guard let original = scenario.workloads.indices.first else { return }
    for number in 2...stream.number(2...4) {
      var copy = scenario.workloads[original]
      copy.copyOf = copy.name
      copy.name += "-\(number)"
      if let last = copy.steps.indices.last {
        let service = copy.steps[last].service
        copy.steps[last].service = scenario.services.endIndex
        scenario.services.append(
          Service(name: "own-\(number)", records: scenario.services[service].records))
        arrangement.placement.append(arrangement.placement[service])
      }
      scenario.workloads.append(copy)
      arrangement.entry.append(arrangement.entry[original])
    }
  }
}

extension Lane {
  /// Another carrier, with whatever that one can have.
  fileprivate mutating func change(_ stream: inout RandomStream, isHome: Bool, end: TimeSpan) {
    let kind = stream.pick(CarrierKind.allCases.filter { $0 != .main })
    let can = kind.description
    self = Lane(
      name: name, carrier: kind, nice: stream.pick(can.niceValues ?? [0, 5, 19]),
      width: can.canBeWide && !isHome ? stream.number(1...4) : 1,
      overtaking: can.canOvertake && stream.chance(50))
    for option in can.options where stream.chance(50) { options[option] = option.drawn(&stream) }
    if can.canRenice && stream.chance(20) {
      renices = [
        Renice(at: .nanoseconds(Int64(stream.number(0...Int(end.nanoseconds)))), to: 10)
      ]
    }
  }
}

extension StrategyOption {
  fileprivate func drawn(_ stream: inout RandomStream) -> Value {
    switch kind {
    case .choice(let words): .choice(stream.pick(words))
    case .flag: .flag(stream.pick([true, false]))
    case .factor(let range): .factor(range.lowerBound)
    case .duration, .durationOr: .duration(stream.microseconds(1...20_000))
    case .count(let range): .count(stream.number(range.lowerBound...min(range.upperBound, 300)))
    }
  }
}
