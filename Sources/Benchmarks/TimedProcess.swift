internal import CLinux
internal import Foundation
internal import FrameBudget
internal import Glibc

/// A program run to its end: how long it took as a whole, what it needed, and what it printed.
///
/// Started and awaited by the system's own calls: Foundation's `Process` notices an end some 40 ms late, which is
/// half of what is measured here.
struct TimedProcess {
  let milliseconds: Double
  /// Processor time of all its threads.
  let cpuMilliseconds: Double
  let status: Int32
  /// The most memory that it had at a time. A new process counts from its parent's, which should be little then.
  let peakBytes: Int
  let output: String

  struct Failure: Error { let text: String }

  /// Runs `program`, looked for as a shell does, with its diagnostics thrown away.
  init(_ program: String, _ arguments: [String]) throws {
    let pipe = Pipe()
    let began = clinux_monotonic()
    let process = try Self.spawn(program, arguments, output: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    output = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    var (code, usage) = (Int32(0), rusage())
    guard unsafe wait4(process, &code, 0, &usage) == process else {
      throw Failure(text: "\(program) cannot be awaited")
    }
    milliseconds = Double(clinux_monotonic() - began) / 1e6
    // As a shell has it: what it exited with, or 128 and the signal that ended it.
    status = code & 0x7f == 0 ? code >> 8 & 0xff : 128 + code & 0x7f
    peakBytes = usage.ru_maxrss * 1024
    cpuMilliseconds = Self.milliseconds(usage.ru_utime) + Self.milliseconds(usage.ru_stime)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
  }

  private static func spawn(
    _ program: String, _ arguments: [String], output: FileHandle
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var process = pid_t()
    let error = unsafe withCStrings([program] + arguments) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe posix_spawnp(&process, program, &actions, nil, arguments, variables)
      }
    }
    guard error == 0 else { throw Failure(text: "\(program) cannot be started: error \(error)") }
    return process
  }

  private static func withCStrings<R>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
  ) -> R {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
  }

  /// The tool, which is built beside the benchmarks.
  static let tool = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(component: "framebudget").path

  /// What stands in the project's folder `benchmarks`.
  static func input(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "benchmarks/\(name)").path
  }

  /// The median time of `runs` like this one, and the last of them.
  static func median(
    of runs: Int, _ program: String, _ arguments: [String]
  ) throws -> (milliseconds: Double, last: TimedProcess) {
    let made = try (0..<runs).map { _ in try TimedProcess(program, arguments) }
    return (made.map(\.milliseconds).median ?? 0, made[made.count - 1])
  }
}
