import CLinux
import Foundation
import FrameBudget

@testable import Tool

/// A command that ran in this process, and what it used.
struct Measured {
  let done: Performed
  /// By all threads; nil where other tests run at the same time.
  let processorTime: TimeSpan?
  /// In bytes, beyond what was in memory before; nil also where the system does not tell.
  let memory: Int?

  /// What a file of less than 2 MB may cost.
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

  /// What is wrong with any command on any file, however it ends.
  var faults: [String] { faults(allowing: []) }

  /// The same of one that may also end with `more`.
  func faults(allowing more: [Tool.ExitStatus]) -> [String] {
    var faults: [String] = []
    if let processorTime, processorTime > Self.mostTime { faults.append("took \(processorTime)") }
    if let memory, memory > Self.mostMemory { faults.append("used \(memory >> 20) MB") }
    let allowed: [Tool.ExitStatus] = [.success, .failed, .inconclusive, .badInput] + more
    if !allowed.contains(done.status) { faults.append("ended with status \(done.status)") }
    if done.status == .badInput, done.diagnostics.isEmpty { faults.append("does not say why") }
    for text in [done.output, done.diagnostics] where text.hasRawControl {
      faults.append("a raw control character")
    }
    return faults
  }

  /// Makes the most memory so far that of now.
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
  /// Whether something in it commands a terminal, other than the ends of lines and tabs.
  var hasRawControl: Bool {
    unicodeScalars.contains { $0.isDisruptive && !"\n\t".unicodeScalars.contains($0) }
  }
}
