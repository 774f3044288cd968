internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import FrameBudgetRealTime

/// How late the frame loop wakes, compared in alternating rounds with `cyclictest` under the same privileges.
enum LatenessBenchmark {
  private static let rounds = 5
  private static let seconds = 20
  private static let cyclictest = "/usr/bin/cyclictest"

  static func run(_ speeds: inout Speeds) throws {
    let hasRival = FileManager.default.isExecutableFile(atPath: cyclictest)
    if !hasRival {
      print("cyclictest is missing (Debian package rt-tests): only the loop is measured")
    }
    var loop: [Percentiles] = []
    var rival: [Percentiles] = []
    for _ in 0..<rounds {
      loop.append(try frameLoop())
      if hasRival { rival.append(try runCyclictest()) }
    }
    report("frame loop", loop, as: "wake", &speeds)
    if hasRival { report("cyclictest", rival, as: "cyclictest", &speeds) }
  }

  /// Lateness of a 60 Hz loop that draws nothing, in nanoseconds.
  private static func frameLoop() throws -> Percentiles {
    let scenario = Scenario(
      name: "steady", display: Display(refresh: RefreshRate(60)),
      duration: .seconds(Int64(seconds)))
    let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
    return Percentiles(try RealEngine().run(RunPlan(scenario, under: strategy)).frames.lateness)
  }

  /// The lateness of cyclictest, from its histogram of microseconds.
  private static func runCyclictest() throws -> Percentiles {
    let process = Process()
    process.executableURL = URL(filePath: cyclictest)
    process.arguments = ["-q", "-i", "16667", "-l", "\(seconds * 60)", "-h", "20000"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    var sample: [Int64] = []
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ").compactMap { Int64($0) }
      if fields.count == 2 {
        sample += Array(repeating: fields[0] * 1000, count: Int(fields[1]))
      }
    }
    return Percentiles(sample)
  }

  private static func report(
    _ name: String, _ rounds: [Percentiles], as figure: String, _ speeds: inout Speeds
  ) {
    let medians = [0.5, 0.99, 1].map { q in
      rounds.map { ($0.quantile(q) ?? 0) / 1000 }.median ?? 0
    }
    print(
      "\(name): max \(Decimal.text(medians[2], places: 1)) us late "
        + "(medians of \(rounds.count) rounds of \(seconds) s)")
    speeds.add("\(figure)-p50", medians[0], "µs")
    speeds.add("\(figure)-p99", medians[1], "µs")
  }
}

/// How exactly a step of 2.6 ms burns its processor time, alone and beside two busy processes.
enum BurningBenchmark {
  private static let step: Int64 = 2_600_000
  private static let items = 2500

  static func run(_ speeds: inout Speeds) throws {
    let alone = measure()
    report("alone", alone)
    for (name, quantile) in [("step-p50", 0.5), ("step-p99", 0.99)] {
      speeds.add(name, (Percentiles(alone).quantile(quantile) ?? 0) / 1e6, "ms")
    }
    let rivals = try (0..<2).map { _ in try busyProcess() }
    defer { for rival in rivals { rival.terminate() } }
    report("beside two busy processes", measure())
  }

  private static func measure() -> [Int64] {
    (0..<items).map { _ in
      let before = clinux_thread_cpu()
      clinux_burn_cpu(step)
      return clinux_thread_cpu() - before
    }
  }

  private static func report(_ name: String, _ spans: [Int64]) {
    let percentiles = Percentiles(spans)
    let sum = spans.reduce(0, +)
    let exact = step * Int64(items)
    let error = 100 * Double(sum - exact) / Double(exact)
    let figures = [0, 0.5, 0.99, 1].map {
      Decimal.text((percentiles.quantile($0) ?? 0) / 1e6, places: 4)
    }
    print(
      "\(name): min \(figures[0]), p50 \(figures[1]), p99 \(figures[2]), max \(figures[3]) ms of 2.6 ms; "
        + "the sum over \(items) is off by \(Decimal.text(error, places: 4)) %")
  }

  private static func busyProcess() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "while :; do :; done"]
    try process.run()
    return process
  }
}

/// The time to pass a lock on. The constants of locks in `Costs.standard` are such medians, rounded.
enum LockBenchmark {
  static func run() throws {
    for kind in [Lock.Kind.barging, .fair, .inheriting] {
      let outcome = try LockProbe(kind, samples: 300).run()
      print(
        "\(kind): woken after \(text(outcome.latencies)), the release takes \(text(outcome.wakes))")
    }
  }

  private static func text(_ nanoseconds: [Int64]) -> String {
    let percentiles = Percentiles(nanoseconds)
    let values = [0.5, 0.99].map {
      Decimal.text((percentiles.quantile($0) ?? 0) / 1000, places: 1)
    }
    return "\(values[0]) µs (p99 \(values[1]))"
  }
}
