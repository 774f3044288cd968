import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// What is not on the screen is not done.
struct `work of which the user sees the result` {
  @Test func `is left undone as long as its results wait for the main thread`() throws {
    let run = try CaseRun("results-outpace")
    // A frame inserts one row of 12 ms: 600 frames in 10 s, the first of which has none.
    for strategy in ["schedulable", "gcd-serial"] {
      #expect(run[strategy, .itemsShown] == 599 && run[strategy, .backlog] == 401)
      #expect(run[strategy, .itemsDone].map { $0 >= 999 } == true)
      #expect(run[strategy, .resultsWaiting].map { $0 >= 400 } == true)
    }
    let text = run.performed.output.replacing("\n", with: " ")
    #expect(text.contains("401 of 1000 rows left undone"), "\(text)")
    #expect(!text.contains("all work done"))
  }

  /// The cells of the one line that `limit` prints.
  private func limit(_ name: String, _ flags: String...) throws -> [String: String] {
    let limit = try Performed(["limit", CaseRun.path(name), "--format", "csv"] + flags)
    let lines = limit.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    try #require(lines.count == 2, "\(limit.output) \(limit.diagnostics)")
    return Dictionary(zip(lines[0], lines[1])) { first, _ in first }
  }

  @Test func `limits the load that an arrangement sustains`() throws {
    // A row each 10 ms, at most one of which fits into a frame of 16.7 ms.
    let row = try limit("results-outpace", "--strategy", "schedulable")
    #expect(row["largest"] == "" && row["why"]?.contains("row's backlog grows") == true, "\(row)")
  }

  @Test(arguments: ["9.02 s", "9.03 s", "9.05 s", "9.5 s", "9.97 s", "10 s", "20 s"])
  func `has a limit that does not depend on where a run ends`(duration: String) throws {
    let row = try limit("limit-by-run-length", "--set", "duration=\(duration)")
    #expect(row["largest"] == "19", "\(row)")
  }

  @Test func `has no backlog with one item in flight`() throws {
    let run = try CaseRun("game-with-kept-service")
    #expect(run["main-thread", .backlog] == 0)
    #expect(!run.performed.output.contains("left undone"))
  }

  @Test func `is not found at the cost of what must stay in place`() throws {
    let run = try CaseRun("game-with-kept-service")
    let text = run.performed.output.replacing("\n", with: " ")
    #expect(text.contains("is not recommended: it moves heap (keep: true)"), "\(text)")
  }

