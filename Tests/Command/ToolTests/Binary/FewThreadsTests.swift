import FrameBudget
import Foundation
import FrameBudgetRealTime
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The built tool under a user with a low limit on threads. The limit does not bind root.
@Suite(.enabled(if: FewThreads.canBeTried)) struct `The built tool with few threads` {
  private static let hasNIO = CarrierSupply.ofThisBuild.lack(of: .nio) == nil

  @Test(
    arguments: [
      "threads-and-locks", "schedulable", "gcd-serial", "gcd-concurrent", "operation-queue",
      "job-queue", "observe-on", "actors", "actors-on-scheduler", "bridge", "process",
    ] + (hasNIO ? ["event-loop"] : []))
  func `reports in one line that it needs more threads, before the run`(_ strategy: String) throws {
    let run = try FewThreads.run(
      "run camera-upload --strategy \(strategy) --duration '200 ms' --quiet", 1)
    #expect(run.status == 69)
    #expect(run.output == "")
    #expect(run.diagnostics.split(separator: "\n").count == 1, "\(run.diagnostics)")
    #expect(run.diagnostics.contains("\(strategy): "))
    #expect(run.diagnostics.contains("only 0 can be created"))
  }

  @Test func `reports it for live without a terminal and for bench`() throws {
    // One thread is the view's.
    #expect(try FewThreads.run("live camera-upload --strategy actors", 2).status == 69)
    #expect(try FewThreads.run("bench --carrier nio --quick", 2).status == 69)
  }

  @Test func `simulates on one thread`() throws {
    let run = try FewThreads.run(
      "run camera-upload --engine virtual --duration '1 s' --quiet --format csv", 1)
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count > 3)
  }
}

private enum FewThreads {
  static let canBeTried = (try? run("--version", 1).status) == 0

  /// Runs the tool as the user nobody, with a limit on threads.
  static func run(_ command: String, _ threads: Int) throws -> BuiltTool {
    try BuiltTool(
      """
      exec timeout \(Int(patience)) setpriv --reuid=65534 --regid=65534 --clear-groups \
        prlimit --nproc=\(threads) $tool \(command)
      """)
  }
}
