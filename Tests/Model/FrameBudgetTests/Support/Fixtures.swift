import FrameBudget

extension TimeSpan {
  /// `2.6` milliseconds with a single floating-point rounding.
  static func ms(_ value: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((value * 1e6).rounded()))
  }
}

extension Instant {
  static func ms(_ value: Double) -> Instant { .zero + TimeSpan.ms(value) }
}

extension Step {
  static func cpu(_ milliseconds: Double, service: ServiceIndex = 0, wait: TimeSpan = .zero) -> Step
  {
    let duration = DurationDistribution.constant(.ms(milliseconds))
    return Step(name: "step", service: service, load: .cpu(duration), wait: .constant(wait))
  }
}

extension Workload {
  static func files(
    _ arrival: Arrival = .once(10, start: .zero), steps: [Step] = [.cpu(2.6)],
    priority: Priority = .background, respondWithin: TimeSpan? = nil, name: String = "file"
  ) -> Workload {
    Workload(
      name: name, arrival: arrival, steps: steps, priority: priority, respondWithin: respondWithin)
  }
}

extension Scenario {
  static func with(
    _ workloads: [Workload] = [.files()], services: Int = 2, reads: [UIRead] = [],
    render: DurationDistribution = .none, refresh: RefreshRate = RefreshRate(60),
    duration: TimeSpan = .seconds(10)
  ) -> Scenario {
    Scenario(
      name: "test", display: Display(refresh: refresh, render: render), duration: duration,
      services: (0..<services).map { Service(name: "service\($0)") }, workloads: workloads,
      reads: reads)
  }

  /// This scenario with everything on the main thread.
  func onMain(admission: Admission = .all) -> RunPlan {
    var arrangement = Arrangement.onMain(self)
    arrangement.admission = admission
    return RunPlan(self, under: Strategy(name: "test", arrangement: arrangement))
  }
}

extension FrameLedger {
  /// One frame from its vsync to `end`, all of it spent on `phases`; returns the vsync that shows it.
  @discardableResult
  mutating func frame(
    _ vsync: Int, late: TimeSpan = .zero, to end: Instant, at rate: RefreshRate,
    _ phases: [(Phase, TimeSpan)] = []
  ) -> Int {
    begin(vsync: vsync, wokeAt: rate.vsync(vsync) + late)
    for (phase, span) in phases { spend(span, on: phase) }
    return self.end(at: end) ?? self.vsync
  }
}
