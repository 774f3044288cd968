// A slower phone, or a service that takes longer.
extension Scenario {
  /// The range of cost factors; its limits are those of the speedup.
  public static let costFactors = Arrangement.speedups

  /// The app on a processor that takes `factor` times as long for steps, results, reads, drawing and the second stage.
  ///
  /// Waits of steps without a processor, a GPU's work and the costs of hand-offs stay unchanged.
  public func costing(_ factor: Double) -> Scenario {
    var scenario = self
    scenario.display.render = display.render.scaled(by: factor)
    if !display.pipeline.usesGPU {
      scenario.display.pipeline.compositor = display.pipeline.compositor.scaled(by: factor)
    }
    for read in reads.indices {
      scenario.reads[read].cpu = reads[read].cpu.scaled(by: factor)
    }
    for part in frameParts.indices { scenario = scenario.costing(factor, of: .part(part)) }
    for workload in workloads.indices {
      scenario.workloads[workload].result = workloads[workload].result.scaled(by: factor)
      scenario.workloads[workload].scaleSteps(by: factor) { _ in true }
    }
    return scenario
  }

  /// The app whose steps in `services` take `factor` times as long.
  public func costing(_ factor: Double, in services: Set<ServiceIndex>) -> Scenario {
    var scenario = self
    for workload in workloads.indices {
      scenario.workloads[workload].scaleSteps(by: factor, where: services.contains)
    }
    return scenario
  }
}

/// Work whose duration a scenario states.
public enum CostedWork: Hashable, Sendable {
  /// The steps of a service.
  case service(ServiceIndex)
  /// A part of drawing, by its place.
  case part(Int)
  /// The rest of drawing.
  case render
}

extension Scenario {
  /// The name of the rest of drawing among the names of services and of parts of drawing.
  public static let renderName = "frame"

  /// The work with that name, of which only letters count, because recordings leave digits out. Without work that takes no time.
  public func work(called name: String) -> [CostedWork] {
    let letters = name.filter(\.isLetter)
    let named = services.indices.filter { services[$0].name.filter(\.isLetter) == letters }
    let parts = frameParts.indices.filter { frameParts[$0].name.filter(\.isLetter) == letters }
    let all =
      named.map(CostedWork.service) + parts.map(CostedWork.part)
      + (name == Self.renderName ? [.render] : [])
    return all.filter { mean(of: $0) > .zero }
  }

  /// The mean duration: for a service that of its steps, each counted once.
  public func mean(of work: CostedWork) -> TimeSpan {
    switch work {
    case .service(let service):
      let steps = workloads.flatMap(\.steps).filter { $0.service == service }
      let sum = steps.reduce(0) { $0 + $1.load.duration.mean.nanoseconds }
      return .nanoseconds(sum / Int64(max(1, steps.count)))
    case .part(let place): return frameParts[place].cpu.mean
    case .render: return display.render.mean
    }
  }

  /// The app in which that work takes `factor` times as long.
  public func costing(_ factor: Double, of work: CostedWork) -> Scenario {
    var scenario = self
    switch work {
    case .service(let service): return costing(factor, in: [service])
    case .part(let place):
      scenario.frameParts[place].cpu = frameParts[place].cpu.scaled(by: factor)
      scenario.frameParts[place].unit = frameParts[place].unit?.scaled(by: factor)
    case .render: scenario.display.render = display.render.scaled(by: factor)
    }
    return scenario
  }
}

extension Workload {
  fileprivate mutating func scaleSteps(
    by factor: Double, where isMeant: (ServiceIndex) -> Bool
  ) {
    for step in steps.indices where isMeant(steps[step].service) {
      steps[step].load = steps[step].load.scaled(by: factor)
    }
  }
}

extension Step.Load {
  /// The same memory, with `factor` times the duration.
  func scaled(by factor: Double) -> Step.Load {
    switch self {
    case .cpu(let duration): .cpu(duration.scaled(by: factor))
    case .work(let duration, let bytes): .work(duration.scaled(by: factor), touches: bytes)
    }
  }
}

extension DurationDistribution {
  /// Each draw multiplied by `factor`.
  func scaled(by factor: Double) -> DurationDistribution {
    switch self {
    case .constant(let span): .constant(span.multiplied(by: factor))
    case .uniform(let from, let to):
      .uniform(from: from.multiplied(by: factor), to: to.multiplied(by: factor))
    case .normal(let mean, let deviation):
      .normal(mean: mean.multiplied(by: factor), deviation: deviation.multiplied(by: factor))
    case .exponential(let mean): .exponential(mean: mean.multiplied(by: factor))
    case .recorded(let durations): .recorded(durations.scaled(by: factor))
    }
  }
}

extension Scenario {
  /// A sentence if the second stage cannot keep up with the screen, which is allowed but probably a mistake.
  public var slowSecondStage: [String] {
    let (mean, period) = (display.pipeline.compositor.mean, display.refresh.period)
    guard mean > period else { return [] }
    let stage = display.pipeline.usesGPU ? "GPU" : "compositor"
    return [
      "the \(stage) takes \(mean), longer than a period of \(period): regardless of the number of buffers, it cannot "
        + "keep up"
    ]
  }
}

extension Scenario {
  /// The scenario with the arrivals of each workload delayed by `delay`, which is called with the workload's name in its file.
  ///
  /// Copies of a workload are delayed together, and so are all recorded arrivals, because the recording fixes their order:
  /// for these, `delay` is called with an empty name.
  public func delayingArrivals(_ delay: (_ workload: String) -> TimeSpan) -> Scenario {
    var scenario = self
    for workload in workloads.indices {
      let arrival = workloads[workload].arrival
      let name = arrival.isRecorded ? "" : workloads[workload].fileName
      scenario.workloads[workload].arrival = arrival.moved(by: delay(name))
    }
    return scenario
  }

  /// Sentences about items that the scenario lists but that never arrive, which is allowed but probably a mistake.
  public var missedArrivals: [String] {
    workloads.compactMap(missedArrival).distinct()
  }

  private func missedArrival(of workload: Workload) -> String? {
    let name = workload.fileName
    switch workload.arrival {
    case .once(_, let start), .batch(_, _, let start), .rate(_, let start):
      guard start >= duration else { return nil }
      return "no item of workload '\(name)' arrives: it starts at \(start), and the run ends at "
        + "\(duration)"
    case .at(let instants), .recorded(let instants):
      let late = instants.count { $0 >= duration }
      if instants.isEmpty { return "no item of workload '\(name)' arrives: its 'at' is empty" }
      guard late > 0 else { return nil }
      return "\(late) of \(instants.count) items of workload '\(name)' do not arrive: the run ends "
        + "at \(duration)"
    }
  }
}

extension Arrival {
  fileprivate var isRecorded: Bool {
    if case .recorded = self { true } else { false }
  }
}
