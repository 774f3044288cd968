internal import FrameBudget

/// The same model in the virtual engine and in SimPy 4, as whole processes in turn.
enum SimPyBenchmark {
  static func run() throws {
    guard try simPy().status == 0 else {
      return print("SimPy is missing (python3 -m pip install simpy): not compared")
    }
    let arguments = [
      "run", TimedProcess.input("hour.yaml"), "--engine", "virtual", "--format", "csv", "--quiet",
      "--costs", TimedProcess.input("free.json"),
    ]
    // By round: the tool, SimPy, and SimPy without cores, which may be left out here.
    let rounds = try (0..<3).map { _ in
      [
        try TimedProcess(TimedProcess.tool, arguments), try simPy(), try simPy("no-cores"),
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
  }

  private static func simPy(_ arguments: String...) throws -> TimedProcess {
    try TimedProcess("python3", [TimedProcess.input("hour.py")] + arguments)
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
