internal import CLinux
internal import FrameBudget
internal import Simulation

/// How many operations per second the virtual engine gets through, and what a frame and an item take in memory.
enum SimulationBenchmark {
  static func run() throws {
    try operations()
    try memory()
  }

  /// Ten hours of camera-upload under threads and locks, new photos arriving all the time.
  private static func operations() throws {
    let scenario = scenario(
      .seconds(36_000), hz: 60, photos: .batch(380, every: .seconds(1), start: .zero))
    let strategy = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    let rates = (0..<3).map { _ in millionsPerSecond(plan) }.sorted()
    print(
      "operations: \(Decimal.text(rates[1], places: 1)) million per second "
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

  /// What a log holds: of an hour at 120 Hz without items, and by how much more with many of them.
  private static func memory() throws {
    let frames = 3600 * 120
    let items = 500_000
    let without = try bytesHeld(.once(1, start: .zero))
    let with = try bytesHeld(.once(items, start: .zero))
    print(
      "memory: \(Decimal.text(Double(without) / Double(frames), places: 1)) bytes per frame, "
        + "\(Decimal.text(Double(with - without) / Double(items), places: 1)) bytes per item")
  }

  private static func bytesHeld(_ photos: Arrival) throws -> Int64 {
    let scenario = scenario(.seconds(3600), hz: 120, photos: photos)
    let strategy = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    let before = clinux_allocated_bytes()
    let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
    let held = clinux_allocated_bytes() - before
    precondition(log.status == .complete, "a run that can be counted")
    return held
  }

  /// camera-upload with other lengths and arrivals.
  private static func scenario(_ duration: TimeSpan, hz: Int64, photos: Arrival) -> Scenario {
    let steps: [(ServiceIndex, Int64)] = [(0, 300), (1, 1200), (2, 800), (3, 300)]
    let tap = Step(name: "tap", service: 2, load: .cpu(.constant(.microseconds(100))))
    return Scenario(
      name: "camera-upload",
      display: Display(
        refresh: RefreshRate(hz), render: .constant(.milliseconds(hz == 60 ? 10 : 5))),
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
