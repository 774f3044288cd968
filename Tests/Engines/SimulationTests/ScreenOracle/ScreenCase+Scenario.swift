import FrameBudget

/// The case in the form that the virtual engine accepts.
extension ScreenCase {
  var scenario: Scenario {
    var scenario = Scenario(
      name: "screen", display: display, duration: TimeSpan(nanoseconds: duration),
      // One for each thread: the main one, those of lanes, and the second stage.
      machine: Machine(cores: threads),
      services: (0...lanes).map { Service(name: "service-\($0)") },
      workloads: workloads.enumerated().map(Self.workload),
      reads: reads.map { UIRead(service: ServiceIndex($0.lane), cpu: Self.constant($0.cost)) })
    scenario.machine.hasPools = false
    scenario.frameParts = parts.enumerated().map { place, part in
      FramePart(
        name: "part-\(place)", cpu: Self.distribution(part.costs),
        ahead: part.early > 0 ? part.early : nil, unit: part.unit.map(Self.constant))
    }
    for lane in widths.keys { scenario.services[ServiceIndex(lane)].isExclusive = false }
    scenario.resources = PerResource(
      resources.enumerated().map { Resource(name: "resource-\($0)", parallel: $1) })
    return scenario
  }

  /// With a second stage that takes no core, on a machine without one for it.
  var onGPU: Scenario {
    var scenario = scenario
    scenario.display.pipeline.usesGPU = true
    scenario.machine = Machine(cores: threads - 1)
    scenario.machine.hasPools = false
    return scenario
  }

  /// With the second stage.
  var threads: Int { 2 + (0..<lanes).reduce(0) { $0 + width($1 + 1) } }

  private var display: Display {
    Display(
      refresh: RefreshRate(vsyncs, over: perSeconds), render: Self.constant(render),
      pipeline: Pipeline(
        deadline: deadline, buffers: buffers, compositor: compositor.map(Self.constant) ?? .none),
      frames: isOnDemand ? .onDemand(at: requests.map(TimeSpan.init(nanoseconds:))) : .always,
      mainLoop: mainLoop)
  }

  private var mainLoop: MainLoop {
    let order: MainLoop.Events.Order
    switch loop {
    case .frame: return .frame
    case .events: order = .first
    case .fifo: order = .fifo
    case .alternate: order = .alternate
    }
    return .events(
      MainLoop.Events(
        order: order, batch: isQueued ? .queued : .one,
        frameTime: frameTime == .posted ? .posted : .newest,
        deferral: deferral.map(TimeSpan.init(nanoseconds:))))
  }

  private static func distribution(_ costs: [Int64]) -> DurationDistribution {
    RecordedDurations(costs.map { TimeSpan(nanoseconds: $0) }).map { .recorded($0) } ?? .none
  }

  private static func constant(_ span: Int64) -> DurationDistribution {
    .constant(TimeSpan(nanoseconds: span))
  }

  private static func workload(_ place: Int, _ workload: Workload) -> FrameBudget.Workload {
    var timed = FrameBudget.Workload(
      name: "items-\(place)",
      arrival: .at(workload.arrivals.map { TimeSpan(nanoseconds: $0) }),
      steps: workload.steps.map(step),
      result: constant(workload.result), draws: workload.draws)
    timed.isTimer = workload.isTimer
    timed.isInput = workload.isInput
    timed.admission = workload.newest.map { newest in
      switch newest {
      case .latest: .latest
      case .debounce(let span): .debounce(TimeSpan(nanoseconds: span))
      case .throttle(let span): .throttle(TimeSpan(nanoseconds: span))
      }
    }
    return timed
  }

  private static func step(_ drawn: Step) -> FrameBudget.Step {
    var step = FrameBudget.Step(
      name: "step", service: ServiceIndex(drawn.lane), load: .cpu(constant(drawn.cost)),
      isAwaited: !drawn.isFork, joins: drawn.joins)
    step.suspension = drawn.suspension.map {
      FrameBudget.Suspension(constant($0.span), on: $0.resource.map { ResourceIndex($0) })
    }
    step.repeats = drawn.repeats
    step.slice = drawn.slice.map { TimeSpan(nanoseconds: $0) }
    step.answers = drawn.answers
    return step
  }

  var arrangement: Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    for lane in 1..<max(1, lanes + 1) {
      let carrier = width(lane) > 1 ? CarrierKind.dispatch : .scheduler
      arrangement.lanes.append(Lane(name: "lane-\(lane)", carrier: carrier, width: width(lane)))
    }
    arrangement.placement = PerService((0...lanes).map { .home(LaneIndex($0)) })
    arrangement.returning =
      drain.map { .drained(budget: TimeSpan(nanoseconds: $0)) } ?? .inPlace
    if coalesces { arrangement.returning = .coalesced }
    if reads.contains(where: { $0.lane > 0 }) { arrangement.reading = .snapshot(.perStep) }
    arrangement.yielding = yielding
    arrangement.presentsLater = later
    arrangement.frameParts = parts.map { part in
      if let budget = part.budget { return .spread(budget: TimeSpan(nanoseconds: budget)) }
      if part.hits > 0 { return .cached(hits: Double(part.hits) / 100) }
      if let lane = part.lane { return .prepared(lane: LaneIndex(lane), frames: part.early) }
      return part.early == 0
        ? .inFrame
        : .prefetched(frames: part.early, estimate: part.isExact ? .exact : .learned)
    }
    return arrangement
  }
}