  @Test func `is named as results, and not as drawing, where it drops frames`() throws {
    let explain = try Performed(
      "explain", CaseRun.path("qt-signal-storm"), "--strategy", "worker-thread")
    let lines = explain.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("results") }, "\(explain.output) \(explain.diagnostics)")
  }

  /// One update for all that came is a remedy for slow results, but not for a service that must stay on the main thread.
  @Test func `is the reason, with the figure, if the main thread does not suffice`() throws {
    let fast = try Performed("advise", CaseRun.path("results-outpace"))
    #expect(fast.output.contains("take results as one update"), "\(fast.output)")
    let scratch = try Scratch()
    try scratch.write(
      """
      scenario: kept
      display: {refresh: 60 Hz, render: 2 ms}
      duration: 10 s
      services: {table: {keep: true}}
      workloads:
        - name: row
          arrival: {every: 10 ms}
          steps: [{service: table, cpu: 11 ms}]
          result: {cpu: 1 ms}
      strategies: [main-thread]
      """, to: "kept.yaml")
    let text = try Performed("advise", scratch.path("kept.yaml")).output
      .replacing("\n", with: " ")
    #expect(text.contains("the main thread does not suffice"), "\(text)")
    // 1000 × 12 ms, and 600 frames of 2 ms.
    #expect(text.contains("takes 13.2 s, 1 s of them for results"), "\(text)")
  }

  @Test func `is no part of a proof, which says so`() throws {
    let prove = try Performed(
      "prove", CaseRun.path("results-outpace"), "--strategy", "schedulable")
    #expect(prove.output.contains("as stated, 401 items are left undone"), "\(prove.output)")
  }

  @Test func `is what limits drawing under a loop of events, too`() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      scenario: scroll
      display: {refresh: 60 Hz, render: 20 ms, like: ios}
      duration: 2 s
      services: {list: {}}
      workloads:
        - name: scroll
          arrival: {every: 16.667 ms}
          steps: [{service: list, cpu: 5 ms}]
          draws: true
      strategies: [main-thread]
      """, to: "scroll.yaml")
    let advise = try Performed("advise", scratch.path("scroll.yaml"))
    let text = advise.output.replacing("\n", with: " ")
    // A frame of 20 ms each 16.7 ms, without any work.
    #expect(
      text.hasPrefix("Move list to lane background: 48 of 118 frames dropped become 19. "),
      "\(text)")
    #expect(text.contains(", because drawing alone drops 19 of 118 frames"), "\(text)")
    #expect(text.contains("the main thread does not suffice"), "\(text)")
    #expect(text.contains("of drawing in 2 s"), "\(text)")
  }
}

/// Keys and bounds without effect are named.
struct `a key that has no effect` {
  @Test func `a bound of any strategy that none meets is no pass`() throws {
    let run = try Performed("run", CaseRun.path("gate-any"), "--engine", "virtual")
    #expect(run.status == .failed)
    #expect(
      run.diagnostics.contains(
        "no strategy meets the bounds under 'any'; main-thread has dropped_frames 18, expected at most 0"
      ),
      "\(run.diagnostics)")
  }

  @Test func `is named by check and by run`() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      scenario: keys
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 1 s
      services: {page: {}}
      workloads:
        - name: tap
          arrival: {every: 100 ms}
          steps: [{service: page, cpu: 1 ms}]
          draws: true
      strategies:
        - as: wide
          lanes: {pool: {carrier: dispatch, width: 4}}
          locks: {page: {kind: barging}}
          services: {page: {lock: page}}
          entry: {tap: pool}
      """, to: "keys.yaml")
    let words = [
      "draws of workload tap has no effect: every vsync wants a frame",
      "wide: width of lane pool has no effect",
    ]
    let check = try Performed("check", scratch.path("keys.yaml"))
    let run = try Performed("run", scratch.path("keys.yaml"), "--engine", "virtual")
    for word in words {
      #expect(check.output.contains(word), "\(check.output)")
      #expect(run.diagnostics.contains(word), "\(run.diagnostics)")
    }
  }

  @Test(arguments: [
    ("cpu: {exponential: {mean: 100 ms}}", "{}", 1, false),
    ("cpu: {uniform: {from: 80 ms, to: 140 ms}}", "{}", 1, false),
    ("cpu: {uniform: {from: 91 ms, to: 140 ms}}", "{}", 1, true),
    // A core of half the speed makes no wait longer.
    ("wait: 60 ms", "{speeds: [0.5]}", 1, false), ("cpu: 60 ms", "{speeds: [0.5]}", 1, true),
    // More nanoseconds than an integer has.
    ("cpu: 86400 s, repeat: 10000", "{}", 12, true),
  ])
  func `or an answer that comes late is named only where all are late`(
    _ step: String, _ machine: String, _ steps: Int, _ isNamed: Bool
  ) throws {
    let scratch = try Scratch()
    let list = Array(repeating: "{service: page, \(step)}", count: steps)
    try scratch.write(
      """
      scenario: late
      display: {refresh: 60 Hz, render: 1 ms}
      duration: 2 s
      machine: \(machine)
      services: {page: {}}
      workloads:
        - name: tap
          arrival: {every: 1 s}
          respond_within: 90 ms
          steps: [\(list.joined(separator: ", "))]
      strategies: [main-thread]
      """, to: "late.yaml")
    let check = try Performed("check", scratch.path("late.yaml"))
    #expect(check.status == .success, "\(check.diagnostics)")
    let words = "every answer of workload tap is late"
    #expect(check.output.contains(words) == isNamed, "\(check.output)")
  }

  @Test(arguments: [
    (
      "{like: ios, refresh: 60 Hz, render: 4 ms}", "{every: 100 ms}", "", "cpu: 1 ms",
      "the parts of drawing (ui.frame) run only when a result is shown"
    ),
    (
      "{like: ios, refresh: 60 Hz, render: 4 ms, frames: always}", "{every: 90 ms}",
      "admission: {debounce: 300 ms}", "cpu: 1 ms",
      "no item of workload tap starts before the last: one arrives every 90 ms, and each waits 300 ms for a newer one"
    ),
    (
      "{refresh: 60 Hz, render: 4 ms}", "{every: 1 s}", "respond_within: 100 ms",
      "cpu: 100 ms, wait: 200 ms",
      "every answer of workload tap is late: its steps one after another take 300 ms at least, longer than respond_within, 100 ms"
    ),
  ])
  func `or another trap is named by check, and only where it is one`(
    _ display: String, _ arrival: String, _ key: String, _ step: String, _ words: String
  ) throws {
    let scratch = try Scratch()
    func checked(_ display: String, _ arrival: String, _ key: String, _ step: String) throws
      -> String
    {
      let yaml = """
        scenario: traps
        display: \(display)
        duration: 2 s
        services: {page: {}}
        workloads:
          - name: tap
            arrival: \(arrival)
            \(key)
            steps: [{service: page, \(step)}]
        ui: {frame: [{name: rows, cpu: 1 ms}]}
        strategies: [main-thread]
        """
      try scratch.write(yaml, to: "traps.yaml")
      return try Performed("check", scratch.path("traps.yaml")).output
    }
    let found = try checked(display, arrival, key, step)
    #expect(found.matches(of: /\n {2}/).count == 1 && found.contains(words), "\(found)")
    let clean = try checked(
      "{like: ios, refresh: 60 Hz, render: 4 ms, frames: always}", "{every: 400 ms}",
      key.replacing("within: 100", with: "within: 500"), step)
    #expect(!clean.contains("\n  "), "\(clean)")
  }

  @Test func `is named of a main loop, too`() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      scenario: inputs
      display: {refresh: 60 Hz, render: 4 ms, main-loop: {events: fifo, defer-after-input: 50 ms}}
      duration: 1 s
      services: {page: {}}
      workloads: [{name: tap, arrival: {every: 100 ms}, steps: [{service: page, cpu: 1 ms}]}]
      strategies: [main-thread]
      """, to: "inputs.yaml")
    let check = try Performed("check", scratch.path("inputs.yaml"))
    let word = "defer-after-input has no effect: no workload has input: true"
    #expect(check.output.contains(word), "\(check.output)")
  }

  @Test func `a bound whose strategy or engine did not run is named`() throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      scenario: bounds
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 1 s
      services: {page: {}}
      workloads: [{name: tap, arrival: {every: 100 ms}, steps: [{service: page, cpu: 1 ms}]}]
      strategies: [main-thread, schedulable]
      expect:
        virtual: {schedulable: {dropped_frames: {max: 0}}}
        real: {main-thread: {dropped_frames: {max: 0}}}
      """, to: "bounds.yaml")
    let run = { (strategy: String) in
      try Performed(
        "run", scratch.path("bounds.yaml"), "--engine", "virtual", "--strategy", strategy)
    }
    let words = "not checked, because these did not run"
    let unchecked = try run("main-thread")
    #expect(
      unchecked.diagnostics.replacing("\n", with: " ")
        .contains("\(words): schedulable (virtual) and main-thread (real)"),
      "\(unchecked.diagnostics)")
    let checked = try run("schedulable")
    #expect(!checked.diagnostics.contains(words), "\(checked.diagnostics)")
    for options in [
      ["--set", "display.render=5 ms"], ["--duration", "2 s"], ["--cores", "3"],
      ["--vary", "display.render=4..6:1 ms"], ["--vary", "seed=1,2", "-o", scratch.path("sweep")],
    ] {
      // It qualifies the exit status, so --quiet does not hide it.
      for quiet in [[], ["-q"]] {
        var options = options
        if quiet == ["-q"], options.last == scratch.path("sweep") {
          options[options.count - 1] += "-q"
        }
        let run = ["run", scratch.path("bounds.yaml"), "--engine", "virtual"] + quiet
        let changed = try Performed(run + options)
        let note =
          "the bounds of 'expect' are not checked, because of \(options[0])"
        #expect(changed.status == .success)
        #expect(changed.diagnostics.replacing("\n", with: " ").contains(note), "\(options)")
        if options[0] == "--vary" { continue }
        let json = try Performed(run + options + ["--format", "json"]).output
        #expect(json.contains("\"expectations\": \"unchecked\"") && json.contains(note))
      }
    }
    let whole = try Performed(
      "run", scratch.path("bounds.yaml"), "--engine", "virtual", "--seed", "3", "-q", "--format",
      "json")
    #expect(whole.diagnostics.contains("dropped_frames") == (whole.status == .failed))
    #expect(
      whole.output.contains("\"expectations\": \"\(whole.status == .failed ? "missed" : "met")\""))
  }
}
