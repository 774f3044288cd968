import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// With the virtual engine: tests do not run on the process's main thread, which the real engine needs.
struct `framebudget run` {
  private func run(_ flags: String..., scenario: String = ShortScenario.text) throws -> Performed {
    let scratch = try Scratch()
    try scratch.write(scenario, to: "short.yaml")
    return try Performed(["run", scratch.path("short.yaml"), "--engine", "virtual"] + flags)
  }

  @Test func `prints the comparison and says nothing else`() throws {
    let run = try run()
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("With "))
    #expect(run.output.contains(" the app "))
    #expect(run.output.contains("\n\nshort: 60 Hz, 1 s, seed "))
    #expect(run.output.contains("\nmain-thread "))
    #expect(run.output.contains("schedulable dropped none of 60 frames."))
    #expect(run.diagnostics == "")
  }

  @Test func `has a paragraph for every strategy with --details, else for three at most`() throws {
    let flags = ["--strategy", "main-thread,time-sliced,threads-and-locks,schedulable"]
    func paragraphs(_ more: String...) throws -> Int {
      let scratch = try Scratch()
      try scratch.write(ShortScenario.text, to: "short.yaml")
      let run = try Performed(
        ["run", scratch.path("short.yaml"), "--engine", "virtual"] + flags + more)
      #expect(run.output.contains("(--details describes") == more.isEmpty)
      return run.output.split(separator: "\n").count { $0.hasPrefix("- ") }
    }
    #expect(try paragraphs("--details") == 4)
    #expect((1...3).contains(try paragraphs()))
  }

  @Test func `says from which value to which what is smooth`() throws {
    let run = try run("--vary", "workloads.add-file.arrival.once=1..3")
    #expect(run.output.hasPrefix("workloads.add-file.arrival.once=1"))
    #expect(run.output.contains("is smooth at the lowest price."))
  }

  @Test func `reads a scenario from standard input`() throws {
    let run = try Performed("run", "-", "--engine", "virtual", input: ShortScenario.text)
    #expect(run.status == .success)
    #expect(run.output.contains("\nshort: "))
  }

  @Test func `puts the same on the output as into the file`() throws {
    let scratch = try Scratch()
    let run = try run("--format", "csv", "-o", scratch.path("out"), "--repeat", "2")
    #expect(run.status == .success)
    #expect(run.output == scratch.text("out/summary.csv"))
    #expect(run.output.split(separator: "\n").count == 1 + 2 * 2)
    #expect(scratch.names(in: "out") == ["run.json", "summary.csv", "workloads.csv"])
    #expect(run.diagnostics.contains("are in \(scratch.path("out"))"))
  }

  @Test func `writes frames that add up to the summary`() throws {
    let scratch = try Scratch()
    let run = try run("--frames", scratch.path("frames.csv"), "--strategy", "main-thread")
    #expect(run.status == .success)
    let lines = (scratch.text("frames.csv") ?? "").split(separator: "\n")
    #expect(lines.first?.contains(",begin_vsync,") == true)
    #expect(lines.count > 10)
    #expect(scratch.names() == ["frames.csv"])
  }

  @Test func `writes a file without lines where no frame was wanted`() throws {
    let scratch = try Scratch()
    let idle = """
      scenario: idle
      display: {refresh: 60 Hz, main-loop: events, frames: {on-demand: [1 s]}}
      duration: 500 ms
      services: {app: {}}

      """
    let run = try run(
      "--frames", scratch.path("frames.csv"), "-o", scratch.path("out"), "--strategy",
      "main-thread",
      scenario: idle)
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("main-thread wanted no frame. No other"))
    #expect(run.output.contains("main-thread wanted no frame."))
    let frames = scratch.text("frames.csv") ?? ""
    #expect(frames.hasPrefix("schema,") && frames.split(separator: "\n").count == 1)
    #expect(scratch.text("out/summary.csv")?.split(separator: "\n").count == 2)
    #expect(run.diagnostics.contains("the frames are in "))
  }

  @Test func `gives the same bytes again`() throws {
    #expect(try run("--format", "csv").output == run("--format", "csv").output)
  }

  @Test func `names what was set and varied, and nothing else, as changes`() throws {
    let run = try run(
      "--format", "csv", "--strategy", "main-thread", "--set", "display.render=6 ms", "--vary",
      "workloads.add-file.arrival.once=1,20", "--duration", "2 s", "--seed", "7")
    #expect(run.status == .success)
    let rows = run.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(
      rows.map { $0[4] } == [
        "display.render=6 ms;workloads.add-file.arrival.once=1",
        "display.render=6 ms;workloads.add-file.arrival.once=20",
      ])
    #expect(rows.map { $0[8] } == ["7", "7"])
    #expect(rows.map { $0[10] } == ["2000", "2000"])
  }

  @Test func `simulates the requested number of cores`() throws {
    let rows = try run("--format", "csv", "--cores", "3").output.split(separator: "\n")
    #expect(
      rows.dropFirst().allSatisfy {
        $0.split(separator: ",", omittingEmptySubsequences: false)[6] == "3"
      })
  }

  @Test func `interleaves repetitions over strategies`() throws {
    let rows = try run("--format", "csv", "--repeat", "2").output.split(separator: "\n").dropFirst()
    let fields = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(
      fields.map { "\($0[2]) \($0[7])" } == [
        "main-thread 1", "schedulable 1", "main-thread 2", "schedulable 2",
      ])
  }

  @Test func `fails when an expectation does, and says which`() throws {
    let scenario = ShortScenario.expecting("main-thread: {dropped_frames: {max: 0}}")
    let failed = try run(scenario: scenario)
    #expect(failed.status == .failed)
    #expect(failed.output.contains("main-thread"))
    #expect(
      failed.diagnostics.hasPrefix(
        "framebudget: expectation failed: main-thread on the virtual engine has dropped_frames "))
    #expect(failed.diagnostics.hasSuffix(", expected at most 0\n"))
  }

  @Test(arguments: [
    ["--set", "duration=2 s"], ["--duration", "2 s"], ["--cores", "2"],
    ["--vary", "workloads.add-file.arrival.once=100"], ["--strategy", "schedulable"],
  ])
  func `checks no other runs against the expectations`(_ flags: [String]) throws {
    let scratch = try Scratch()
    let scenario = ShortScenario.expecting("main-thread: {dropped_frames: {max: 0}}")
    try scratch.write(scenario, to: "short.yaml")
    let run = try Performed(["run", scratch.path("short.yaml"), "--engine", "virtual"] + flags)
    #expect(run.status == .success)
  }

  @Test func `checks expectations with another seed`() throws {
    let scenario = ShortScenario.expecting("main-thread: {dropped_frames: {max: 0}}")
    #expect(try run("--seed", "9", scenario: scenario).status == .failed)
  }

  @Test func `is quiet if asked to`() throws {
    let scratch = try Scratch()
    #expect(try run("--quiet", "-o", scratch.path("out")).diagnostics == "")
  }

  @Test func `never writes over a result`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "summary.csv")
    let run = try run("-o", scratch.root)
    #expect(run.status == .cannotCreate)
    #expect(run.output == "")
    #expect(run.diagnostics.contains("summary.csv exists already"))
    #expect(scratch.names() == ["summary.csv"])
    #expect(scratch.text("summary.csv") == "mine")
  }

  @Test func `never writes over a frame file, and leaves nothing of the rest`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "frames.csv")
    let run = try run("-o", scratch.path("out"), "--frames", scratch.path("frames.csv"))
    #expect(run.status == .cannotCreate)
    #expect(scratch.text("frames.csv") == "mine")
    #expect(scratch.names(in: "out") == [])
  }

  @Test(arguments: ["/proc/nowhere", "/dev/null/inside"])
  func `says before the run that a folder cannot be created`(_ path: String) throws {
    let run = try run("-o", path)
    #expect(run.status == .cannotCreate)
    #expect(run.output == "")
    #expect(run.diagnostics.hasPrefix("framebudget: cannot create the folder \(path): "))
  }

  @Test(arguments: [
    (["--set", "display.refres=1"], "did you mean 'refresh'?"),
    (["--set", "nonsense"], "PATH=VALUE"),
    (["--strategy", "main-tread"], "did you mean 'main-thread'?"),
    (["--vary", "nonsense"], "PATH=A..B"),
    (["--vary", "seed=1", "--vary", "seed=2"], "--vary seed is given twice"),
    (["--repeat", "0"], "--repeat"), (["--repeat", "x"], "--repeat"),
    (["--duration", "5 parsecs"], "parsecs"), (["--duration", "-1 s"], "--duration"),
    (["--seed", "-1"], "--seed"), (["--cores", "0"], "--cores"), (["--cores", "257"], "--cores"),
    (["--realtime"], "real engine"), (["--pin"], "real engine"), (["--engine", "fast"], "fast"),
    (["--format", "xml"], "xml"), (["--color", "pink"], "pink"), (["--bogus"], "--bogus"),
    (["extra"], "extra"), (["-o", ""], "-o"),
  ])
  func `calls wrong usage by its name`(_ flags: [String], _ word: String) throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let run = try Performed(["run", scratch.path("short.yaml"), "--engine", "virtual"] + flags)
    #expect(run.status == .usage)
    #expect(run.output == "")
    #expect(run.diagnostics.contains(word), "\(run.diagnostics)")
    #expect(run.diagnostics.hasPrefix("framebudget: "))
    #expect(run.diagnostics.split(separator: "\n").count == 1)
  }

  @Test func `offers cores for the virtual engine only`() throws {
    let run = try Performed("run", "camera-upload", "--cores", "2")
    #expect(run.status == .usage)
    #expect(run.diagnostics.contains("--engine virtual"))
  }

  @Test func `takes no number of cores without those that a lane is kept on`() throws {
    let text = """
      scenario: bound
      display: {refresh: 60 Hz}
      duration: 1 s
      machine: {cores: 4}
      services: {files: {}}
      workloads: [{name: add, arrival: {once: 1}, steps: [{service: files, cpu: 1 ms}]}]
      strategies: [{as: small, lanes: {back: {on: [2, 3]}}, services: {files: back}}]
      """
    #expect(try run("--cores", "4", scenario: text).status == .success)
    let refused = try run("--cores", "3", scenario: text)
    #expect(refused.status == .usage && refused.output == "")
    #expect(
      refused.diagnostics == "framebudget: --cores 3: strategy small keeps lane 'back' on core 3, "
        + "but the machine has 3, counted from 0\n")
    // With the file's own machine, the error is in the file.
    let broken = try run("--set", "machine.cores=2", scenario: text)
    #expect(broken.status == .badInput && broken.diagnostics.contains("on core 2"))
  }

  @Test func `says where a scenario is broken`() throws {
    let run = try run(scenario: "scenario: broken\ndisplay: {refresh: 60 Hertz}\nduration: 1 s\n")
    #expect(run.status == .badInput)
    #expect(run.diagnostics.contains("short.yaml:2:"))
    #expect(run.diagnostics.contains("^"))
  }

  @Test(arguments: [
    ("\(Scratch.nowhere)/x.yaml", "No such file"), ("/tmp", "it is a folder"),
    ("camera-uplod", "did you mean 'camera-upload'?"), ("x", "allowed: camera-upload"),
    ("", "No such file"),
  ])
  func `says that a scenario cannot be opened`(_ path: String, _ words: String) throws {
    let run = try Performed("run", path)
    #expect(run.status == .noInput)
    #expect(run.diagnostics.contains(words), "\(run.diagnostics)")
  }

  @Test(arguments: ["--repeat", "--cores"])
  func `names a value below zero as one`(_ flag: String) throws {
    let run = try Performed("run", "steady", "--engine", "virtual", flag, "-3")
    #expect(run.status == .usage)
    #expect(run.diagnostics.contains("'-3'"))
    #expect(run.diagnostics.contains("it is negative; allowed: a whole number from 1 to"))
  }

  @Test(arguments: [
    ("{once: 3, start: 5 s}", "starts at 5 s, and the run ends at 1 s"),
    ("{rate: 3/s, start: 1 s}", "starts at 1 s"), ("{at: []}", "its 'at' is empty"),
    ("{at: [0 s, 1 s, 2 s]}", "2 of 3 items of workload 'add-file' do not arrive"),
  ])
  func `warns of what never arrives`(_ arrival: String, _ words: String) throws {
    let text = ShortScenario.text.replacing("{once: 100, start: 100 ms}", with: arrival)
    let run = try Performed("run", "-", "--engine", "virtual", input: text)
    #expect(run.status == .success)
    #expect(run.diagnostics.contains("warning: ") && run.diagnostics.contains(words))
    #expect(try Performed("check", "-", input: text).output.contains(words))
    #expect(try !Performed("check", "-", input: ShortScenario.text).output.contains("arrive"))
  }

  @Test func `has colours on request`() throws {
    #expect(try run("--color", "always").output.contains("\u{1B}["))
    #expect(try !run("--color", "auto").output.contains("\u{1B}["))
  }
}
