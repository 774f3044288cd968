internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import Glibc

/// The duration of the tool from start to end in virtual time.
enum WholeRunBenchmark {
  private static let runs = 5

  static func run(_ speeds: inout Speeds) throws {
    let all = try report("camera-upload under all strategies", "camera-upload", "all")
    speeds.add("all-strategies", all, "ms")
    let hours = try ["main-thread", "threads-and-locks", "schedulable"].map { strategy in
      try report(
        "an hour at 120 Hz with 20 000 photos, \(strategy)", Project.input("hour.yaml"), strategy)
    }
    speeds.add("hour-least", hours.min() ?? 0, "ms")
    speeds.add("hour-most", hours.max() ?? 0, "ms")
  }

  /// Returns the median duration in milliseconds.
  private static func report(
    _ name: String, _ scenario: String, _ strategy: String
  ) throws -> Double {
    let (time, remark) = try TimedProcess.medianOfTool(
      runs, ["run", scenario, "--strategy", strategy, "--engine", "virtual", "--quiet"])
    print("\(name): \(Decimal.text(time, places: 1)) ms, \(remark)")
    return time
  }
}

/// The duration of a search for advice: for a burst in four services, and for more services than can all be tried.
enum AdviceBenchmark {
  private static let runs = 5

  static func run(_ speeds: inout Speeds) throws {
    speeds.add("advise", try report("camera-upload", "camera-upload", most: 2000), "ms")
    _ = try report(
      "twelve services and four workloads", Project.input("twelve-services.yaml"), most: 30_000)
  }

  /// `most` is the documented limit, in milliseconds, as is the median that it returns.
  private static func report(
    _ name: String, _ scenario: String, most: Double
  ) throws -> Double {
    let (time, remark) = try TimedProcess.medianOfTool(runs, ["advise", scenario, "--quiet"])
    let isKept = time <= most ? "at most" : "MORE than"
    print(
      "\(name): \(Decimal.text(time, places: 0)) ms, \(remark), \(isKept) the "
        + "\(Decimal.text(most, places: 0)) ms that the documentation states")
    return time
  }
}

/// The growth of the tool's peak memory per frame and per item, as whole processes, so that memory that is freed again or held
/// beside the log counts too.
enum MemoryBenchmark {
  static func run() throws {
    for strategy in ["threads-and-locks:lock=fair", "schedulable"] {
      let hour = try peak(strategy)
      let longer = try peak(strategy, "--duration", "14400 s")
      let fuller = try peak(strategy, "--set", "workloads.add-file.arrival.once=500000")
      let perFrame = Double(longer - hour) / Double(3 * 3600 * 120)
      let perItem = Double(fuller - hour) / 480_000
      print(
        "\(strategy): \(Decimal.text(perFrame, places: 1)) bytes per frame, "
          + "\(Decimal.text(perItem, places: 1)) per item")
    }
  }

  private static func peak(_ strategy: String, _ arguments: String...) throws -> Int {
    try TimedProcess.tool(
      ["run", Project.input("hour.yaml"), "--engine", "virtual", "--quiet"]
        + ["--strategy", strategy] + arguments
    ).peakBytes
  }
}

/// A program that has run to its end: its duration, its use of resources, and its output.
///
/// Started and awaited by system calls: Foundation's `Process` notices an end some 40 ms late, which is half of the measured
/// time.
struct TimedProcess {
  let milliseconds: Double
  /// Processor time of all its threads.
  let cpuMilliseconds: Double
  let status: Int32
  /// Its peak memory. A new process counts from its parent's memory, which should be small then.
  let peakBytes: Int
  let output: String

  struct Failure: Error { let text: String }

  /// Runs `program`, which is found by PATH, and discards its diagnostics.
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
    // As in a shell: the exit status, or 128 plus the signal that ended it.
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
  private static let toolPath = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(component: "framebudget").path

  /// Runs the tool.
  ///
  /// - Throws: if it fails.
  static func tool(_ arguments: [String]) throws -> TimedProcess {
    let run = try TimedProcess(toolPath, arguments)
    guard run.status == 0 else {
      throw Failure(text: "framebudget \(arguments.joined(separator: " ")) failed")
    }
    return run
  }

  /// The median duration of `runs` runs of the tool, and a remark with their number and any failure.
  static func medianOfTool(
    _ runs: Int, _ arguments: [String]
  ) throws -> (milliseconds: Double, remark: String) {
    let made = try (0..<runs).map { _ in try TimedProcess(toolPath, arguments) }
    let failure = made.map(\.status).first { $0 != 0 }
    return (
      made.map(\.milliseconds).median ?? 0,
      "median of \(runs)" + (failure.map { " (exit \($0))" } ?? "")
    )
  }
}

/// The peak memory of this process, in KiB.
func peakMemory() -> Int {
  var usage = rusage()
  // `usage` is a whole rusage that the call fills in.
  _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}

/// The duration of the shortest use of the tool.
enum StartBenchmark {
  private static let runs = 201

  static func run(_ speeds: inout Speeds) throws {
    speeds.add("start", try TimedProcess.medianOfTool(runs, ["--version"]).milliseconds, "ms")
  }
}
