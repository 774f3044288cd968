import FrameBudget
import Scenarios
import TestSupport
import Testing

@testable import Tool

struct `framebudget advise` {
  private static let text = """
    scenario: burst
    display: {refresh: 60 Hz, render: 10 ms}
    duration: 1 s
    warmup: 0 s
    services: {files: {}, index: {state: 1000 records}}
    workloads:
      - name: add
        arrival: {once: 200, start: 100 ms}
        steps:
          - {service: files, cpu: 2 ms}
          - {service: index, cpu: 0.4 ms}
      - name: tap
        priority: user
        respond_within: 50 ms
        arrival: {every: 100 ms, start: 50 ms}
        steps: [{service: index, cpu: 0.1 ms}]
    ui: {reads: [{service: index, cpu: 20 us}]}
    strategies: [main-thread, schedulable]
    expect: {virtual: {main-thread: {dropped_frames: {min: 1}}}}

    """

  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.text, to: "burst.yaml")
  }

  private func advise(_ flags: String...) throws -> Performed {
    try Performed(["advise", scratch.path("burst.yaml")] + flags)
  }

  @Test func `says what to change, what that buys and what it costs`() throws {
    let advise = try advise()
    #expect(advise.status == .success)
    #expect(advise.output.hasPrefix("Move "), "\(advise.output)")
    let text = advise.output.replacing("\n", with: " ")
    for words in ["frames dropped become 0", "The price: ", "until costs are ", " placements; "] {
      #expect(text.contains(words), "\(words) in \(advise.output)")
    }
    #expect(advise.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(advise.diagnostics == "")
  }

  @Test func `gives the same bytes with one job and with two, in every format`() throws {
    for format in ["table", "csv", "json"] {
      let outputs = try ["1", "2"].map { jobs in
        try advise("--jobs", jobs, "--format", format).output
      }
      #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty)
    }
  }

  @Test func `writes a scenario that run takes, in which the advice is met`() throws {
    let file = scratch.path("advice.yaml")
    let advise = try advise("-o", file)
    #expect(advise.status == .success)
    #expect(advise.diagnostics.contains("framebudget run \(file)"))
    let run = try Performed("run", file, "--engine", "virtual", "--format", "csv")
    #expect(run.status == .success, "\(run.diagnostics)")
    let scenario = try ScenarioFile.parse(
      Array((scratch.text("advice.yaml") ?? "").utf8), file: "advice.yaml")
    #expect(scenario.strategies.first?.label == "main-thread")
    #expect(scenario.strategies.dropFirst().first?.name == "advice-1")
    #expect(try self.advise("-o", file).status == .cannotCreate)
    // The advice is where this app then is: there is nothing to change.
    let again = try Performed("advise", file, "--strategy", "advice-1")
    #expect(again.status == .success)
    #expect(again.output.hasPrefix("Nothing to change: advice-1 drops 0 of "))
  }

  @Test func `begins where --strategy says, with what --set changes`() throws {
    let smooth = try advise("--set", "workloads.add.arrival.once=2")
    #expect(smooth.status == .success)
    #expect(smooth.output.hasPrefix("Nothing to change: main-thread drops 0 of "))
    let slow = try advise("--set", "costs.all=1.5", "--format", "csv")
    #expect(slow.output != (try advise("--format", "csv").output))
  }

  @Test func `says why nothing helps, and ends with 1`() throws {
    let advise = try advise("--set", "workloads.add.arrival.once=4000", "--aim", "items_pending<=0")
    #expect(advise.status == .failed)
    #expect(
      advise.output.hasPrefix(
        "Nothing helps, because the processor is not there: the app asks for "))
    #expect(advise.output.contains("and there are 2. Nearest comes this: "))
  }

  @Test(arguments: [
    (["--aim", "dropped_frames"], "METRIC<=X"),
    (["--aim", "droped_frames<=0"], "'dropped_frames'?"),
    (["--keep", "file=main"], "did you mean 'files'?"), (["--keep", "files=moon"], "is no place"),
    (["--within", "dispatcher"], "did you mean 'dispatch'?"), (["--most-moved", "-1"], "negative"),
    (["--weights", "moved=x"], "moved, lane, lock, policy, split"), (["--jobs", "0"], "--jobs"),
    (["--lanes", "0"], "--lanes"), (["--strategy", "main-tread"], "did you mean 'main-thread'?"),
    (["--set", "costs.file=2"], "did you mean 'files'?"), (["--format", "xml"], "xml"),
  ])
  func `calls wrong usage by its name`(_ flags: [String], _ words: String) throws {
    let advise = try Performed(["advise", scratch.path("burst.yaml")] + flags)
    #expect(advise.status == .usage)
    #expect(advise.output == "")
    #expect(advise.diagnostics.contains(words), "\(advise.diagnostics)")
    #expect(advise.diagnostics.split(separator: "\n").count == 1)
  }

  @Test func `keeps within what may change`() throws {
    let dispatch = try advise("--within", "dispatch", "--format", "csv")
    #expect(dispatch.status == .success && !dispatch.output.contains("scheduler"))
    let kept = try advise("--keep", "files,index", "--format", "csv")
    #expect(!kept.output.contains("move files"))
    let none = try advise("--most-moved", "0", "--lanes", "1", "--weights", "policy=3,split=0")
    #expect([.success, .failed].contains(none.status))
    #expect(!none.output.contains("Move "))
  }
}

struct `framebudget explain` {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "before.yaml")
    let after = ShortScenario.text.replacing("cpu: 2 ms", with: "cpu: 4 ms")
      .replacing("render: 5 ms", with: "render: 6 ms")
    try scratch.write(after, to: "after.yaml")
  }

  @Test func `names what brought the difference, and adds up`() throws {
    let files = ["before.yaml", "after.yaml"].map { scratch.path($0) }
    let explain = try Performed(["explain"] + files)
    #expect(explain.status == .success, "\(explain.diagnostics)")
    let words = explain.output.replacing("\n", with: " ")
    #expect(words.contains(": service files accounts for "), "\(explain.output)")
    #expect(explain.output.contains("together"))
    let csv = try Performed(["explain"] + files + ["--format", "csv", "--jobs", "2"])
    let rows = csv.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    let shares = rows.compactMap { $0.count > 2 ? Double($0[2]) : nil }
    let numbers = rows.first.map { $0.suffix(2).compactMap { Int($0) } } ?? []
    #expect(rows.map { $0[1] } == ["service files", "drawing"])
    #expect(abs(shares.reduce(0, +) - Double((numbers.last ?? 0) - (numbers.first ?? 0))) < 1e-6)
  }

  @Test func `tells one scenario by what it would drop without each part`() throws {
    let explain = try Performed("explain", scratch.path("before.yaml"))
    #expect(explain.status == .success)
    #expect(explain.output.hasPrefix("short drops "))
    #expect(explain.output.contains("; without service files it would drop 0"))
    #expect(explain.output.contains("drawing"))
    let file = scratch.path("parts.json")
    let json = try Performed("explain", scratch.path("before.yaml"), "--format", "json", "-o", file)
    #expect(json.output == "" && scratch.text("parts.json")?.contains("\"parts\": [") == true)
  }
}
