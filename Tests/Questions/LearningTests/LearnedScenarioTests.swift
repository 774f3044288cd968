import FrameBudget
@testable import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

struct LearnedScenarioTests {
  private func learn(_ recording: Recording, rules: [NameRule] = []) throws -> LearnedScenario {
    try #require(LearnedScenario(recording, name: "app", source: "app.json", rules: rules))
  }

  @Test(arguments: [
    ([1_000_000], nil), ([1_000_001], "1000001 tasks of the UI thread"),
    ([1, 1_000_000, 999_999], nil), ([1, 1_000_000, 1_000_000], "2000001 tasks of its threads"),
  ])
  func `more tasks than a scenario has items are refused before any work`(
    _ counts: [Int], _ words: String?
  ) {
    let task = RecordedSlice(name: 0, depth: 0, begin: .zero, length: .microseconds(1))
    let inner = RecordedSlice(name: 0, depth: 1, begin: .zero, length: .microseconds(1))
    var recording = Recording.slices([("task", 0, 1, 0)])
    recording.threads = counts.enumerated().map { number, count in
      RecordedThread(
        number: number, name: "", slices: Array(repeating: task, count: count) + [inner])
    }
    let excess = LearnedScenario.excess(of: recording)
    #expect((excess == nil) == (words == nil))
    if let words, let excess {
      #expect(excess.hasPrefix("has \(words), and at most"))
      #expect(excess.hasSuffix("fit into a scenario; --from and --to take a part"))
    }
  }

  @Test func `a name with numbers is one service, and each of its slices a step`() throws {
    let learned = try learn(.hashing)
    #expect(learned.services == ["hash", "paint"])
    let workload = try #require(learned.items.workloads.first { $0.steps.count > 1 })
    #expect(workload.name == "hash")
    #expect(workload.steps == [nil, 0, 0, 0])
    #expect(workload.items.count == 20)
    #expect(workload.items[0].costs.map(\.cpu) == [1_000_000, 10_000_000, 10_000_000, 10_000_000])
    #expect(learned.items.totals == [600_000_000, 0])
  }

  /// Tasks 100 ms apart, each with the numbers of calls in `counts` of two services, in a call of the platform: `hash` of
  /// 2 ms and `index` of 1 ms, 0.02 ms apart.
  private func importing(_ counts: [Int]) throws -> LearnedScenario {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    for (task, count) in counts.enumerated() {
      let begin = 100 * Double(task)
      let end = begin + 1 + 3.04 * Double(count)
      slices += [("RunTask", begin, end, 0), ("FunctionCall", begin + 0.5, end, 1)]
      for file in 0..<count {
        let at = begin + 1 + 3.04 * Double(file)
        slices += [("hash", at, at + 2, 2), ("index", at + 2.02, at + 3.02, 2)]
      }
    }
    return try learn(.slices(slices))
  }

