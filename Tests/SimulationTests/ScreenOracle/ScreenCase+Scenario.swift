import FrameBudget

/// The case as the virtual engine takes it.
extension ScreenCase {
  /// Without all that the engine has not: a plain `frame` loop that shows what is ready at the next vsync.
  var plain: ScreenCase {
    var plain = self
    plain.deadline = 1
    plain.buffers = nil
    plain.compositor = nil
    plain.isOnDemand = false
    plain.loop = .frame
    plain.frameTime = .newest
    plain.yield = nil
    plain.requests = []
    for workload in workloads.indices {
      plain.workloads[workload].draws = false
      for step in workloads[workload].steps.indices {
        plain.workloads[workload].steps[step].isFork = false
        plain.workloads[workload].steps[step].joins = false
      }
    }
    return plain
  }

  var scenario: Scenario {
    Scenario(
      name: "screen", display: display, duration: TimeSpan(nanoseconds: duration),
      machine: Machine(cores: lanes + 2),
      services: (0...lanes).map { Service(name: "service-\($0)") },
      workloads: workloads.enumerated().map(Self.workload),
      reads: reads.map { UIRead(service: ServiceIndex($0.lane), cpu: Self.constant($0.cost)) })
  }

  private var display: Display {
    Display(refresh: RefreshRate(vsyncs, over: perSeconds), render: Self.constant(render))
  }

  private static func constant(_ span: Int64) -> DurationDistribution {
    .constant(TimeSpan(nanoseconds: span))
  }

  private static func workload(_ place: Int, _ workload: Workload) -> FrameBudget.Workload {
    FrameBudget.Workload(
      name: "items-\(place)",
      arrival: .at(workload.arrivals.map { TimeSpan(nanoseconds: $0) }),
      steps: workload.steps.map {
        FrameBudget.Step(
          name: "step", service: ServiceIndex($0.lane), load: .cpu(constant($0.cost)))
      },
      result: constant(workload.result), respondWithin: .seconds(1))
  }

  var arrangement: Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    for lane in 1..<max(1, lanes + 1) {
      arrangement.lanes.append(Lane(name: "lane-\(lane)", carrier: .scheduler))
    }
    arrangement.placement = PerService((0...lanes).map { .home(LaneIndex($0)) })
    arrangement.returning =
      drain.map { .drained(budget: TimeSpan(nanoseconds: $0)) } ?? .inPlace
    if reads.contains(where: { $0.lane > 0 }) { arrangement.reading = .snapshot(.perStep) }
    return arrangement
  }
}
