import Foundation
import FrameBudget
@testable import FrameBudgetCaptures
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetLearning

struct OtherThreadsTests {
  private func learn(_ recording: Recording, isAnonymous: Bool = false) throws -> LearnedScenario {
    try #require(
      LearnedScenario(recording, name: "app", source: "app.json", isAnonymous: isAnonymous))
  }

  @Test func `what a Worker does for a task is steps of its item, on a lane`() throws {
    let learned = try learn(.withWorker())
    #expect(learned.lanes == ["DedicatedWorker-thread"])
    #expect(learned.items.workloads.map(\.name) == ["hash"])
    let workload = try #require(learned.items.workloads.first)
    let steps = workload.steps.map { learned.service($0) }
    #expect(
      steps == ["other", "DedicatedWorker-thread-other", "hash", "hash", "hash", "other", "index"])
    #expect(workload.items.count == 12)
    // Both threads slept for 0.1 ms after the post; 12.4 µs of that are what a replay adds.
    #expect(workload.items[0].costs.map { $0.cpu / 10_000 } == [20, 50, 1000, 1000, 1000, 20, 500])
    #expect(workload.items[0].costs.map { $0.wait / 10_000 } == [0, 10, 0, 0, 8, 0, 0])
  }

  @Test func `arrows of a browser's trace lead to a Worker and back`() throws {
    let file = Project.folder.appending(path: "Tests/Fuzz/Seeds/recording-chrome/worker.json")
    let recording = try RecordingFile.read(
      Array(try Data(contentsOf: file)), name: "worker.json")
    #expect(recording.threads.map(\.number) == [1, 2])
    #expect(recording.threads[1].posts.map(\.origin) == [1, 1])
    #expect(recording.threads[0].posts.map(\.origin) == [2])
    let learned = try learn(recording)
    #expect(learned.lanes == ["DedicatedWorker-thread"])
    let workload = try #require(learned.items.workloads.first { $0.steps.count > 1 })
    let steps = workload.steps.map { learned.service($0) }
    #expect(Array(steps.drop { $0 != "hash" }.prefix(2)) == ["hash", "hash"])
    #expect(steps.last == "index" && workload.items.count == 1, "\(steps)")
    #expect(learned.movable == ["index"])
    #expect(try Replay(learned).run("as-recorded").violations.isEmpty)
  }

  @Test func `the replay is what was recorded, and an item is answered when its last task ends`()
    throws
  {
    let learned = try learn(.withWorker())
    let log = try Replay(learned).run("as-recorded")
    let comparison = ReplayComparison(learned, log)
    #expect(comparison.counts.agreeing == comparison.counts.all, "\(comparison.counts)")
    #expect(comparison.counts.all == 240 && log.violations.isEmpty)
    #expect(log.items.map(\.workload) == ["hash"] && log.items.map(\.doneCount) == [12])
    // 0.2, 0.1, 30.5 and 5.2 ms, and what it costs to hand over.
    let latencies = ItemMetrics(log).latencies
    for share in [0.0, 1] {
      let latency = try #require(latencies.quantile(share)).value / 1e6
      #expect((36...36.5).contains(latency), "\(latency)")
    }
  }

  @Test func `what is on another thread stays there in every strategy, and is not advised to move`()
    throws
  {
    let learned = try learn(.withWorker())
    #expect(learned.movable == ["index"])
    let scenario = try LearnedReplay(learned).scenario
    #expect(
      scenario.strategies.map(\.name) == ["as-recorded", "as-recorded-yielding", "move-index"])
    for strategy in scenario.strategies {
      let homes = zip(scenario.services, strategy.arrangement.placement).filter {
        $0.0.name == "hash"
      }
      #expect(homes.map(\.1) == [.home(1)], "\(strategy.name)")
    }
    #expect(Set(scenario.services.filter { !$0.isKept }.map(\.name)) == ["index", "paint"])
    let change = try #require(AppChange(named: "move-index+yielding", of: learned))
    let replay = try LearnedReplay(learned, adding: change.strategy(of: learned))
    let arrangement = try #require(replay.scenario.strategies.last?.arrangement)
    #expect(arrangement.lanes.map(\.name) == ["main", "DedicatedWorker-thread", "index-thread"])
    #expect(arrangement.yielding != nil)
    #expect(replay.run(AppChange.strategyName)?.violations.isEmpty == true)
  }

  @Test func `a Worker competes for cores`() throws {
    let learned = try learn(.withWorker(tasks: 3, each: 100))
    let scenario = try LearnedReplay(learned).scenario
    func latency(cores: Int) throws -> Double {
      var scenario = scenario
      scenario.machine = Machine(cores: cores)
      let strategy = try #require(scenario.strategies.first)
      let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
      let latencies = ItemMetrics(log).latencies
      return try #require(latencies.quantile(1)).value / 1e6
    }
    // In 300 ms frames and what comes behind them take 54 ms, of the same core if there is no other.
    #expect(try latency(cores: 1) > latency(cores: 2) + 20)
  }

  @Test(arguments: [RecordingFormat.flutter, .perfetto])
  func `the thread behind the UI thread competes for cores, too`(_ format: RecordingFormat) throws {
    let period = 50.0 / 3
    // 8 ms, and then 12 ms on the raster thread or the RenderThread.
    let frames = (0..<120).map { vsync in
      let at = Double(vsync) * period
      return RecordedFrame(
        vsync: .ms(at), due: .ms(at + 2 * period),
        work: TimeSpan.ms(at + 0.2).nanoseconds..<TimeSpan.ms(at + 8.2).nanoseconds,
        ready: .ms(at + 20.2))
    }
    let slices = (0..<120).map {
      vsync -> (name: String, begin: Double, end: Double, depth: Int32) in
      ("draw", Double(vsync) * period + 0.2, Double(vsync) * period + 8.2, 0)
    }
    let learned = try learn(.slices(slices, frames: frames, format: format))
    let scenario = try LearnedReplay(learned).scenario
    let dropped = try [2, 1].map { cores in
      var scenario = scenario
      scenario.machine = Machine(cores: cores)
      let strategy = try #require(scenario.strategies.first)
      let log = VirtualEngine().run(RunPlan(scenario, under: strategy))
      return RunMetrics(log).frames.dropped
    }
    #expect(dropped[0] == 0 && dropped[1] > 10, "\(dropped)")
  }

  @Test func `a task is cut where it posts, and the Worker does not wait for its rest`() throws {
    let learned = try learn(.withWorker(after: 8))
    let workloads = learned.items.workloads
    #expect(workloads.count == 2 && workloads.allSatisfy { $0.items.count == 12 })
    let chain = try #require(workloads.first { $0.name == "hash" })
    let steps = chain.steps.map { learned.service($0) }
    #expect(
      steps == ["other", "DedicatedWorker-thread-other", "hash", "hash", "hash", "other", "index"])
    #expect(chain.items[0].costs[0].length == 200_000)
    let rest = try #require(workloads.first { $0.name != "hash" })
    #expect(rest.items[0].costs.map(\.length) == [8_000_000])
    #expect((1...2000).contains(rest.items[0].arrival - chain.items[0].arrival))
    let log = try Replay(learned).run("as-recorded")
    #expect(log.violations.isEmpty)
    // As without the rest.
    let items = log.items.filter { $0.workload == "hash" }
    let latencies = ItemMetrics(log, of: items).latencies
    for share in [0.0, 1] {
      let latency = try #require(latencies.quantile(share)).value / 1e6
      #expect((36...36.5).contains(latency), "\(latency)")
    }
  }

  /// Recordings in which an answer runs before the frame of a vsync, and when that frame begins at the earliest, in
  /// milliseconds behind a vsync at which a task posts to the Worker.
  private static let answers: [(vsync: Int, begin: Double, recording: Recording)] = [
    // The Worker posts the answer 0.15 ms before the vsync, and goes on until 0.3 ms behind it.
    (2, 38, .withWorker(each: 9.278, early: 0.45)),
    // The Worker posts the answer 1.3 ms behind the vsync, while the page is in a task that began before it.
    (1, 25, .withWorker(busy: 6, each: 12.2 / 3)),
  ]

  @Test(arguments: answers.indices)
  func `an answer that ran before a frame does so in the replay`(_ place: Int) throws {
    let (vsync, begin, recording) = Self.answers[place]
    let learned = try learn(recording)
    // What the page makes of the answer follows what the Worker did before it posted it.
    let chain = try #require(learned.items.workloads.first { $0.name == "hash" })
    #expect(chain.steps.last.map { learned.service($0) } == "index")
    let log = try Replay(learned).run("as-recorded")
    let period = 50.0 / 3
    let begins = log.frames.records.filter { $0.beginVsync % 20 == vsync }.map {
      Double($0.begin.nanoseconds) / 1e6 - Double($0.beginVsync - vsync) * period
    }
    // In front of the answer the frame would begin 5 ms earlier.
    #expect(begins.count == 12 && begins.allSatisfy { $0 > begin }, "\(begins)")
  }

  @Test func `what lanes took from a frame is not counted twice`() throws {
    var recording = Recording.withWorker()
    // Two Workers and the page are three threads on two cores.
    var second = recording.threads[1]
    second.number = 9
    recording.threads.append(second)
    recording.cores = 2
    let learned = try learn(recording)
    #expect(learned.lanes.count == 2)
    // The Workers work from 5.3 to 35.8 ms behind every 20th vsync. Frames begin 0.2 ms late and paint for 1 ms.
    for vsync in [1, 2, 21, 22] {
      #expect(abs(learned.items.drawing[vsync] - 866_667) < 10, "\(learned.items.drawing[vsync])")
    }
    for vsync in [0, 5, 20] { #expect(learned.items.drawing[vsync] == 1_200_000) }
    recording.cores = 3
    #expect(try learn(recording).items.drawing[1] == 1_200_000)
  }

  @Test func `a task lost no more to other threads than it was off its processor`() {
    let busy = [0..<Int64(30_000_000)]
    let contention = Contention([busy, busy, busy], cores: 2)
    func left(running: Double?, piece: Double) -> [Int64] {
      let task = RecordedTask(
        begin: 0, end: 30_000_000, posted: nil, handOff: nil, running: running,
        pieces: [
          RecordedTask.Piece(
            slice: 0, begin: 0, end: 30_000_000, running: piece, waiting: 1 - piece)
        ])
      let piece = contention.adjusted(task).pieces[0]
      return [piece.cpu, piece.wait].map { ($0 + 500) / 1000 }
    }
    // It lost 10 ms, which were part of what it was off its processor.
    #expect(left(running: 0.5, piece: 0.5) == [15_000, 5000])
    #expect(left(running: 0.9, piece: 0.9) == [27_000, 0])
    // A page's own measure has no processor time of its own.
    #expect(left(running: 0.9, piece: 1) == [27_000, 0])
    #expect(left(running: nil, piece: 1) == [20_000, 0])
    #expect(Contention([busy, busy], cores: 2).lost(from: 0, to: 30_000_000) == 0)
  }

  @Test func `threads that hand something to and fro make items of at most 16 tasks`() throws {
    var main: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var worker = main
    var posts: (main: [RecordedPost], worker: [RecordedPost]) = ([], [])
    for turn in 0..<100 {
      let begin = 10 * Double(turn)
      if turn > 0 {
        posts.main.append(RecordedPost(slice: 2 * turn, instant: .ms(begin - 0.15), origin: 8))
      }
      main += [("RunTask", begin, begin + 2, 0), ("FunctionCall", begin, begin + 2, 1)]
      posts.worker.append(RecordedPost(slice: 2 * turn, instant: .ms(begin + 2), origin: 7))
      worker += [
        ("RunTask", begin + 2.1, begin + 9.9, 0), ("FunctionCall", begin + 2.2, begin + 9.9, 1),
      ]
    }
    let learned = try learn(.threads(main, posts.main, worker, posts.worker))
    let tasks = learned.items.workloads.flatMap { workload in
      workload.items.map { _ in workload.steps.count }
    }
    #expect(tasks.reduce(0, +) == 400 && tasks.max() == 32, "\(tasks)")
    #expect(try Replay(learned).run("as-recorded").violations.isEmpty)
  }

  @Test func `a thread without arrows or without work of the app is no lane`() throws {
    var recording = Recording.withWorker()
    for thread in recording.threads.indices {
      for post in recording.threads[thread].posts.indices {
        recording.threads[thread].posts[post].origin = nil
      }
    }
    #expect(try learn(recording).lanes == [])
    var other = Recording.withWorker()
    other.names = other.names.map {
      $0 == "FunctionCall" || $0 == "hash" ? "ProxyImpl::Commit" : $0
    }
    #expect(try learn(other).lanes == [])
  }

  @Test func `a name that is on both threads is two services`() throws {
    var recording = Recording.withWorker()
    recording.names = recording.names.map { $0 == "index" ? "hash" : $0 }
    let learned = try learn(recording)
    #expect(
      learned.services.sorted() == [
        "DedicatedWorker-thread-hash", "DedicatedWorker-thread-other", "hash", "paint",
      ])
    #expect(learned.movable == ["hash"])
    // The main thread's is what the change of an app is told by.
    #expect(learned.mainThreadLoad(of: "hash").load.rounded() == 15)
    #expect(learned.serviceRules.count == 2)
  }

  @Test func `the report names the lanes and where their services are, and nothing if it may not`()
    throws
  {
    for isAnonymous in [false, true] {
      let learned = try learn(.withWorker(), isAnonymous: isAnonymous)
      let comparison = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
      let text = LearnReport(learned, comparison, moves: []).text
      let lane = isAnonymous ? "lane-1" : "DedicatedWorker-thread"
      #expect(text.contains("a lane each: \(lane) (368.3 ms)"), "\(text)")
      #expect(text.contains("already on \(lane)"))
      let files =
        [learned.scenario(replay: .good), text] + learned.tables.flatMap { [$0.name, $0.text] }
      #expect(files.contains { $0.contains("Dedicated") } == !isAnonymous)
    }
  }
}