  @Test func `two calls for each of twelve files are ordered steps`() throws {
    let learned = try importing([12, 12, 12])
    #expect(learned.services == ["hash", "index"])
    let workload = try #require(learned.items.workloads.first)
    #expect(learned.items.workloads.count == 1 && workload.items.count == 3)
    #expect(workload.steps == [nil] + (0..<12).flatMap { _ in [0, 1] })
    #expect(
      workload.items[0].costs.map(\.cpu).dropFirst()
        == (0..<12).flatMap { _ in [2_000_000, 1_000_000] }[...])
  }

  @Test func `tasks through services in any order are no more kinds than workloads`() throws {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    for task in 0..<300 {
      let begin = 20 * Double(task)
      slices.append(("RunTask", begin, begin + 7, 0))
      for call in 0..<3 {
        let letter = (task / [1, 12, 144][call] + 4 * call) % 12
        let name = "call \(Character(UnicodeScalar(UInt8(97 + letter))))"
        let at = begin + 2 * Double(call)
        slices.append((name, at, at + 2, 1))
      }
    }
    let learned = try learn(.slices(slices))
    // Those with nine tenths of the time.
    #expect(learned.services.count == 11)
    #expect((10...41).contains(learned.items.workloads.count))
    #expect(learned.items.workloads.reduce(0) { $0 + $1.items.count } == 300)
    #expect(learned.items.totals.reduce(0, +) > 1_620_000_000)
  }

  @Test func `rare tasks at the begin take no workload from the usual ones`() throws {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    func add(_ task: Int, _ calls: [(letter: Int, length: Double)]) {
      let begin = 40 * Double(task)
      slices.append(("RunTask", begin, begin + 30, 0))
      var at = begin
      for (letter, length) in calls {
        let name = "call \(Character(UnicodeScalar(UInt8(97 + letter))))"
        slices.append((name, at, at + length, 1))
        at += length
      }
    }
    // All choices of three of eight functions, one after another.
    var task = 0
    for first in 2..<10 {
      for second in (first + 1)..<10 {
        for third in (second + 1)..<10 {
          add(task, [(first, 8), (second, 8), (third, 8)])
          task += 1
        }
      }
    }
    for _ in 0..<60 {
      add(task, [(0, 4), (1, 4), (0, 4)])
      task += 1
    }
    // The tenth of the time that is of no service.
    for letter in 10..<24 {
      add(task, [(letter, 18)])
      task += 1
    }
    let learned = try learn(.slices(slices))
    let services = ["call-a", "call-b"].compactMap { learned.services.firstIndex(of: $0) }
    try #require(services.count == 2, "\(learned.services)")
    let usual = learned.items.workloads.max { $0.items.count < $1.items.count }
    #expect(usual?.items.count == 60)
    #expect(usual?.steps.compactMap(\.self) == [services[0], services[1], services[0]])
  }

  @Test func `tasks keep their steps if there are more kinds than workloads`() throws {
    let counts = Array(1...30) + Array(1...30) + [2, 31, 29, 60]
    let learned = try importing(counts + (10..<30).map { 31 + $0 })
    #expect(learned.items.workloads.count <= 40)
    let files = counts.reduce(0, +) + (10..<30).reduce(0) { $0 + 31 + $1 }
    #expect(learned.items.totals == [2_000_000 * Int64(files), 1_000_000 * Int64(files)])
    let longest = learned.items.workloads.flatMap(\.items).flatMap(\.costs).map(\.cpu).max() ?? 0
    // Of 60 files two are one step, and of a kind without a workload some calls at its end.
    #expect(longest <= 30_000_000, "\(longest)")
    _ = try Replay(learned).run("yielding")
  }

  @Test func `parts of one interval are one call, the next interval is another call`() throws {
    var recording = Recording.slices([
      ("RunTask", 0, 30, 0), ("parse", 1, 5, 1), ("parse", 5, 9, 1), ("parse", 9, 12, 1),
      ("RunTask", 40, 50, 0), ("parse", 40, 45, 1),
    ])
    recording.threads[0].slices[2].continues = true
    recording.threads[0].slices[5].continues = true
    let learned = try learn(recording)
    let items = learned.items.workloads.flatMap { workload in workload.items.map(\.costs) }
    #expect(items.map { $0.dropFirst().map(\.cpu) } == [[8_000_000, 3_000_000], [5_000_000]])
  }

  @Test(arguments: [
    "layout 12": "layout", "layout12": "layout", "0x7f3a: read": "read", "v8.run": "v8-run",
    "12": "slice",
    "face/decode": "face-decode",
  ])
  func `numbers in a name are folded, a digit that belongs to a word is not`(
    _ name: String, _ folded: String
  ) {
    #expect(SliceName.folded(name) == folded)
  }

  @Test func `a folded name is not folded again`() {
    for length in 28...44 {
      for end in ["sha256 hash", "v8 run", "x1y2", "0xff", "utf8-4", "-- h264"] {
        for space in ["", " ", "/"] {
          let name = SliceName.folded(String(repeating: "a", count: length) + space + end)
          #expect(SliceName.folded(name) == name && name.count <= 40)
        }
      }
    }
    #expect(SliceName.folded(String(repeating: "long ", count: 10)).hasSuffix("long"))
  }

  @Test func `another recording of the same app has the same services, whose they are too`() throws
  {
    let long = "import of everything that the folder has 2 times"
    let recording = Recording.slices([
      ("RunTask", 0, 50, 0), ("FunctionCall", 1, 30, 1), (long, 5, 20, 2), ("v8.run", 31, 40, 1),
    ])
    let call = NameRule(.service("FunctionCall")) { $0 == "FunctionCall" }
    for rules in [[], [call]] {
      let before = try learn(recording, rules: rules)
      let after = try learn(recording, rules: before.serviceRules)
      #expect(after.services.sorted() == before.services.sorted())
      #expect(after.movable == before.movable && before.movable.count == 1 + rules.count)
      #expect(AppChange(from: before, to: after).name == "as-recorded")
    }
  }

  @Test func `a service that took hardly any time is not taken for one that left`() throws {
    func recording(of names: [String]) -> Recording {
      .slices(
        (0..<20).flatMap { task in
          names.enumerated().map { place, name in
            let begin = 50 * Double(task) + 30 * Double(place)
            return (name, begin, begin + (name == "tiny" ? 0.1 : 20), 0)
          }
        })
    }
    let tiny = NameRule(.service("tiny")) { $0 == "tiny" }
    let before = try learn(recording(of: ["hash", "tiny"]), rules: [tiny])
    #expect(before.movable == ["hash", "tiny"])
    for (names, change) in [(["hash"], "as-recorded"), (["tiny"], "move-hash")] {
      let after = try learn(recording(of: names), rules: before.serviceRules)
      #expect(AppChange(from: before, to: after).name == change)
    }
  }

  @Test(arguments: [2: "as-recorded", 3: "move-rare"])
  func `a service with few calls that is absent is not taken for one that left`(
    calls: Int, change: String
  ) throws {
    func recording(withRare: Bool) -> Recording {
      .slices(
        (0..<20).flatMap { task in
          let begin = 50 * Double(task)
          let rare: [(name: String, begin: Double, end: Double, depth: Int32)] =
            withRare && task < calls ? [("rare", begin + 30, begin + 40, 0)] : []
          return [("hash", begin, begin + 20, 0)] + rare
        })
    }
    let rule = NameRule(.service("rare")) { $0 == "rare" }
    let before = try learn(recording(withRare: true), rules: [rule])
    #expect(before.movable == ["hash", "rare"])
    let after = try learn(recording(withRare: false), rules: before.serviceRules)
    #expect(AppChange(from: before, to: after).name == change)
  }

  @Test
  func `drawing outside of a frame's interval is added to it, and nothing counts twice`()
    throws
  {
    let period = 50.0 / 3
    let render = NameRule(.render) { $0 == "prepare" }
    // 2 ms before the vsync, or behind it, where the frame begins 4 ms behind it.
    for (begin, drawing) in [(10.0, 2.0 + 4 + 3), (period + 1, 4.0 + 3)] {
      let learned = try learn(
        .slices(
          [("prepare", begin, begin + 2, 0), ("paint", period + 4, period + 6, 0)],
          frames: [
            RecordedFrame(vsync: .zero, verdict: .notWanted),
            RecordedFrame(
              vsync: .ms(period),
              work: TimeSpan.ms(period + 4).nanoseconds..<TimeSpan.ms(period + 7).nanoseconds,
              presented: .ms(period + 9), verdict: .shown),
          ]), rules: [render])
      #expect(learned.items.drawing.map { (Double($0) / 1e6 * 100).rounded() / 100 } == [drawing])
      #expect(learned.items.workloads.isEmpty)
    }
  }

  @Test func `the report of a change has no infinite numbers`() throws {
    let tasks = (0..<100).flatMap {
      task -> [(name: String, begin: Double, end: Double, depth: Int32)] in
      let begin = 20 * Double(task)
      return [("task", begin, begin + 10, 0), ("hash", begin + 2, begin + 4, 1)]
    }
    let after = try learn(Recording.slices(tasks, format: .systrace))
    // Other threads of a run of ours have the core whenever it would hash.
    var recording = Recording.slices(
      tasks, format: .systrace, cpu: tasks.map { $0.depth == 0 ? 8 : 0 })
    recording.threads[0].ready = (0..<100).map {
      (20 * $0 + 2) * 1_000_000..<(20 * $0 + 4) * 1_000_000
    }
    let before = try learn(recording)
    let load = before.mainThreadLoad(of: "hash")
    #expect(load.load == 0 && load.calls > 0)
    let change = try #require(AppChange(named: "as-recorded", of: before))
    let logs = try [before, after].map { try Replay($0).run("as-recorded") }
    let evidence = ChangeEvidence(
      change, basis: .user, before: before, predicted: logs[0], after: after,
      comparisons: (ReplayComparison(before, logs[0]), ReplayComparison(after, logs[1])))
    #expect(evidence.text.contains("hash takes 101 ms/s more"), "\(evidence.text)")
    #expect(!evidence.text.contains("inf") && !evidence.text.contains("nan"), "\(evidence.text)")
  }

  @Test func `drawing within frames is not an item`() throws {
    let learned = try learn(.hashing)
    #expect(learned.screen.frames.count == 140)
    // With the 0.1 or 0.2 ms in which nothing ran before the frame began.
    #expect(learned.items.drawing.allSatisfy { (4_099_000...4_201_000).contains($0) })
    #expect(learned.items.workloads.reduce(0) { $0 + $1.items.count } == 20)
  }

  @Test func `a replay repeats what was recorded`() throws {
    let learned = try learn(.hashing)
    let replay = try Replay(learned)
    #expect(learned.screen.dropped == 20 && learned.screen.expected == 140)
    let comparison = ReplayComparison(learned, try replay.run("as-recorded"))
    #expect(comparison.faults == [])
    #expect(
      comparison.counts.bothDropped == 20,
      "\(comparison.counts)")
    #expect(comparison.counts.bothShown == 120)
    #expect(comparison.episodes.found == 20 && comparison.episodes.confirmed == 20)
    #expect(comparison.counts.kappa == 1 && comparison.replay == .good)
  }

  @Test
  func `a drop belongs to the vsync of the late frame, not to that of the missed picture`()
    throws
  {
    let learned = try learn(.pipelined)
    #expect(learned.screen.deadline == 2)
    let dropped = learned.screen.shown.filter { !$0.value }.keys.sorted()
    #expect(dropped == (0..<20).map { 12 * $0 + 1 })
    // The third frame was wanted, though it never began.
    #expect(learned.screen.wanted.prefix(7) == [0, 1, 2, 3, 4, 5, 6])
    let comparison = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
    #expect(comparison.counts.bothDropped == 20, "\(comparison.counts)")
    #expect(comparison.counts.agreeing == comparison.counts.all, "\(comparison.counts)")
    #expect(comparison.counts.all == 140 && comparison.replay == .good)
    // After the main thread a frame takes its recorded time to the screen, without waiting for the compositor's next one.
    #expect(learned.screen.stage.costs.allSatisfy { abs($0 - 1_000_000) < 1000 })
  }

  @Test func `the arrangement without the service on the main thread drops nothing`() throws {
    let replay = try Replay(try learn(.hashing))
    #expect(try replay.run("move-hash").frames.dropped == 0)
    #expect(try replay.run("yielding").frames.dropped == 0)
  }

  @Test func `a replay that differs from the recording is called poor, with the reason`() throws {
    var recording = Recording.hashing
    // Another one of seven frames, for which nothing was late.
    for place in stride(from: 4, to: recording.frames.count, by: 7) {
      recording.frames[place].verdict = .dropped
    }
    let learned = try learn(recording)
    let comparison = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
    #expect(comparison.replay == .poor)
    #expect(comparison.faults.contains { $0.contains("points") }, "\(comparison.faults)")
    #expect(learned.scenario(replay: comparison.replay).contains("replay: poor"))
  }

  @Test func `the first matching rule classifies a slice`() throws {
    let hash = NameRule(.service("digest")) { $0.hasPrefix("hash") }
    #expect(try learn(.hashing, rules: [hash]).services == ["digest", "paint"])
    let ignored = try learn(.hashing, rules: [NameRule(.ignore) { $0.hasPrefix("hash") }, hash])
    #expect(ignored.services == ["paint"])
    let workload = try learn(
      .hashing, rules: [NameRule(.workload("digests")) { $0.hasPrefix("hash") }])
    #expect(workload.items.workloads.map(\.name) == ["digests"])
  }

  @Test func `work of the platform stays in its place, unless a rule names it`() throws {
    let slices: [(name: String, begin: Double, end: Double, depth: Int32)] = [
      ("RunTask", 0, 50, 0), ("FunctionCall", 1, 30, 1), ("hash", 5, 20, 2), ("v8.run", 31, 40, 1),
    ]
    let call = NameRule(.service("FunctionCall")) { $0 == "FunctionCall" }
    for (rules, kept, moved) in [
      ([], ["FunctionCall", "v8-run"], ["hash"]), ([call], ["v8-run"], ["FunctionCall", "hash"]),
    ]
      as [([NameRule], Set<String>, Set<String>)]
    {
      let learned = try learn(.slices(slices), rules: rules)
      #expect(learned.movable == moved)
      let kept = kept.union(["other"])
      let lines = learned.scenario(replay: .good).split(separator: "\n")
      #expect(lines.filter { $0.hasSuffix(": {keep: true}") }.count == kept.count)
      #expect(kept.allSatisfy { lines.contains("  \($0): {keep: true}") })
      _ = try Replay(learned).run("as-recorded")
    }
    // An Android app may call its own work as Chrome calls its own.
    let android = try learn(.slices(slices, format: .systrace))
    #expect(android.movable == ["FunctionCall", "hash", "v8-run"])
  }

  @Test func `no original name appears if names are replaced`() throws {
    let learned = try #require(
      LearnedScenario(.hashing, name: "clandestine", source: "secret.json", isAnonymous: true))
    let replay = try Replay(learned)
    let comparison = ReplayComparison(learned, try replay.run("as-recorded"))
    let text = LearnReport(
      learned, comparison,
      moves: [.init(service: "service-1", log: try replay.run("move-service-1"), range: nil)]
    ).text
    for file in [learned.scenario(replay: .good), text]
      + learned.tables.flatMap({ [$0.name, $0.text] })
    {
      #expect(
        !file.contains("hash") && !file.contains("secret") && !file.contains("clandestine"),
        "\(file)")
    }
  }

  @Test func `posted work arrives when it was posted, in the recorded order`() throws {
    let learned = try learn(
      .slices(
        [("a", 20, 50, 0), ("b", 50, 60, 0)],
        frames: (0..<4).map {
          RecordedFrame(vsync: .ms(Double($0) * 50 / 3), verdict: .notWanted)
        }, posts: [RecordedPost(slice: 1, instant: .ms(30))]))
    let arrivals = learned.items.workloads.flatMap(\.items).map(\.arrival).sorted()
    #expect(arrivals.map { ($0 + 500) / 1000 } == [20_000, 30_000])
  }

  /// The arrivals of tasks, in milliseconds: `a` runs from 20 to 50, `b` from 50 to 51, and `c` for 9 ms from `begin` on,
  /// which was posted at 30.
  private func arrivals(_ begin: Double, isTimer: Bool = false) throws -> [Double] {
    let learned = try learn(
      .slices(
        [("a", 20, 50, 0), ("b", 50, 51, 0), ("c", begin, begin + 9, 0)],
        frames: (0..<8).map {
          RecordedFrame(vsync: .ms(Double($0) * 50 / 3), verdict: .notWanted)
        }, posts: [RecordedPost(slice: 2, instant: .ms(30), isTimer: isTimer)]))
    #expect(learned.items.workloads.map(\.isTimer) == [false, false, isTimer])
    #expect(learned.scenario(replay: .good).contains("timer: true") == isTimer)
    return learned.items.workloads.flatMap(\.items).map(\.arrival).sorted()
      .map { (Double($0) / 1e5).rounded() / 10 }
  }

  @Test func `work posted to an idle thread that began later arrives when it began`() throws {
    #expect(try arrivals(90) == [20, 50, 90])
    #expect(try arrivals(51) == [20, 50, 50])
  }

  @Test func `a timer arrives when it is due, even if other work of that time ran first`() throws {
    #expect(try arrivals(51, isTimer: true) == [20, 30, 50])
    #expect(try arrivals(90, isTimer: true) == [20, 50, 90])
  }

  @Test func `work before and after a frame in one task is two items`() throws {
    let learned = try learn(
      .slices(
        [("RunTask", 1, 9, 0), ("before", 1, 2, 1), ("paint", 2, 6, 1), ("behind", 6, 9, 1)],
        frames: [
          RecordedFrame(
            vsync: .zero, work: 2_000_000..<6_000_000, presented: .ms(10), verdict: .shown),
          RecordedFrame(vsync: .ms(50.0 / 3), verdict: .notWanted),
        ]))
    let items = learned.items.workloads.flatMap(\.items).sorted { $0.arrival < $1.arrival }
    #expect(items.map { $0.costs.reduce(0) { $0 + $1.cpu } } == [1_000_000, 3_000_000])
    // Nothing ran from the vsync to the start of the work before the waiting frame.
    #expect(items.map { $0.costs.reduce(0) { $0 + $1.wait } } == [1_000_000, 0])
    #expect(learned.items.drawing == [4_000_000])
  }

  @Test(arguments: [(RecordingFormat.perfetto, [15, 2]), (.chrome, [10, 5, 2])])
  func `work during a frame's wait is one message if frames precede messages`(
    _ format: RecordingFormat, _ lengths: [Int64]
  ) throws {
    // The vsync at 16.7 ms comes while a runs.
    let learned = try learn(
      .slices(
        [
          ("draw", 1, 3, 0), ("a", 10, 20, 0), ("b", 20, 25, 0), ("draw", 25, 28, 0),
          ("c", 28, 30, 0),
        ],
        frames: [
          RecordedFrame(vsync: .zero, work: 1_000_000..<3_000_000),
          RecordedFrame(vsync: .ms(50.0 / 3), work: 25_000_000..<28_000_000),
        ], format: format))
    let items = learned.items.workloads.flatMap(\.items).sorted { $0.arrival < $1.arrival }
    let found = items.map { $0.costs.reduce(0) { $0 + $1.cpu + $1.wait } / 1_000_000 }
    #expect(found == lengths)
    let begins = try Replay(learned).run("as-recorded").frames.records.map(\.begin.nanoseconds)
    #expect(begins.contains { abs($0 - 25_000_000) < 100_000 }, "\(begins)")
  }

  @Test func `a frame without changes is work, and no frame`() throws {
    var recording = Recording.hashing
    recording.frames[5].verdict = .notWanted
    let learned = try learn(recording)
    #expect(learned.screen.frames.count == 139)
    #expect(learned.items.workloads.reduce(0) { $0 + $1.items.count } == 21)
  }

  @Test func `frames without slices are replayed, with a warning that they answer no what-if`()
    throws
  {
    var recording = Recording.hashing
    recording.format = .perfetto
    recording.threads[0].slices = []
    for place in recording.frames.indices {
      recording.frames[place].due = recording.frames[place].vsync + .ms(50.0 / 3)
    }
    let learned = try learn(recording)
    #expect(learned.screen.frames.count == 140 && learned.items.workloads.isEmpty)
    let comparison = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
    #expect(comparison.replay == .fair)
    #expect(comparison.faults.contains { $0.hasPrefix("no slice says") }, "\(comparison.faults)")
    // A frame that reached the screen a vsync late was missing at the one before.
    #expect(
      comparison.counts.bothShown == 140 && comparison.counts.bothDropped == 20,
      "\(comparison.counts)"
    )
    #expect(!learned.scenario(replay: comparison.replay).contains("yielding"))
    #expect(LearnReport(learned, comparison, moves: []).text.contains("answers no what-if"))
  }

  @Test func `a recording without slices of a UI thread is refused`() {
    #expect(LearnedScenario(.frames(at: [1, 2]), name: "a", source: "b") == nil)
  }

  @Test
  func `the report compares the replay with the recording`()
    throws
  {
    let learned = try learn(.hashing)
    let replay = try Replay(learned)
    let comparison = ReplayComparison(learned, try replay.run("as-recorded"))
    let move = LearnReport.Move(service: "hash", log: try replay.run("move-hash"), range: nil)
    let text = LearnReport(learned, comparison, moves: [move]).text
    for line in [
      "The replay is good: it has 20 of 20 late episodes, and 140 of 140 vsyncs agree (*always shown*: 120).",
      "| dropped | 20 | 20 |",
      "140 of 140 vsyncs agree (100 %). The recipe *always shown* agrees in 120 (85.7 %), *always "
        + "dropped* in 20 (14.3 %). Cohen's kappa, which is 0 for either, is 1.",
      "The replay has 20 of the 20 recorded episodes; 20 of its 20 were recorded. Their lengths differ by 0 vsyncs",
      "| hash | 600 | 20 | 0 |",
    ] {
      #expect(text.contains(line), "\(line) in\n\(text)")
    }
  }

  @Test
  func
    `the report has a platform's numbers of the replay, of the recording's or of those that are chosen`()
    throws
  {
    let learned = try learn(.hashing)
    let comparison = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
    func text(_ sets: [MetricSet]?) -> String {
      LearnReport(learned, comparison, moves: [], sets: sets).text
    }
    let metrics = comparison.metrics
    for set in MetricSet.allCases {
      let report = text([set])
      for theirs in set.metrics {
        guard let value = metrics[theirs.metric], value != 0 else { continue }
        let unit = theirs.metric.unit
        let suffix = unit == .none || unit == .count ? "" : ", \(unit.rawValue)"
        let line = "| \(theirs.theirs)\(suffix) |  | \(Decimal.text(value, places: 3)) |"
        #expect(report.contains(line), "\(line) in\n\(report)")
      }
    }
    let own = learned.recording.format.platform?.metrics
    #expect(text(nil) == text([own].compactMap(\.self)))
  }
}

/// Runs of the learned scenario.
struct Replay {
  private let replay: LearnedReplay

  init(_ learned: LearnedScenario) throws { replay = try LearnedReplay(learned) }

  func run(_ strategy: String) throws -> RunLog { try #require(replay.run(strategy)) }
}
