internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import Glibc

/// The threads of another process, by what /proc says of them.
struct ClientThread {
  private let process: pid_t

  init(of process: pid_t) { self.process = process }

  /// The first process of what a guard has started that uses libwayland, because a script can start the client; without one,
  /// the program itself, which can contain that library. Nil if the program has ended.
  /// `isCertain` says whether that library was found: a browser loads it some time after it has started.
  static func ofClient(startedBy guardian: pid_t) -> (thread: ClientThread, isCertain: Bool)? {
    var found = GuardProcess.children(of: "\(guardian)")
    let program = found.first
    // A script starts few others.
    for _ in 0..<32 {
      guard let process = found.first else { break }
      found.removeFirst()
      if let maps = ProcessFile.text("/proc/\(process)/maps"), maps.contains("libwayland-client") {
        return (ClientThread(of: process), true)
      }
      found += GuardProcess.children(of: "\(process)")
    }
    return program.map { (ClientThread(of: $0), false) }
  }

  /// Whether the thread waits for events, as an app does that has nothing to draw; one that waits for anything else hangs.
  /// Where the kernel does not say for what a thread sleeps, it counts as that. Qt Quick also draws on a thread of its own.
  var isResting: Bool { awaits(process) && !isRendering }

  /// The same of an app whose window the thread of that number draws: it sleeps, as the main thread does, and one of the two
  /// waits for events. The other may wait for that one.
  func isResting(drawing drawer: Int) -> Bool {
    guard let drawer = pid_t(exactly: drawer), drawer != process else { return awaits(process) }
    return sleeps(drawer) && sleeps(process) && (awaits(drawer) || awaits(process))
  }

  /// Whether a signal has stopped the process.
  var isStopped: Bool { state(of: process).map { ["T", "t"].contains($0) } ?? false }

  private func state(of thread: pid_t) -> String? {
    ProcessFile.fields("/proc/\(process)/task/\(thread)/stat")?.first
  }

  private func sleeps(_ thread: pid_t) -> Bool { state(of: thread) == "S" }

  private func awaits(_ thread: pid_t) -> Bool {
    guard sleeps(thread) else { return false }
    let place = ProcessFile.text("/proc/\(process)/task/\(thread)/wchan") ?? ""
    return ["", "0"].contains(place) || place.contains("poll") || place.contains("select")
  }

  /// Whether Qt Quick's thread computes, or waits for a device. Others may: they do the app's work in the background.
  private var isRendering: Bool {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.contains { thread in
      let text = ProcessFile.text("\(tasks)/\(thread)/stat") ?? ""
      return ["R", "D"].contains { text.contains("(QSGRenderThread) \($0) ") }
    }
  }

  /// The processor time of the process, and of the thread.
  var used: (process: TimeSpan, main: TimeSpan)? {
    guard let process = Self.used("/proc/\(process)/stat"),
      let main = Self.used("/proc/\(self.process)/task/\(self.process)/stat")
    else { return nil }
    return (process, main)
  }

  private static func used(_ path: String) -> TimeSpan? {
    guard let fields = ProcessFile.fields(path), fields.count > 12,
      let user = InputNumber.whole(fields[11], in: ticks),
      let system = InputNumber.whole(fields[12], in: ticks)
    else { return nil }
    let tick = 1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    return .nanoseconds(Int64(user + system) * tick)
  }

  private static let ticks = 0...1 << 32
}
