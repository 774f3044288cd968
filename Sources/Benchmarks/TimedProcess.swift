internal import Foundation
internal import FrameBudget

/// A program run to its end: how long it took as a whole, and what it printed.
struct TimedProcess {
  let milliseconds: Double
  let status: Int32
  let output: String

  init(_ program: URL, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    let clock = ContinuousClock()
    let began = clock.now
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    milliseconds = (clock.now - began) / .milliseconds(1)
    status = process.terminationStatus
    output = String(decoding: data, as: UTF8.self)
  }

  /// The tool, which is built beside the benchmarks.
  static let tool = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(component: "framebudget")

  /// What stands in the project's folder `benchmarks`.
  static func input(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "benchmarks/\(name)").path
  }

  /// The median time of `runs` like this one, and the last of them.
  static func median(
    of runs: Int, _ program: URL, _ arguments: [String]
  ) throws -> (milliseconds: Double, last: TimedProcess) {
    let made = try (0..<runs).map { _ in try TimedProcess(program, arguments) }
    let sorted = made.map(\.milliseconds).sorted()
    return (sorted[sorted.count / 2], made[made.count - 1])
  }
}
