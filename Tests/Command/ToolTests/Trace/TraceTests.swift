import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Traces of both engines, read by independent code and compared with the per-frame CSV of the same runs.
struct `A trace` {
  private struct Traced {
    let document: TraceDocument
    /// By run, in the order of the file.
    let frames: [[[String: String]]]

    /// Made once for all tests, because runs in real time are slow.
    static let virtual = Result { try Traced("virtual", "--repeat 2") }
    static let real = Result { try Traced.ofRealRuns() }

    static func by(_ engine: String) throws -> Traced {
      try (engine == "real" ? real : virtual).get()
    }

    /// Made up to ten times: the machine may stand still for nearly all of one of the runs, which then has no step.
    private static func ofRealRuns() throws -> Traced {
      var traced = try Traced("real", "")
      for _ in 1..<10 where !traced.everyRunHasSteps { traced = try Traced("real", "") }
      return traced
    }

    private var everyRunHasSteps: Bool {
      document.processes.allSatisfy { !document.spans(of: $0.number, "step").isEmpty }
    }

    private init(_ engine: String, _ flags: String) throws {
      let scratch = try Scratch()
      try scratch.write(TracedScenario.text, to: "traced.yaml")
      let run = try BuiltTool(
        """
        $tool run \(scratch.path("traced.yaml")) --engine \(engine) \(flags) \
        --trace \(scratch.path("trace.json")) --frames \(scratch.path("frames.csv"))
        """)
      try #require(run.status == 0, "\(run.diagnostics)")
      document = try TraceDocument(try #require(scratch.text("trace.json")))
      frames = try Self.runs(try #require(scratch.text("frames.csv")))
    }

    private static func runs(_ text: String) throws -> [[[String: String]]] {
      let lines = text.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
      return rows.reduce(into: []) { runs, row in
        if row["frame"] == "0" { runs.append([]) }
        runs[runs.count - 1].append(row)
      }
    }
  }

  static let engines = ["virtual", "real"]

  /// Slow: checks every event of the traces of both engines.
  @Test(arguments: engines)
  func `keeps every rule of its format`(_ engine: String) throws {
    #expect(TraceFaults(try Traced.by(engine).document).found == [])
  }

  @Test(arguments: engines)
  func `has the frames, drops and vsyncs of the per-frame CSV`(_ engine: String) throws {
    let traced = try Traced.by(engine)
    let processes = traced.document.processes
    let runs = engine == "real" ? 6 : 12
    try #require(processes.count == runs && traced.frames.count == runs)
    for ((process, name), rows) in zip(processes, traced.frames) {
      #expect(name.contains(rows[0]["strategy"] ?? "?") && name.contains(engine))
      let frames = traced.document.spans(of: process, "frame")
      #expect(frames.map { $0.args?["frame"]?.text } == rows.map { $0["frame"] })
      #expect(frames.map { String($0.begin) } == rows.map { $0["begin_ns"] })
      #expect(frames.map { String($0.end) } == rows.map { $0["work_end_ns"] })
      let drops = traced.document.marks(of: process, "DroppedFrame")
      #expect(drops.count == rows.reduce(0) { $0 + (Int($1["late_vsyncs"] ?? "") ?? 0) })
      let causes = rows.flatMap { row in
        Array(repeating: row["cause"], count: Int(row["late_vsyncs"] ?? "") ?? 0)
      }
      #expect(drops.map { $0.args?["cause"]?.text } == causes)
      #expect(traced.document.marks(of: process, "vsync").count == 60)
    }
  }

  /// The time on the main thread's track that is in no lock wait, by phase, is what the CSV says; the last
  /// frame is left out, which the end may cut off.
  @Test(arguments: engines)
  func `has as much of each phase as the per-frame CSV`(_ engine: String) throws {
    let traced = try Traced.by(engine)
    for ((process, name), rows) in zip(traced.document.processes, traced.frames) {
      let end = try #require(Int64(rows.last?["begin_ns"] ?? ""))
      let phases = traced.document.spans(of: process, "phase").filter { $0.begin < end }
      let waits = traced.document.spans(of: process, "lock").filter {
        $0.tid == process && $0.begin < end
      }
      var times = Dictionary(grouping: phases, by: \.name).mapValues { spans in
        spans.reduce(0) { $0 + $1.end - $1.begin }
      }
      times["lock_wait"] = waits.reduce(0) { $0 + $1.end - $1.begin }
      for wait in waits {
        let around = phases.last { $0.begin <= wait.begin && wait.end <= $0.end }
        if let around { times[around.name, default: 0] -= wait.end - wait.begin }
      }
      for phase in ["post", "logic", "drain", "release", "reads", "render", "lock_wait"] {
        let expected = rows.dropLast().reduce(0) { $0 + (Double($1["\(phase)_ms"] ?? "") ?? 0) }
        let found = Double(times[phase] ?? 0) / 1e6
        #expect(abs(found - expected) < 1e-3, "\(name): \(phase)")
      }
    }
  }

  @Test(arguments: engines)
  func `shows work where the arrangement puts it`(_ engine: String) throws {
    let document = try Traced.by(engine).document
    for (process, name) in document.processes {
      let threads = document.named("thread_name").filter { $0.pid == process }
      let names = Dictionary(uniqueKeysWithValues: threads.map { ($0.tid, $0.args?["name"]?.text) })
      let onMain = document.spans(of: process, "step").count { $0.tid == process }
      let elsewhere = document.spans(of: process, "step").count { $0.tid != process }
      #expect(names[process] == "main")
      if name.contains("main-thread") || name.contains("time-sliced") {
        #expect(onMain > 0 && elsewhere == 0)
      } else {
        #expect(onMain == 0 && elsewhere > 0, "\(name)")
      }
      let locks = document.spans(of: process, "lock_hold")
      #expect(locks.isEmpty != name.contains("threads-and-locks"), "\(name)")
      #expect(locks.allSatisfy { names[$0.tid]??.hasPrefix("lock ") == true })
      let flows = document.traceEvents.count { $0.pid == process && $0.ph == "s" }
      #expect((flows > 0) == (elsewhere > 0))
    }
  }

  @Test func `is the same bytes again in virtual time`() throws {
    let texts = try (0..<2).map { _ in
      let scratch = try Scratch()
      try scratch.write(TracedScenario.text, to: "traced.yaml")
      let trace = scratch.path("trace.json")
      let run = try Performed(
        "run", scratch.path("traced.yaml"), "--engine", "virtual", "--trace", trace)
      #expect(run.status == .success)
      #expect(run.diagnostics.contains("the trace is in \(trace)"))
      return try #require(scratch.text("trace.json"))
    }
    #expect(texts[0] == texts[1])
  }

  @Test func `has the same figures after another program has saved it again`() throws {
    let scratch = try Scratch()
    try scratch.write(TracedScenario.text, to: "traced.yaml")
    let run = try Performed(
      "run", scratch.path("traced.yaml"), "--engine", "virtual", "--trace",
      scratch.path("trace.json"))
    try #require(run.status == .success, "\(run.diagnostics)")
    let text = try #require(scratch.text("trace.json"))
    let events = try #require(text.firstMatch(of: /"traceEvents":(?s:.+\])\}/)?.0.dropLast())
    // Without the first member, behind the events, and with spaces.
    try scratch.write("{\(events)}", to: "without.json")
    try scratch.write(
      "{ \(events), \"otherData\" : {\"framebudget\": 1} }", to: "behind.json")
    try scratch.write(
      "{\(events)}".replacing("\":", with: "\" : ").replacing(",\"", with: ",\n  \""),
      to: "spaced.json")
    func figures(_ name: String) throws -> [String] {
      try ["import --format csv", "learn --list"].map { command in
        let read = try Performed(
          command.split(separator: " ").map(String.init) + [scratch.path(name)])
        #expect(read.status == .success, "\(read.diagnostics)")
        return read.output.replacing(name, with: "trace.json")
      }
    }
    let known = try figures("trace.json")
    for name in ["without.json", "behind.json", "spaced.json"] {
      #expect(try figures(name) == known, "\(name)")
    }
  }

  @Test func `never takes the place of a file`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    try scratch.write("mine", to: "trace.json")
    let run = try Performed(
      "run", scratch.path("short.yaml"), "--engine", "virtual", "--trace",
      scratch.path("trace.json"))
    #expect(run.status == .cannotCreate)
    #expect(scratch.text("trace.json") == "mine")
  }
}
