internal import FrameBudget

/// How long the tool takes from start to end in virtual time.
enum WholeRunBenchmark {
  private static let runs = 5

  static func run() throws {
    try report(
      "camera-upload under all strategies", ["run", "camera-upload", "--strategy", "all"])
    for strategy in ["main-thread", "threads-and-locks", "schedulable"] {
      try report(
        "an hour at 120 Hz with 20 000 photos, \(strategy)",
        ["run", TimedProcess.input("hour.yaml"), "--strategy", strategy])
    }
  }

  private static func report(_ name: String, _ arguments: [String]) throws {
    let (time, last) = try TimedProcess.median(
      of: runs, TimedProcess.tool, arguments + ["--engine", "virtual", "--quiet"])
    let remark = last.status == 0 ? "" : " (exit \(last.status))"
    print("\(name): \(Decimal.text(time, places: 1)) ms, median of \(runs)\(remark)")
  }
}
