internal import Foundation
internal import FrameBudget

/// The same model in the virtual engine and in SimPy 4, as whole processes in turn.
enum SimPyBenchmark {
  private static let python = URL(filePath: "/usr/bin/env")

  static func run() throws {
    let script = ["python3", TimedProcess.input("hour.py")]
    let first = try TimedProcess(python, script)
    guard first.status == 0 else {
      return print("SimPy is missing (python3 -m pip install simpy): not compared")
    }
    let arguments = [
      "run", TimedProcess.input("hour.yaml"), "--engine", "virtual", "--format", "csv", "--quiet",
      "--costs", TimedProcess.input("free.json"),
    ]
    var ours: [Double] = []
    var theirs: [Double] = []
    for _ in 0..<3 {
      let (time, last) = try TimedProcess.median(of: 3, TimedProcess.tool, arguments)
      ours.append(time)
      theirs.append(try TimedProcess(python, script).milliseconds)
      guard let figures = figures(last.output), first.output == figures + "\n" else {
        return print("the models differ: SimPy has \(first.output), framebudget \(last.output)")
      }
    }
    let (our, their) = (ours.sorted()[1], theirs.sorted()[1])
    print(
      "hour.yaml: framebudget \(Decimal.text(our, places: 1)) ms, SimPy "
        + "\(Decimal.text(their, places: 1)) ms: \(Decimal.text(their / our, places: 1)) times; "
        + "both drop and finish \(first.output.filter { $0 != "\n" })")
  }

  /// Dropped frames and finished items of the one row, as the script prints them.
  private static func figures(_ csv: String) -> String? {
    let lines = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard lines.count == 2, let dropped = lines[0].firstIndex(of: "dropped_frames"),
      let done = lines[0].firstIndex(of: "items_done"), lines[1].count == lines[0].count
    else { return nil }
    return "\(lines[1][dropped]) \(lines[1][done])"
  }
}
