internal import FrameBudget
internal import Foundation
internal import RealTime

/// How late the frame loop wakes, in turn with `cyclictest` under the same privileges.
enum LatenessBenchmark {
  private static let rounds = 5
  private static let seconds = 20
  private static let cyclictest = "/usr/bin/cyclictest"

  static func run() throws {
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
    report("frame loop", loop)
    if hasRival { report("cyclictest", rival) }
  }

  /// Lateness of a 60 Hz loop that draws nothing, in nanoseconds.
  private static func frameLoop() throws -> Percentiles {
    let scenario = Scenario(
      name: "steady", display: Display(refresh: RefreshRate(60)),
      duration: .seconds(Int64(seconds)))
    let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
    return Percentiles(try RealEngine().run(RunPlan(scenario, under: strategy)).frames.lateness)
  }

  /// The same from its histogram of microseconds.
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

  private static func report(_ name: String, _ rounds: [Percentiles]) {
    let figures = [0.5, 0.99, 1].map { q in
      let lateness = rounds.map { ($0.quantile(q) ?? 0) / 1000 }
      return Decimal.text(lateness.median ?? 0, places: 1)
    }
    print(
      "\(name): p50 \(figures[0]), p99 \(figures[1]), max \(figures[2]) us late "
        + "(medians of \(rounds.count) rounds of \(seconds) s)")
  }
}
