internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import FrameBudgetSimulation

/// Operations per second of the virtual engine.
enum SimulationBenchmark {
  static func run(_ speeds: inout Speeds) throws {
    let strategy = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    let rates = (0..<3).map { _ in millionsPerSecond(plan) }
    print("operations in ten hours of camera-upload under threads-and-locks, median of 3")
    speeds.add("operations", rates.median ?? 0, "million")
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

  /// Ten hours of camera-upload, new photos arriving all the time.
  private static var scenario: Scenario {
    let steps: [(ServiceIndex, Int64)] = [(0, 300), (1, 1200), (2, 800), (3, 300)]
    let tap = Step(name: "tap", service: 2, load: .cpu(.constant(.microseconds(100))))
    return Scenario(
      name: "camera-upload",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))),
      duration: .seconds(36_000), seed: 42,
      services: ["gallery", "hasher", "catalogue", "uploader"].map { Service(name: $0) },
      workloads: [
        Workload(
          name: "add-file", arrival: .batch(380, every: .seconds(1), start: .zero),
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

/// A grid of a scenario of one second, over seeds, on one core and on all, as whole processes; and the cost of merging shards,
/// which uses one core.
enum SweepBenchmark {
  private static let pairs = 5
  private static let shards = 16
  private static let runs = 100 * 100 * 10
  private static let vsyncs = 60
  private static let grid = [
    "run", Project.input("second.yaml"), "--engine", "virtual", "--quiet",
    "--vary", "workloads.add-file.arrival.once=1..100", "--vary", "display.render=0.1..10:0.1 ms",
    "--vary", "seed=1..10",
  ]

  static func run(_ speeds: inout Speeds) throws {
    let place = FileManager.default.temporaryDirectory.appending(component: "sweep-\(UUID())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    speeds.add("sweep", try throughput(place), "runs a second")
    try merging(place)
  }

  /// Returns the runs a second on one core.
  private static func throughput(_ place: URL) throws -> Double {
    let cores = clinux_online_processors()
    var one: [TimedProcess] = []
    var many: [TimedProcess] = []
    for _ in 0..<pairs {
      one.append(try sweep(place.appending(component: "one"), "--jobs", "1"))
      many.append(try sweep(place.appending(component: "all"), "--jobs", "\(cores)"))
    }
    let speedUps = zip(one, many).map { $0.milliseconds / $1.milliseconds }
    let costs = zip(one, many).map { $1.cpuMilliseconds / $0.cpuMilliseconds }
    let best = one.map(\.milliseconds).min() ?? 0
    let rate = Double(runs) / best * 1000
    func text(_ value: Double, _ places: Int = 2) -> String { Decimal.text(value, places: places) }
    print(
      "one core: \(text(rate, 0)) runs and \(text(rate * Double(vsyncs), 0)) vsyncs a second; best of \(pairs)"
    )
    func all(_ ratios: [Double]) -> String {
      ratios.map { text($0) }.joined(separator: ", ")
    }
    print("\(cores) cores: as many times as fast: \(all(speedUps))")
    print("and as many times the processor time: \(all(costs))")
    let peak = (one + many).map(\.peakBytes).max() ?? 0
    print("memory: at most \(peak >> 20) MiB")
    return rate
  }

  private static func merging(_ place: URL) throws {
    let folders = (1...shards).map { place.appending(component: "\($0)") }
    for (number, folder) in folders.enumerated() {
      try sweep(folder, keeps: true, "--shard", "\(number + 1)/\(shards)")
    }
    let bytes = try folders.flatMap { folder in
      try ["summary.csv", "workloads.csv"].map { name in
        try Data(contentsOf: folder.appending(component: name), options: .alwaysMapped).count
      }
    }.reduce(0, +)
    let merged = try TimedProcess.tool(
      ["merge"] + folders.map(\.path) + ["-o", place.appending(component: "m").path])
    let rate = Double(runs) / merged.milliseconds * 1000
    print(
      "merging \(shards) shards: \(Decimal.text(rate, places: 0)) runs a second, \(bytes / runs) bytes a run, "
        + "at most \(merged.peakBytes >> 20) MiB")
  }

  @discardableResult
  private static func sweep(
    _ folder: URL, keeps: Bool = false, _ arguments: String...
  ) throws -> TimedProcess {
    let run = try TimedProcess.tool(grid + arguments + ["-o", folder.path])
    if !keeps { try FileManager.default.removeItem(at: folder) }
    return run
  }
}

/// The same model in the virtual engine and in SimPy 4, as whole processes in turn.
enum SimPyBenchmark {
  static func run(_ speeds: inout Speeds) throws {
    guard try simPy().status == 0 else {
      return print("SimPy is missing (python3 -m pip install simpy): not compared")
    }
    let arguments = [
      "run", Project.input("hour.yaml"), "--engine", "virtual", "--format", "csv", "--quiet",
      "--no-range", "--costs", Project.input("free.json"),
    ]
    // Rounds of the tool, SimPy, and SimPy without cores, which may be missing here.
    let rounds = try (0..<3).map { _ in
      [
        try TimedProcess.tool(arguments), try simPy(), try simPy("no-cores"),
      ]
    }
    let figures = rounds.flatMap { [Self.figures($0[0].output), $0[1].output, $0[2].output] }
    guard Set(figures).count == 1 else { return print("the models differ: \(figures)") }
    let times = [0, 1, 2].map { program in
      rounds.map { $0[program].milliseconds }.median ?? 0
    }
    let texts = times.map { Decimal.text($0, places: 0) }
    let ratios = times.map { Decimal.text($0 / times[0], places: 1) }
    print(
      "an hour at 120 Hz: framebudget \(texts[0]) ms, SimPy \(texts[1]) ms (\(ratios[1]) times), "
        + "without cores \(texts[2]) ms (\(ratios[2]) times); all drop and finish the same")
    speeds.add("simpy", times[1] / times[0], "times")
  }

  private static func simPy(_ arguments: String...) throws -> TimedProcess {
    try TimedProcess("python3", [Project.input("hour.py")] + arguments)
  }

  /// Dropped frames and finished items of the one row, as the script prints them.
  private static func figures(_ csv: String) -> String {
    let lines = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard lines.count == 2,
      let dropped = lines[0].firstIndex(of: Substring(Metric.droppedFrames.name)),
      let done = lines[0].firstIndex(of: Substring(Metric.itemsDone.name)),
      lines[1].count == lines[0].count
    else { return "nothing" }
    return "\(lines[1][dropped]) \(lines[1][done])\n"
  }
}
