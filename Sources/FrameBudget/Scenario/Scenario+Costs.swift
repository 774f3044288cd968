// A slower phone, or a service that takes longer.
extension Scenario {
  /// How many times as much something may cost: as much more as it can be cheaper.
  public static let costFactors = Arrangement.speedups

  /// The app on a processor that takes `factor` times as long: for steps, results, reads, drawing and the second stage.
  ///
  /// What a step waits without using a processor stays as it is, and so does what moving work about costs.
  public func costing(_ factor: Double) -> Scenario {
    var scenario = self
    scenario.display.render = display.render.scaled(by: factor)
    scenario.display.pipeline.compositor = display.pipeline.compositor.scaled(by: factor)
    for read in reads.indices {
      scenario.reads[read].cpu = reads[read].cpu.scaled(by: factor)
    }
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
  /// The same over as much memory, which takes `factor` times as long.
  func scaled(by factor: Double) -> Step.Load {
    switch self {
    case .cpu(let duration): .cpu(duration.scaled(by: factor))
    case .work(let duration, let bytes): .work(duration.scaled(by: factor), touches: bytes)
    }
  }
}

extension DurationDistribution {
  /// Each draw `factor` times as long.
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
