import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Tests that need a whole process: its streams, its exit status, signals, its main thread.
struct `The built tool` {
  @Test(arguments: [
    "list", "check steady", "--help", "run --help", "--version", "run steady --engine virtual",
    "run steady --engine virtual --format csv", "run steady --engine virtual --format json",
  ])
  func `says in one line that the output is full`(_ command: String) throws {
    let run = try BuiltTool("$tool \(command) > /dev/full")
    #expect(run.status == 74)
    #expect(
      run.diagnostics
        == "framebudget: cannot write to standard output: No space left on device\n")
  }

  @Test func `reports a closed output, and opens nothing in its place`() throws {
    let scratch = try Scratch()
    let run = try BuiltTool(
      "$tool run steady --engine virtual -o \(scratch.path("out")) >&-")
    #expect(run.status == 74)
    #expect(run.diagnostics.contains("cannot write to standard output"))
    #expect(scratch.text("out/summary.csv")?.hasPrefix("schema,") == true)
    #expect(scratch.names(in: "out") == ["run.json", "summary.csv", "workloads.csv"])
  }

  @Test func `keeps the files when nobody reads the output`() throws {
    let scratch = try Scratch()
    let run = try BuiltTool(
      "$tool run steady --engine virtual -o \(scratch.path("out")) | true; exit ${PIPESTATUS[0]}")
    #expect([0, 141].contains(run.status))
    #expect(!run.diagnostics.contains("cannot write"))
    #expect(scratch.names(in: "out") == ["run.json", "summary.csv", "workloads.csv"])
  }

  @Test func `starts no process from within one that it has started itself`() throws {
    let run = try BuiltTool(
      "$tool run hop-chain --strategy process --duration '1 s'",
      environment: ["FRAMEBUDGET_SERVICE": "1"])
    #expect(run.status == 69)
    #expect(run.diagnostics.contains("Operation not permitted"))
  }

  @Test func `ignores a closed or full standard error`() throws {
    #expect(try BuiltTool("$tool list strategies 2>&-").status == 0)
    #expect(try BuiltTool("$tool run \(Scratch.nowhere) 2>&-").status == 66)
    #expect(try BuiltTool("$tool run \(Scratch.nowhere) 2>/dev/full").status == 66)
  }

  @Test func `says that its input is closed`() throws {
    let run = try BuiltTool("$tool run - <&-")
    #expect(run.status == 66)
    #expect(run.diagnostics.contains("cannot open standard input"))
  }

  @Test func `runs the real engine on its main thread`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let run = try BuiltTool(
      "$tool run \(scratch.path("short.yaml")) --format csv --frames \(scratch.path("frames.csv"))")
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count == 3)
    #expect(run.output.contains(",real,"))
    #expect(run.output.contains(",complete,60,"))
    #expect(scratch.text("frames.csv")?.contains(",real,") == true)
  }

  @Test func `compares both engines`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let run = try BuiltTool("$tool run \(scratch.path("short.yaml")) --engine both --quiet")
    #expect(run.status == 0)
    #expect(run.output.contains("main-thread (real)"))
    #expect(run.output.contains("schedulable (virtual)"))
    #expect(run.output.contains("real minus virtual"))
    #expect(run.diagnostics == "")
  }

  @Test func `begins a run on Dispatch's pools without the threads of the run before`() throws {
    let scratch = try Scratch()
    try scratch.write(
      ShortScenario.text.replacing("duration: 1 s", with: "duration: 100 ms"), to: "s.yaml")
    let clock = ContinuousClock()
    let before = clock.now
    let run = try BuiltTool(
      "$tool run \(scratch.path("s.yaml")) --strategy gcd-concurrent,actors --quiet")
    #expect(run.status == 0)
    #expect(run.diagnostics == "")
    // Dispatch ends threads that were idle for 5 s.
    #expect(clock.now - before >= .seconds(5))
  }

  @Test func `searches the limit on the real engine`() throws {
    let scratch = try Scratch()
    try scratch.write(
      ShortScenario.text.replacing("duration: 1 s", with: "duration: 300 ms"), to: "s.yaml")
    let limit = try BuiltTool(
      """
      $tool limit \(scratch.path("s.yaml")) --engine real --strategy schedulable --format csv \\
        --vary workloads.add-file.arrival.once=1..1
      """)
    #expect(limit.status == 0)
    #expect(limit.diagnostics == "")
    let lines = limit.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines.count == 2)
    let fields = Dictionary(zip(lines[0], lines[1])) { first, _ in first }
    #expect(fields["engine"] == "real")
    // The outcome for one file of 2 ms depends on this machine; the attempt does not.
    #expect(["", "1"].contains(fields["largest"]))
    #expect((fields["largest"] == "1") == (fields["ended_by"] == ""))
  }

  @Test func `leaves a search of the limit when it is interrupted`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let limit = try BuiltTool(
      """
      $tool limit \(scratch.path("s.yaml")) --engine real --set duration='60 s' \
        2> \(scratch.path("said")) &
      while ! grep -q "in real time" \(scratch.path("said")) 2>/dev/null; do sleep 0.05; done
      sleep 0.5
      kill -INT $!
      wait $!
      """)
    #expect(limit.status == 130)
    #expect(limit.output == "")
    let said = scratch.text("said")?.split(separator: "\n") ?? []
    #expect(said.count == 2)
    #expect(said.first?.hasPrefix("framebudget: searches in real time: at most ") == true)
    #expect(said.last == "framebudget: interrupted; the unfinished searches have no result")
  }

  @Test func `announces the duration of a long run`() throws {
    let scratch = try Scratch()
    _ = try BuiltTool(
      """
      $tool run steady --duration '20 s' 2> \(scratch.path("said")) & tool=$!
      while [ ! -s \(scratch.path("said")) ] && kill -0 $tool; do sleep 0.05; done
      kill -INT $tool; wait $tool
      """)
    let said = scratch.text("said")
    #expect(
      said?.hasPrefix("framebudget: one run in real time: about 20.") == true, "\(said ?? "")")
  }

  /// Slow: waits for runs in real time.
  @Test(arguments: [("INT", Int32(130)), ("TERM", 143), ("HUP", 129)])
  func `reports what was measured when it is interrupted`(_ signal: String, _ status: Int32) throws
  {
    let scratch = try Scratch()
    // The second strategy is under way when the signal comes, also if the machine has stood still for two seconds meanwhile.
    try scratch.write(
      ShortScenario.text.replacing("duration: 1 s", with: "duration: 8 s"), to: "s.yaml")
    let run = try BuiltTool(
      """
      $tool run \(scratch.path("s.yaml")) -o \(scratch.path("out")) --format csv &
      while ! grep -q main-thread \(scratch.path("out/summary.csv.partial")) 2>/dev/null; do
        sleep 0.05; done
      sleep 1
      kill -\(signal) $!
      wait $!
      """)
    #expect(run.status == status)
    let rows = run.output.split(separator: "\n").dropFirst()
    #expect(rows.count == 2)
    #expect(rows.first?.contains(",complete,480,") == true)
    #expect(rows.last?.contains(",interrupted,") == true)
    #expect(run.output == scratch.text("out/summary.csv"))
    #expect(scratch.names(in: "out") == ["run.json", "summary.csv", "workloads.csv"])
    #expect(run.diagnostics.contains("interrupted; the result has the measurements so far"))
  }

  @Test func `leaves the rows of finished strategies when it is killed`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let run = try BuiltTool(
      """
      $tool run \(scratch.path("s.yaml")) -o \(scratch.path("out")) --repeat 100 &
      while ! grep -q main-thread \(scratch.path("out/summary.csv.partial")) 2>/dev/null; do
        sleep 0.05; done
      kill -KILL $!
      wait $!
      """)
    #expect(run.status == 137)
    #expect(scratch.names(in: "out") == ["summary.csv.partial"])
    #expect(scratch.text("out/summary.csv.partial")?.contains(",main-thread,") == true)
  }

  /// Slow: runs every strategy twice.
  @Test(arguments: [
    "run camera-upload --engine virtual --strategy all --format json --cores 2",
    "run lock-starvation --engine virtual --vary workloads.import.arrival.once=1..40 --format csv",
    "limit camera-upload",
  ])
  func `gives the same bytes in two processes`(_ command: String) throws {
    // Only the time of day may differ.
    let script = "$tool \(command) | grep -v '\"started\":'"
    let first = try BuiltTool(script)
    #expect(first.output.count > 500)
    #expect(try BuiltTool(script).output == first.output)
  }

  @Test func `examines the machine`() throws {
    let doctor = try BuiltTool("$tool doctor", environment: ["COLUMNS": "80"])
    #expect(doctor.status == 0)
    for fact in [
      "processors", "clock source", "timer slack", "governor", "steal", "load",
      "virtualisation", "real-time priority", "wake-up lateness",
    ] {
      #expect(doctor.output.contains(" \(fact) "), "\(fact)")
    }
    #expect(!doctor.output.contains("\u{1B}"))
    #expect(doctor.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}

/// On a terminal of its own, by `script` of util-linux, where there is one.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
struct `The built tool on a terminal` {
  private func run(
    _ flags: String, command: String = "run", environment: [String: String] = ["TERM": "xterm"]
  ) throws -> String {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let script = "script -qec \"$tool \(command) \(scratch.path("s.yaml")) \(flags)\" /dev/null"
    return try BuiltTool(script, environment: environment).output
  }

  @Test func `shows its progress and erases it`() throws {
    let screen = try run("")
    #expect(screen.contains("1/2 main-thread"))
    #expect(screen.contains("2/2 schedulable"))
    #expect(screen.contains("of 1.0 s"))
    #expect(screen.contains("\r\u{1B}[K"))
    #expect(screen.contains("\u{1B}[31m"))
  }

  /// Slow: waits for runs in real time.
  @Test func `shows the progress of a search on the real engine`() throws {
    let flags = "--engine real --vary workloads.add-file.arrival.once=1..1"
    let screen = try run(flags, command: "limit")
    #expect(screen.contains("1/2 main-thread at 1"))
    #expect(screen.contains("\r\u{1B}[K"))
    #expect(try !run(flags + " --quiet", command: "limit").contains("1/2"))
  }

  @Test func `shows its progress in a long file`() throws {
    let scratch = try Scratch()
    let (pipe, seen) = (scratch.path("log"), scratch.path("typescript"))
    // The log, whose writer goes on while the tool reads.
    func log(_ more: String) -> String {
      "rm -f \(pipe); mkfifo \(pipe); { echo fps,frametime,elapsed; \(more); echo 60,16,0; echo 60,16,16000000; } >\(pipe) & $tool import - <\(pipe)"
    }
    // The file's first line has this command, which must not be what is looked for.
    let untilDrawn =
      "for try in $(seq \(Int(patience) * 10)); do grep -q readin[g] \(seen) && break; echo 60,16,0; sleep 0.1; done"
    let screen = try BuiltTool(
      "script -qfec '\(log(untilDrawn))' \(seen)", environment: ["TERM": "xterm"])
    #expect(screen.output.contains("\rreading standard input: 0 MB\u{1B}[K"), "\(screen.output)")
    #expect(screen.output.contains("\r\u{1B}[K"))
    #expect(screen.output.contains("MangoHud"))
    for end in ["-q", "2>&1 | cat"] {
      let quiet = "script -qec '\(log("sleep 2")) \(end)' /dev/null"
      let run = try BuiltTool(quiet, environment: ["TERM": "xterm"])
      #expect(run.output.contains("MangoHud") && !run.output.contains("reading"), "\(run.output)")
    }
  }

  /// Slow: waits for runs in real time.
  @Test func `draws nothing with --quiet or on a dumb terminal`() throws {
    #expect(try !run("--quiet").contains("1/2"))
    let dumb = try run("", environment: ["TERM": "dumb"])
    #expect(!dumb.contains("1/2"))
    #expect(!dumb.contains("\u{1B}"))
  }

  @Test func `has no colours under NO_COLOR`() throws {
    let screen = try run("", environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(!screen.contains("\u{1B}[31m"))
    #expect(screen.contains("1/2 main-thread"))
  }
}
