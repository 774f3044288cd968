import CFrameBudgetLinux
import Foundation
import FrameBudget

@testable import FrameBudgetCLI

/// A command that ran in this process, and the resources that it used.
struct Measured {
  let done: Performed
  /// The processor time of all threads; nil if other tests run at the same time.
  let processorTime: TimeSpan?
  /// In bytes, beyond the memory in use before; nil also if the system does not provide it.
  let memory: Int?

  /// The allowed cost of a file of less than 2 MB.
  static let mostMemory = 256 << 20
  /// The same on an idle machine, in processor time rather than by the clock, which other processes slow down. Code that is
  /// not optimised takes about ten times as long.
  static let mostTime: TimeSpan = {
    #if DEBUG
      return .seconds(20)
    #else
      return .seconds(2)
    #endif
  }()

  /// Whether `scripts/test` runs the tests, one at a time in a process.
  static let isAlone = CommandLine.arguments.contains("--no-parallel")

  init(_ arguments: [String]) throws { try self.init { try Performed(arguments) } }

  init(_ perform: () throws -> Performed) rethrows {
    Self.forgetPeak()
    let (resident, began) = (Self.memory("VmRSS:"), clinux_process_cpu())
    done = try perform()
    processorTime = Self.isAlone ? .nanoseconds(clinux_process_cpu() - began) : nil
    memory =
      Self.isAlone ? resident.flatMap { before in Self.memory("VmHWM:").map { $0 - before } } : nil
  }

  /// The faults of a command's run, for any command and any file.
  var faults: [String] { faults(allowing: []) }

  /// The same for a command that may also end with the statuses `more`.
  func faults(allowing more: [FrameBudgetCLI.ExitStatus]) -> [String] {
    var faults: [String] = []
    if let processorTime, processorTime > Self.mostTime { faults.append("took \(processorTime)") }
    if let memory, memory > Self.mostMemory { faults.append("used \(memory >> 20) MB") }
    let allowed: [FrameBudgetCLI.ExitStatus] = [.success, .failed, .inconclusive, .badInput] + more
    if !allowed.contains(done.status) { faults.append("ended with status \(done.status)") }
    if done.status == .badInput, done.diagnostics.isEmpty { faults.append("does not say why") }
    for text in [done.output, done.diagnostics] where text.hasRawControl {
      faults.append("a raw control character")
    }
    return faults
  }

  /// Resets the peak of memory to the present use.
  private static func forgetPeak() {
    try? FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(contentsOf: Data("5".utf8))
  }

  private static func memory(_ key: String) -> Int? {
    guard let bytes = try? InputBytes.read("/proc/self/status") else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix(key)
    }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
      .map { $0 << 10 }
  }
}

extension String {
  /// Whether it contains control characters of a terminal, other than the ends of lines and tabs.
  var hasRawControl: Bool {
    unicodeScalars.contains { $0.isDisruptive && !"\n\t".unicodeScalars.contains($0) }
  }
}
