internal import CLinux
internal import FrameBudget
internal import Foundation

/// How exactly a step of 2.6 ms burns its processor time, alone and beside two busy processes.
enum BurningBenchmark {
  private static let step: Int64 = 2_600_000
  private static let items = 2500

  static func run() throws {
    report("alone", measure())
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
