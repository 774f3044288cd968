import FrameBudget
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetCLI

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

  // Two of the tasks make a frame late together, which never meet as stated; the third does alone.
  private static let apart = """
    scenario: apart
    display: {refresh: 60 Hz, render: 5 ms}
    duration: 1200 ms
    services: {one: {}, two: {}, three: {}}
    workloads:
      - {name: one, priority: user, arrival: {once: 1, start: 100 ms}, steps: [{service: one, cpu: 8 ms}]}
      - {name: two, priority: user, arrival: {once: 1, start: 500 ms}, steps: [{service: two, cpu: 8 ms}]}
      - {name: three, priority: user, arrival: {once: 1, start: 900 ms}, steps: [{service: three, cpu: 12 ms}]}
    strategies: [main-thread]

    """

  /// The text, the count of the first change, and the last column, which states whether it is proven.
  private func adviseApart(
    _ flags: String...
  ) throws -> (words: String, change: Substring?, proven: Substring?) {
    try scratch.write(Self.apart, to: "apart.yaml")
    let path = scratch.path("apart.yaml")
    let text = try Performed(["advise", path] + flags).output
    let csv = try Performed(["advise", path, "--format", "csv"] + flags).output
    let rows = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let row = try #require(rows.first { $0.contains("advice-1") })
    let change = rows[0].firstIndex(of: "change").map { row[$0] }
    // Texts with commas are before it.
    let behind = rows[0].firstIndex(of: "proven").map { rows[0].count - $0 }
    return (
      text.split(whereSeparator: \.isWhitespace).joined(separator: " "), change,
      behind.map { row[row.count - $0] }
    )
  }

  @Test func `with prove, a larger change that is proven comes before a smaller one that is not`()
    throws
  {
    let usual = try adviseApart()
    #expect(usual.change == "2" && usual.proven == "", "\(usual)")
    #expect(!usual.words.contains("proven"), "\(usual)")
    let proven = try adviseApart("--prove")
    #expect(proven.change == "3" && proven.proven == "1", "\(proven)")
    #expect(
      proven.words.contains("It is proven that no frame is dropped at any phase of the arrivals."),
      "\(proven)")
    // With both others on the main thread there is no preference.
    let open = try adviseApart("--prove", "--keep", "one=main,two=main")
    #expect(open.change == "2" && open.proven == "0", "\(open)")
    #expect(
      open.words.contains("It is not proven: with other phases frames may be dropped."),
      "\(open)")
  }

  @Test func `with prove, today's arrangement that needs no change may not be proven`() throws {
    try scratch.write(
      Self.apart.replacing("cpu: 12 ms", with: "cpu: 1 ms"), to: "apart.yaml")
    let today = try Performed(["advise", scratch.path("apart.yaml"), "--prove"])
    let words = today.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Nothing to change: main-thread drops 0 of"), "\(words)")
    #expect(words.contains("It is not proven"), "\(words)")
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
    // This app is already arranged as advised, so there is nothing to change.
    let again = try Performed("advise", file, "--strategy", "advice-1")
    #expect(again.status == .success)
    #expect(again.output.hasPrefix("Nothing to change: advice-1 drops 0 of "))
  }

  @Test func `writes a folder that report draws, alone and beside runs`() throws {
    let folder = scratch.path("advised")
    let advise = try advise("-o", folder + "/")
    #expect(advise.status == .success)
    #expect(advise.diagnostics.contains("framebudget report \(folder)/"))
    let moves = try #require(scratch.text("advised/moves.csv")).split(separator: "\n")
    let csv = try #require(scratch.text("advised/advice.csv"))
    #expect(csv == (try self.advise("--format", "csv")).output)
    #expect(moves.count > 1 && csv.contains("files=main"))
    // By this scripts/measure-advice knows that there is advice.
    #expect(scratch.text("advised/advice.yaml")?.contains("as: advice-1\n") == true)
    let page = try Performed("report", folder)
    #expect(page.status == .success, "\(page.diagnostics)")
    #expect(page.output.contains("<section class=\"advice\">"))
    let run = try Performed(
      "run", folder + "/advice.yaml", "--engine", "virtual", "--quiet", "-o", folder)
    #expect(run.status == .success, "\(run.diagnostics)")
    let both = try Performed("report", folder)
    #expect(both.output.contains("advice-1 <b class=\"badge best\">advised</b>"))
    #expect(both.output.contains("What to change"))
    #expect(try self.advise("-o", folder).status == .cannotCreate)
  }

  @Test func `names recordings relative to the written file`() throws {
    try scratch.write("wait\n5\n", to: "waits.csv")
    let text = Self.text.replacing(
      "arrival: {once: 200, start: 100 ms}",
      with: "arrival: {recorded: waits.csv, column: wait}")
    try scratch.write(text, to: "recorded.yaml")
    let advise = try Performed(
      "advise", scratch.path("recorded.yaml"), "-o", scratch.path("a") + "/")
    #expect(advise.status == .success, "\(advise.diagnostics)")
    #expect(scratch.text("a/advice.yaml")?.contains("../waits.csv") == true)
    let check = try Performed("check", scratch.path("a/advice.yaml"))
    #expect(check.status == .success, "\(check.diagnostics)")
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
    let words = advise.output.replacing("\n", with: " ")
    #expect(
      words.contains(
        "become 3562. Nothing that was tried reaches items_pending<=0, because the processors do not suffice: the app needs "
      ))
    #expect(
      words.contains(
        "and the machine has 2; what only the main thread can do takes 0.6 s; service files serves 1 item at a time and needs 8 s. "
      ))
  }

  /// 200 waits of 120 ms, of which two at a time can be served, take 12 s; a service with state waits 4 s for its own items.
  @Test(arguments: [
    (
      """
      resources: {network: {parallel: 2}}
      workloads:
        - name: thumb
          arrival: {every: 50 ms}
          respond_within: 300 ms
          steps: [{service: net, cpu: 0.2 ms, suspend: {on: network, for: 120 ms}}]
      """, ", because resource network does not suffice: ",
      "; resource network serves 2 items at a time and needs 12 s."
    ),
    (
      """
      workloads:
        - name: thumb
          arrival: {once: 20, start: 100 ms}
          respond_within: 1 s
          steps: [{service: net, cpu: 0 ms, wait: 200 ms}]
      """, "; the processors suffice: ", "; service net serves 1 item at a time and needs 4 s."
    ),
  ])
  func `says what serves too few at a time, when that makes answers late`(
    _ work: String, _ reason: String, _ figures: String
  ) throws {
    try scratch.write(
      """
      scenario: waits
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 10 s
      machine: {cores: 4}
      services: {net: {}}
      strategies: [main-thread]
      \(work)
      """, to: "waits.yaml")
    let advise = try Performed("advise", scratch.path("waits.yaml"))
    #expect(advise.status == .failed)
    let words = advise.output.replacing("\n", with: " ")
    #expect(words.contains("Nothing helps, ") || words.contains("Nothing that was tried reaches "))
    #expect(words.contains(reason) && words.contains(figures), "\(advise.output)")
  }

  @Test func `says that drawing alone is too much`() throws {
    let advise = try advise("--set", "display.render=20 ms")
    #expect(advise.status == .failed)
    let words = advise.output.replacing("\n", with: " ")
    #expect(
      words.hasPrefix(
        "Move files to lane background: 45 of 60 frames dropped become 30, 5 late responses become 0. Nothing that was tried reaches "
      ))
    #expect(
      words.contains(
        ", because drawing alone drops 30 of 60 frames, which no arrangement changes; "
      ),
      "\(advise.output)")
  }

  /// A stranger's recording of a list, which draws on demand. Each of its dropped frames contains the app's `obtainView`.
  @Test(
    .enabled(
      if: Project.shared("data/traces") != nil, "no folder shared/data at or above the package"))
  func `names a remedy for the list of a real recording, and what it assumes`() throws {
    let traces = try #require(Project.shared("data/traces"))
    let learn = try Performed(
      "learn", "\(traces)/android_list_jank.systrace.html.zip", "-o", scratch.path("list"))
    #expect(learn.diagnostics.contains("matrix"), "\(learn.diagnostics)")
    let advise = try Performed("advise", scratch.path("list/android_list_jank.yaml"))
    #expect(advise.status == .success)
    let output = advise.output.replacing("\n", with: " ")
    #expect(
      output.hasPrefix("Spread obtainView over frames, at most ")
        && output.contains(": 8 of 255 frames dropped become 0, but ")
        && output.contains(" frames are incomplete for up to "), "\(advise.output)")
    #expect(
      output.contains("If the input of obtainView is known ")
        && output.contains(": 8 of 255 frames dropped become 0. "), "\(advise.output)")
  }

  @Test(arguments: [
    (
      " --aim dropped_frames<=0,incomplete_frames<=0",
      "Nothing helps with what is known today, because drawing alone drops 6 of 36 frames (0 without part bind-rows); ",
      "If the input of bind-rows is known 1 frame earlier, prefetch bind-rows a frame early: 6 of 36 frames dropped become 0. "
    ),
    (
      "",
      "Spread bind-rows over frames, at most 7.2 ms in each: 6 of 36 frames dropped become 0, but 6 frames are incomplete for up to "
        + "16.7 ms. It costs nothing else.",
      "If the input of bind-rows is known 1 frame earlier, prefetch bind-rows a frame early: 6 of 36 frames dropped become 0. "
    ),
    (
      ", ahead: 2", "Prefetch bind-rows a frame early: 6 of 36 frames dropped become 0. ",
      "It costs nothing."
    ),
  ])
  func `prefetches a part of drawing, or spreads it, and says what would be better`(
    _ key: String, _ opening: String, _ words: String
  ) throws {
    let (ahead, flags) = key.hasPrefix(",") ? (key, []) : ("", key.split(separator: " "))
    let rows = ["bind_ms,inflate_ms"] + Array(repeating: "0,0", count: 5) + ["12,5"]
    try scratch.write(rows.joined(separator: "\n") + "\n", to: "rows.csv")
    try scratch.write(
      """
      scenario: list
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 600 ms
      warmup: 0 s
      machine: {cores: 1}
      ui:
        frame:
          - {name: bind-rows, cpu: {recorded: rows.csv, column: bind_ms}\(ahead)}
          - {name: inflate, cpu: {recorded: rows.csv, column: inflate_ms}}
      strategies: [main-thread]

      """, to: "list.yaml")
    let advise = try Performed(["advise", scratch.path("list.yaml")] + flags.map(String.init))
    #expect(advise.status == (flags.isEmpty ? .success : .failed))
    let output = advise.output.replacing("\n", with: " ")
    #expect(output.hasPrefix(opening) && output.contains(words), "\(advise.output)")
    #expect(!output.contains("which no arrangement changes"))
    let condition = "If 80 % of bind-rows can be kept in memory, dropped frames fall from 6 to "
    #expect(output.contains(condition) != flags.isEmpty, "\(advise.output)")
  }

  @Test func `prepares a part of drawing on another lane, and names the price`() throws {
    try scratch.write(
      """
      scenario: list
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 600 ms
      warmup: 0 s
      ui: {frame: [{name: bind-rows, cpu: 9 ms}, {name: measure, cpu: 8 ms}]}
      strategies: [main-thread]

      """, to: "list.yaml")
    let advise = try Performed("advise", scratch.path("list.yaml"), "-o", scratch.path("a.yaml"))
    let output = advise.output.replacing("\n", with: " ")
    #expect(
      output.hasPrefix("Prepare measure on another lane as a frame begins: ")
        && output.contains(" of 36 frames dropped become 0. The price: ")
        && output.contains(" µs of handing work over."), "\(advise.output)")
    let written = try #require(scratch.text("a.yaml"))
    #expect(written.contains("measure: {prepare: {lane: drawing, frames: 0}}"), "\(written)")
    let run = try Performed("run", scratch.path("a.yaml"), "--engine", "virtual")
    #expect(run.status == .success, "\(run.diagnostics)")
    let verdict = run.output.replacing("\n", with: " ")
    let price = try #require(output.firstMatch(of: /price: ([\d.]+ µs) of handing work over/)?.1)
    #expect(verdict.contains("\(price) of handing work over"), "\(run.output)")
  }

  @Test func `shows frames later where nothing else helps, and names the price beside the gain`()
    throws
  {
    let rows = ["draw_ms"] + Array(repeating: "4", count: 5) + ["20"]
    try scratch.write(rows.joined(separator: "\n") + "\n", to: "frames.csv")
    try scratch.write(
      """
      scenario: chart
      display: {refresh: 60 Hz, render: {recorded: frames.csv, column: draw_ms}, main-loop: events}
      duration: 600 ms
      warmup: 0 s
      strategies: [main-thread]

      """, to: "chart.yaml")
    let advise = try Performed("advise", scratch.path("chart.yaml"), "-o", scratch.path("a") + "/")
    #expect(advise.status == .success)
    let output = advise.output.replacing("\n", with: " ")
    #expect(
      output.hasPrefix(
        "Show every frame a period later, from one more buffer: 6 of 36 frames dropped become 0, but every frame, with every "
          + "answer, is shown 16.7 ms later. It costs nothing else."), "\(advise.output)")
    #expect(
      advise.output.contains("later ms") && !advise.output.contains("plete"), "\(advise.output)")
    #expect(try #require(scratch.text("a/advice.yaml")).contains("present: {later: 1}"))
    let csv = try #require(scratch.text("a/advice.csv")).split(separator: "\n")
    #expect(
      csv[0].contains(",later_ms,waits_for,dropped_frames_pct_low,") && csv[2].contains(",16.6"),
      "\(csv)")
    let run = try Performed("run", scratch.path("a/advice.yaml"), "--engine", "virtual", "-q")
    #expect(
      run.output.replacing("\n", with: " ").contains(
        "advice-1: none of 35 frames dropped, each shown 16.7 ms later from 1 more buffer."
      ), "\(run.output)")
    let page = try Performed("report", scratch.path("a"), "-o", scratch.path("a.html"))
    #expect(page.status == .success, "\(page.diagnostics)")
    let words = try #require(scratch.text("a.html"))
    #expect(words.contains("but every frame, with every answer, is shown 16.7 ms later"))
    #expect(words.contains("frames later </span>16.7 ms"))
  }

  @Test(arguments: [
    (["--aim", "dropped_frames"], "METRIC<=X"),
    (["--aim", "droped_frames<=0"], "'dropped_frames'?"),
    (["--aim", "inp_ms<=200s"], "'s' is not the unit of inp_ms; allowed: ms"),
    (["--aim", "inp<=200s"], "'inp' is not a metric"),
    (["--aim", "dropped_frames<=2ms"], "it has none"),
    (["--aim", "dropped_frames<=-1"], "cannot be reached: dropped_frames is never below 0"),
    (["--keep", "file=main"], "did you mean 'files'?"),
    (["--keep", "files=moon"], "is not a place"),
    (["--keep", "index,files="], "'' is not a place"),
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

  @Test func `respects the limits on changes`() throws {
    let dispatch = try advise("--within", "dispatch", "--format", "csv")
    #expect(dispatch.status == .success && !dispatch.output.contains("scheduler"))
    let kept = try advise("--keep", "files,index", "--format", "csv")
    #expect([.success, .failed].contains(kept.status), "\(kept.diagnostics)")
    #expect(kept.output.contains("main-thread") && !kept.output.contains("move "))
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
    #expect(words.contains(" because of service files"), "\(explain.output)")
    #expect(explain.output.contains("together"))
    let csv = try Performed(["explain"] + files + ["--format", "csv", "--jobs", "2"])
    let lines = csv.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    func cells(_ column: Substring) throws -> [Substring] {
      let place = try #require(lines[0].firstIndex(of: column))
      return lines.dropFirst().map { $0[place] }
    }
    #expect(try cells("part") == ["service files", "drawing"])
    let shares = try cells("frames").compactMap { Double($0) }
    let (before, after) = (try cells("before").first, try cells("after").first)
    let difference =
      try #require(after.flatMap { Double($0) }) - #require(before.flatMap { Double($0) })
    #expect(shares.count == 2 && abs(shares.reduce(0, +) - difference) < 1e-6)
  }

  @Test func `agrees with run where only the phase of arrivals differs`() throws {
    let text = """
      scenario: phases
      display: {refresh: 60 Hz, render: 5 ms, main-loop: events}
      duration: 1 s
      services: {files: {}}
      workloads:
        - name: add
          arrival: {recorded: at.csv, column: ms}
          steps: [{service: files, cpu: 14 ms}]
      strategies: [main-thread]

      """
    let arrivals = (2..<52).map { String(Double($0 * 16_667 + 5_500) / 1000) }
    try scratch.write((["ms"] + arrivals).joined(separator: "\n") + "\n", to: "at.csv")
    try scratch.write(text, to: "a.yaml")
    try scratch.write("phase: random\n" + text, to: "b.yaml")
    let files = ["a.yaml", "b.yaml"].map { scratch.path($0) }
    for seed in ["1", "2"] {
      let dropped = try files.map { file in
        let run = try Performed(
          "run", file, "--engine", "virtual", "--seed", seed, "--no-range", "--format", "csv")
        let lines = run.output.split(separator: "\n").map {
          $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let column = try #require(lines.first?.firstIndex(of: "dropped_frames"))
        return String(lines[1][column])
      }
      let explain = try Performed(["explain"] + files + ["--seed", seed])
      let words = explain.output.replacing("\n", with: " ")
      #expect(words.contains("a.yaml drops \(dropped[0]) frames"), "\(words)")
      #expect(words.contains("b.yaml \(dropped[1])"), "\(words)")
      #expect(words.contains("arrivals"), "\(words)")
    }
  }

  @Test func `is drawn by report, of one scenario and of two`() throws {
    let files = ["before.yaml", "after.yaml"].map { scratch.path($0) }
    for (name, arguments, title) in [
      ("shares.csv", files, "Causes of the difference"),
      ("parts.csv", [files[0]], "Causes of the drops"),
    ] {
      let file = scratch.path(name)
      let explain = try Performed(["explain"] + arguments + ["--format", "csv", "-o", file])
      #expect(explain.status == .success)
      let page = try Performed("report", file)
      #expect(page.status == .success, "\(page.diagnostics)")
      #expect(page.output.contains(title) && page.output.contains("service files"))
    }
  }

  /// 200 waits of 120 ms on two connections: no frame is dropped, and most answers are late.
  @Test func `tells one scenario by the answers that are late without each part, too`() throws {
    try scratch.write(
      """
      scenario: waits
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 10 s
      services: {net: {}}
      resources: {network: {parallel: 2}}
      workloads:
        - name: thumb
          arrival: {every: 50 ms}
          respond_within: 300 ms
          steps: [{service: net, cpu: 0.2 ms, suspend: {on: network, for: 120 ms}}]
      strategies: [main-thread]
      """, to: "waits.yaml")
    let explain = try Performed("explain", scratch.path("waits.yaml"))
    let words = explain.output.replacing("\n", with: " ")
    #expect(words.contains("drops 0 of 600 frames and answers "), "\(explain.output)")
    #expect(words.contains("without service net none would be late."), "\(explain.output)")
    #expect(!words.contains("it would drop"))
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
