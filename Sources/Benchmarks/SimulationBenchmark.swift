internal import CLinux
internal import FrameBudget
internal import Simulation

/// How many operations per second the virtual engine gets through.
enum SimulationBenchmark {
  /// Ten hours of camera-upload under threads and locks, new photos arriving all the time.
  static func run() throws {
    let scenario = scenario(.seconds(36_000), .batch(380, every: .seconds(1), start: .zero))
    let strategy = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    let rates = (0..<3).map { _ in millionsPerSecond(plan) }
    print(
      "operations: \(Decimal.text(rates.median ?? 0, places: 1)) million per second "
        + "(camera-upload, threads-and-locks, ten hours; median of 3)")
  }

  private static func millionsPerSecond(_ plan: RunPlan) -> Double {
    let began = clinux_monotonic()
    var run = VirtualEngine().start(plan)
    run.advance(to: .zero + plan.scenario.duration)
    let rate = 1000 * Double(run.operations) / Double(clinux_monotonic() - began)
    let log = run.finish()
    precondition(log.status == .complete, "a run that can be counted")
    return rate
  }

  /// camera-upload with other lengths and arrivals.
  private static func scenario(_ duration: TimeSpan, _ photos: Arrival) -> Scenario {
    let steps: [(ServiceIndex, Int64)] = [(0, 300), (1, 1200), (2, 800), (3, 300)]
    let tap = Step(name: "tap", service: 2, load: .cpu(.constant(.microseconds(100))))
    return Scenario(
      name: "camera-upload",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))),
      duration: duration, seed: 42,
      services: ["gallery", "hasher", "catalogue", "uploader"].map { Service(name: $0) },
      workloads: [
        Workload(
          name: "add-file", arrival: photos,
          steps: steps.map { service, span in
            Step(name: "step", service: service, load: .cpu(.constant(.microseconds(span))))
          }, result: .constant(.microseconds(1))),
        Workload(
          name: "tap",
          arrival: .batch(1, every: .seconds(1), start: .milliseconds(1500)), steps: [tap],
          priority: .user, respondWithin: .milliseconds(100)),
      ],
      reads: [UIRead(service: 2, cpu: .constant(.microseconds(20)))])
  }
}
