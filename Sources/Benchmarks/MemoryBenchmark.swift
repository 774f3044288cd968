internal import FrameBudget

/// By how much the tool's peak memory grows with each frame and each item more: whole processes, so that nothing
/// that is freed again, or held beside the log, is left out.
enum MemoryBenchmark {
  static func run() throws {
    for strategy in ["threads-and-locks:lock=fair", "schedulable"] {
      let hour = try peak(strategy)
      let longer = try peak(strategy, "--duration", "14400 s")
      let fuller = try peak(strategy, "--set", "workloads.add-file.arrival.once=500000")
      let perFrame = Double(longer - hour) / Double(3 * 3600 * 120)
      let perItem = Double(fuller - hour) / 480_000
      print(
        "\(strategy): \(Decimal.text(perFrame, places: 1)) bytes per frame, "
          + "\(Decimal.text(perItem, places: 1)) per item")
    }
  }

  private static func peak(_ strategy: String, _ arguments: String...) throws -> Int {
    let run = try TimedProcess(
      TimedProcess.tool,
      ["run", TimedProcess.input("hour.yaml"), "--engine", "virtual", "--quiet"]
        + ["--strategy", strategy] + arguments)
    guard run.status == 0 else { throw TimedProcess.Failure(text: "\(strategy) failed") }
    return run.peakBytes
  }
}
