internal import CFrameBudgetLinux
internal import SchedulableThreads
internal import Foundation

/// The number of times that the thread of a carrier went to sleep, as the kernel counts it.
struct ThreadSwitches {
  private let path: String

  /// Finds the thread by an event that runs on it.
  init(of carrier: any Carrier) {
    let thread = Locked<Int32>(0)
    let seen = OneShotSignal()
    carrier.post(
      {
        thread.withLock { $0 = clinux_thread_id() }
        seen.set()
      }, hasPriority: false)
    seen.wait()
    path = "/proc/self/task/\(thread.withLock { $0 })/status"
  }

  /// Nil if the kernel does not count.
  var count: Int? {
    guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return Self.voluntary(in: status)
  }

  static func voluntary(in status: String) -> Int? {
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line.flatMap { Int($0.split(separator: "\t").last ?? "") }
  }
}
