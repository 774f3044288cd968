internal import FrameBudget

/// How long it takes to find advice: for a burst in four services, and for more than can all be tried.
enum AdviceBenchmark {
  private static let runs = 5

  static func run() throws {
    try report("camera-upload", "camera-upload", most: 2000)
    try report(
      "twelve services and four workloads", TimedProcess.input("twelve-services.yaml"), most: 30_000
    )
  }

  /// `most` is what the documentation promises, in milliseconds.
  private static func report(_ name: String, _ scenario: String, most: Double) throws {
    let (time, last) = try TimedProcess.median(
      of: runs, TimedProcess.tool, ["advise", scenario, "--quiet"])
    let remark = last.status == 0 ? "" : " (exit \(last.status))"
    let isKept = time <= most ? "at most" : "MORE than"
    print(
      "\(name): \(Decimal.text(time, places: 0)) ms, median of \(runs), \(isKept) the "
        + "\(Decimal.text(most, places: 0)) ms that are promised\(remark)")
  }
}
