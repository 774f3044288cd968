internal import FrameBudget
internal import RealTime
internal import SchedulableObjects

/// Whether watching disturbs: real runs with and without the live view, in turn, and what the view uses.
enum WatchingBenchmark {
  private static let rounds = 5
  private static let seconds: Int64 = 20

  static func run() throws {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    defer { terminal.close() }
    var bare: [RunMetrics] = []
    var watched: [RunMetrics] = []
    var shares: [Double] = []
    for _ in 0..<rounds {
      bare.append(RunMetrics(try RealEngine().run(plan())))
      let (metrics, used) = try runWatched(terminal)
      watched.append(metrics)
      shares.append(100 * used.inSeconds / metrics.log.duration.inSeconds)
    }
    compare(Metric.droppedFrames.name, bare, watched)
    compare(Metric.frameTime(.p99).name, bare, watched)
    print(
      "the view uses \(text(shares.median ?? 0)) % of a core at 120 x 40, at most "
        + "\(text(shares.max() ?? 0)) %")
  }

  /// A half-busy app: drawing, files on a background thread, taps.
  private static func plan() throws -> RunPlan {
    func load(_ span: TimeSpan) -> Step.Load { .cpu(.constant(span)) }
    let scenario = Scenario(
      name: "watching",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(8))),
      duration: .seconds(seconds), services: [Service(name: "catalogue", records: 2000)],
      workloads: [
        Workload(
          name: "add-file", arrival: .batch(100, every: .milliseconds(500), start: .zero),
          steps: [Step(name: "insert", service: 0, load: load(.microseconds(2600)))]),
        Workload(
          name: "tap", arrival: .batch(1, every: .milliseconds(300), start: .zero),
          steps: [Step(name: "tap", service: 0, load: load(.microseconds(100)))], priority: .user,
          respondWithin: .milliseconds(100)),
      ], reads: [UIRead(service: 0, cpu: .constant(.microseconds(20)))])
    return RunPlan(scenario, under: try StrategyCatalog.strategy("schedulable", for: scenario))
  }

  private static func runWatched(
    _ terminal: PseudoTerminal
  ) throws -> (RunMetrics, TimeSpan) {
    let plan = try plan()
    let watch = RunWatch()
    return try terminal.attached {
      let view = try ThreadScheduler(name: "view", nice: 10)
      let thread = ViewThread(plan: plan, watch: watch)
      view.schedule { thread.show() }
      let log = try RealEngine().run(plan, watch: watch)
      thread.stop()
      view.shutdownAndWait(.drain)
      return (RunMetrics(log), thread.used)
    }
  }

  private static func compare(_ name: String, _ bare: [RunMetrics], _ watched: [RunMetrics]) {
    let without = bare.map { $0[name] ?? 0 }
    let with = watched.map { $0[name] ?? 0 }
    let difference = zip(with, without).map { $0 - $1 }.median ?? 0
    let range = (without.max() ?? 0) - (without.min() ?? 0)
    print(
      "\(name): without \(without.map(text).joined(separator: ", ")); with "
        + "\(with.map(text).joined(separator: ", ")); median difference \(text(difference)), "
        + "range without \(text(range))")
  }

  private static func text(_ value: Double) -> String { Decimal.text(value, places: 3) }
}
