import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `framebudget prove` {
  private func prove(_ text: String, _ flags: String...) throws -> Performed {
    let scratch = try Scratch()
    try scratch.write(text, to: "app.yaml")
    return try Performed(["prove", scratch.path("app.yaml")] + flags)
  }

  private func app(
    render: String = "10 ms", upload: String = "{batch: 2, every: 1 s}",
    tap: String = "{once: 1, start: 333 ms}", cost: String = "2 ms"
  ) -> String {
    """
    scenario: app
    display: {refresh: 60 Hz, render: \(render)}
    duration: 2 s
    services: {gallery: {}, index: {}}
    workloads:
      - name: upload
        arrival: \(upload)
        steps: [{service: gallery, cpu: \(cost)}]
      - name: tap
        arrival: \(tap)
        steps: [{service: index, cpu: 3 ms}]
        priority: user
    strategies: [main-thread]
    """
  }

  @Test func `says what is proven, how far costs may grow, and what fills a frame`() throws {
    let proven = try prove(app(cost: "1.2 ms"))
    #expect(proven.status == .success, "\(proven.diagnostics)")
    #expect(
      proven.output.contains(
        "main-thread: proven. No frame is dropped, for any phase of any workload"),
      "\(proven.output)")
    let words = proven.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // 10 + 2 × 1.2 + 3 ms of 16.666666: 1.0822 times.
    #expect(words.contains("with costs up to 1.08 times those stated"), "\(words)")
    #expect(words.contains("Tightest is frame work, 15.4 of 16.7 ms"), "\(words)")
    #expect(
      words.contains("logic of upload 2 × 1.2 ms, logic of tap 3 ms and drawing 10 ms."), "\(words)"
    )
  }

  @Test func `names what takes most of a frame, and counts the rest`() throws {
    let workloads = (1...20).map {
      "  - {name: w\($0), arrival: {every: 1 s}, steps: [{service: app, cpu: 0.\($0 + 10) ms}]}"
    }
    let proven = try prove(
      """
      scenario: many
      display: {refresh: 60 Hz, render: 5 ms}
      duration: 2 s
      services: {app: {}}
      workloads:
      \(workloads.joined(separator: "\n"))
      strategies: [main-thread]
      """)
    let words = proven.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // 0.11 to 0.24 ms, 14 of them.
    #expect(
      words.contains(
        "logic of w19 290 µs, logic of w20 300 µs, drawing 5 ms and 14 others, together 2.45 ms."),
      "\(words)")
  }

  @Test func `prints a command that drops the frames it says, phases and costs included`() throws {
    // As stated the two never meet, and uploads seldom take as long as they can.
    let text = app(
      upload: "{batch: 2, every: 1 s, start: 100 ms}", cost: "{uniform: {from: 0.5 ms, to: 2 ms}}")
    let scratch = try Scratch()
    try scratch.write(text, to: "app.yaml")
    let file = scratch.path("app.yaml")
    let run = ["run", file, "--engine", "virtual", "--format", "csv"]
    let stated = try Performed(run)
    let refuted = try Performed(["prove", file, "--format", "csv"])
    #expect(refuted.status == .failed)
    let lines = refuted.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let columns = Dictionary(uniqueKeysWithValues: zip(lines[0], lines[1]))
    #expect(columns["verdict"] == "refuted")
    #expect(columns["tightest"] == "frame work" && columns["bound_ms"] == "17")
    #expect(columns["growth"] == "0.98")
    let dropped = try #require(columns["dropped_frames"].flatMap { Int($0) })
    #expect(dropped > 0)
    let command = try #require(columns["command"]).split(separator: "--set ").dropFirst().map {
      $0.trimmingPrefix("'").prefix { $0 != "'" }
    }
    #expect(command.count == 3, "\(refuted.output)")
    #expect(columns["command"]?.contains("--engine virtual") == true)
    let replay = try Performed(
      run
        + command.flatMap { ["--set", $0.trimmingCharacters(in: .whitespaces)] })
    #expect(Self.dropped(stated.output) == 0)
    #expect(Self.dropped(replay.output) == dropped, "\(command)")
  }

  /// As stated, the listed uploads arrive in four frames. One vsync before, two of them meet the tap: 10 + 2 × 3 + 3 ms.
  @Test(arguments: ["{at: [1 s, 1.001 s, 1.1 s]}", "{recorded: uploads.csv, column: at_ms}"])
  func `moves a list of instants as a whole, recorded ones too`(_ upload: String) throws {
    let scratch = try Scratch()
    try scratch.write(app(upload: upload, tap: "{at: [333 ms]}", cost: "3 ms"), to: "app.yaml")
    try scratch.write("at_ms\n1000\n1001\n1100\n", to: "uploads.csv")
    let file = scratch.path("app.yaml")
    let run = ["run", file, "--engine", "virtual", "--format", "csv"]
    #expect(Self.dropped(try Performed(run).output) == 0)
    let refuted = try Performed(["prove", file])
    let words = refuted.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      refuted.status == .failed && words.contains("workloads.upload.arrival.start="), "\(words)")
    let moved = ["workloads.tap.arrival.start=999 ms", "workloads.upload.arrival.start=999 ms"]
    let replay = try Performed(run + moved.flatMap { ["--set", $0] })
    #expect(Self.dropped(replay.output) == 1, "\(replay.diagnostics)")
  }

  private static func dropped(_ csv: String) -> Int? {
    let lines = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard let place = lines[0].firstIndex(of: "dropped_frames") else { return nil }
    return Int(lines[1][place])
  }

  /// Each of two uploads makes a frame late by a vsync, with a tap or without.
  @Test(arguments: [
    (0, false, "refuted. With tap at 1 s and upload at 0 s, 2 frames are dropped."),
    (1, false, "refuted. With tap at 1 s and upload at 0 s, 2 frames are dropped."),
    (2, true, "proven. At most 2 frames are dropped, for any phase of any workload"),
    (5, true, "proven. At most 2 frames are dropped, for any phase of any workload"),
  ])
  func `a limit allows as many dropped frames as it says`(
    _ limit: Int, _ isProven: Bool, _ answer: String
  ) throws {
    let proof = try prove(app(cost: "9 ms"), "--limit", "dropped_frames<=\(limit)")
    let words = proof.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect((proof.status == .success) == isProven, "\(words)")
    #expect((proof.status == .failed) == !isProven, "\(words)")
    #expect(words.contains("main-thread: \(answer)"), "\(words)")
    #expect(words.contains("No run drops more than 2 frames, or more than 1 in a row."), "\(words)")
    // 10 + 2 × 9 + 3 ms of 33.333333: 1.0752 times.
    let growth = "; no more than 2 with costs up to 1.07 times those stated."
    #expect(words.contains(growth) == (limit == 2), "\(words)")
  }

  @Test func `with a limit, what has no bound is still open`() throws {
    let open = try prove(app(tap: "{rate: 1/s}", cost: "1 ms"), "--limit", "dropped_frames<=2000")
    let words = open.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(open.status == .inconclusive, "\(words)")
    #expect(
      words.contains(
        "No run was found that drops more than 2000 frames, but this is not ruled out."),
      "\(words)")
  }

  @Test func `names unbounded parts, with remedies`() throws {
    let open = try prove(
      app(render: "{normal: {mean: 5 ms, deviation: 1 ms}}", tap: "{rate: 1/s}"))
    let words = open.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(open.status == .inconclusive, "\(words)")
    #expect(words.contains("main-thread: open."))
    #expect(words.contains("No bound: drawing has no largest value (give it"), "\(words)")
    #expect(words.contains("items of workload 'tap' may arrive in a frame"), "\(words)")
    #expect(words.contains("The longest frame of"))
  }

  @Test func `gives the same bytes whatever the jobs, in every format`() throws {
    for format in ["table", "csv", "json"] {
      let flags = ["--strategy", "all", "--format", format]
      let scratch = try Scratch()
      try scratch.write(app(), to: "app.yaml")
      let outputs = try ["1", "3"].map { jobs in
        try Performed(["prove", scratch.path("app.yaml"), "--jobs", jobs] + flags).output
      }
      #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty)
    }
  }

  @Test func `fails if one strategy is refuted, and is open if one is open`() throws {
    let both = try prove(app(), "--strategy", "main-thread,schedulable")
    #expect(both.status == .failed)
    #expect(both.output.contains("schedulable: proven."), "\(both.output)")
    let open = try prove(
      app(), "--set", "display.main-loop=events", "--strategy", "schedulable,actors")
    #expect(open.status == .inconclusive)
    let words = open.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("share 2 cores beside a main loop of events"), "\(words)")
  }

  @Test func `proves a pool whose threads want little of the cores`() throws {
    let proven = try prove(
      app(), "--strategy", "actors", "--set", "machine.scheduler=global")
    #expect(proven.status == .success)
    #expect(proven.output.contains("sharing"), "\(proven.output)")
    // With a queue for each core, the main thread may wait behind all of them while another core is idle.
    #expect(try prove(app(), "--strategy", "actors").status == .inconclusive)
  }

  @Test(arguments: [
    (["--strategy", "main-tread"], "did you mean 'main-thread'?"), (["--cores", "0"], "--cores"),
    (["--format", "xml"], "xml"), (["--set", "workloads.tab.priority=user"], "tap"),
    (["--limit", "dropped_frame<=1"], "did you mean 'dropped_frames'?"),
    (["--limit", "dropped_frames>=1"], "allowed: dropped_frames<=N"),
    (["--limit", "dropped_frames<=1.5"], "allowed: dropped_frames<=N"),
    (["--limit", "dropped_frames<=-1"], "--limit 'dropped_frames<=-1'"),
    (["--limit", "responses_late<=0"], "allowed: dropped_frames<=N"),
    (["--limit", "dropped_frames<=1e30"], "--limit 'dropped_frames<=1e30'"),
    (["--limit", ""], "--limit '' is not a valid limit"),
  ])
  func `calls wrong usage by its name`(_ flags: [String], _ word: String) throws {
    let scratch = try Scratch()
    try scratch.write(app(), to: "app.yaml")
    let wrong = try Performed(["prove", scratch.path("app.yaml")] + flags)
    #expect(wrong.status == .usage)
    #expect(wrong.output == "")
    #expect(wrong.diagnostics.contains(word), "\(wrong.diagnostics)")
  }
}