extension Recording {
  /// A UI thread, number 7, and a Worker, number 8.
  fileprivate static func threads(
    _ main: [(name: String, begin: Double, end: Double, depth: Int32)], _ posts: [RecordedPost],
    _ worker: [(name: String, begin: Double, end: Double, depth: Int32)],
    _ workerPosts: [RecordedPost], frames: [RecordedFrame] = []
  ) -> Recording {
    var recording = Recording.slices(main, frames: frames, posts: posts)
    let other = Recording.slices(worker)
    var slices = other.threads[0].slices
    for place in slices.indices {
      let name = other.names[Int(slices[place].name)]
      if !recording.names.contains(name) { recording.names.append(name) }
      slices[place].name = Int32(recording.names.firstIndex(of: name) ?? 0)
    }
    recording.threads.append(
      RecordedThread(
        number: 8, name: "DedicatedWorker thread", slices: slices, posts: workerPosts))
    recording.length = max(recording.length, other.length)
    return recording
  }

  /// 4 s at 60 Hz of frames that paint for 1 ms. At every 20th vsync, 5 ms behind it, a task posts to a Worker after 0.2 ms,
  /// and goes on for `after` ms. Another task begins 14 ms behind the vsync and takes `busy` ms. The Worker hashes `tasks`
  /// times for `each` ms and posts back `early` ms before its end; a task of 0.2 ms and 5 ms of `index` follows, behind a frame
  /// if one waits.
  fileprivate static func withWorker(
    after: Double = 0, busy: Double = 0, tasks: Int = 3, each: Double = 10, early: Double = 0
  ) -> Recording {
    let period = 50.0 / 3
    var main: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var worker = main
    var frames: [RecordedFrame] = []
    /// When posts came that the tasks handle which begin then.
    var handed: [(begin: Double, at: Double)] = []
    var back = Double.infinity
    var free = 0.0
    func index(at begin: Double) {
      handed.append((begin, back))
      main += [("RunTask", begin, begin + 5.2, 0), ("index", begin + 0.2, begin + 5.2, 1)]
      (free, back) = (begin + 5.2, .infinity)
    }
    for vsync in 0..<240 {
      let at = Double(vsync) * period
      if back + 0.1 < max(at, free) { index(at: max(back + 0.1, free)) }
      let begin = max(at + 0.2, free)
      main += [("RunTask", begin, begin + 1, 0), ("paint", begin, begin + 1, 1)]
      frames.append(
        RecordedFrame(
          vsync: .ms(at), work: TimeSpan.ms(begin).nanoseconds..<TimeSpan.ms(begin + 1).nanoseconds,
          presented: .ms(begin + 3), verdict: .shown))
      free = begin + 1
      guard vsync % 20 == 0 else { continue }
      main += [("RunTask", at + 5, at + 5.2 + after, 0)]
      free = at + 5.2 + after
      if busy > 0 {
        main += [("RunTask", at + 14, at + 14 + busy, 0)]
        free = at + 14 + busy
      }
      let first = at + 5.3
      let last = first + 0.5 + each * Double(tasks)
      worker += [("RunTask", first, last, 0), ("FunctionCall", first + 0.2, last, 1)]
      worker += (0..<tasks).map {
        ("hash", first + 0.5 + each * Double($0), first + 0.5 + each * Double($0 + 1), 2)
      }
      back = last - early
    }
    return .threads(
      main,
      handed.compactMap { task in
        main.firstIndex { $0.begin == task.begin && $0.depth == 0 }.map {
          RecordedPost(slice: $0, instant: .ms(task.at), origin: 8)
        }
      }, worker,
      worker.indices.filter { worker[$0].depth == 0 }.map {
        RecordedPost(slice: $0, instant: .ms(worker[$0].begin - 0.1), origin: 7)
      }, frames: frames)
  }
}
