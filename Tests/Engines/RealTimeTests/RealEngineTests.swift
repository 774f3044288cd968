import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Whole runs on this machine, with checks that hold under any load: no time limits.
@Suite struct `The real engine` {
  /// Every strategy that this build can run.
  static let names = StrategyCatalog.all(for: TestScenario.make(files: 1)).map(\.name).filter {
    name in
    let strategy = try? StrategyCatalog.strategy(name, for: TestScenario.make(files: 1))
    return strategy.map { CarrierSupply.ofThisBuild.lack(for: $0.arrangement) == nil } ?? true
  }

  /// Slow: runs every strategy in real time.
  @Test(arguments: names)
  func `accounts for every item and frame under every named arrangement`(
    _ name: String
  ) async throws {
    let log = try await run(name, files: 30)
    #expect(log.violations == [])
    #expect(log.status == .complete)
    #expect(log.items[0].arrivals.count == 30)
    #expect(log.totals.exclusionViolations == 0)
    let metrics = RunMetrics(log)
    #expect(metrics.frames.expected == 60)
    #expect(metrics.frames.presented + metrics.frames.dropped == 60)
    #expect(log.frames.records.count == log.frames.begins.count)
    #expect(log.warmupFrames > 0)
  }

  @Test func `does everything on the main thread and posts nothing under main-thread`() async throws
  {
    let log = try await run("main-thread", files: 30)
    #expect(log.totals.hops == 0)
    #expect(log.totals.threads.map(\.name) == ["main"])
    // Time passes while a thread works, however busy the machine is.
    #expect(log.frames.totals[.logic] >= .microseconds(2500) * log.items[0].doneCount)
    // 30 x 2.6 ms in one frame: 78 ms of work cannot be on time on any machine.
    #expect(RunMetrics(log).frames.dropped >= 4)
  }

  @Test func `keeps business logic off the main thread under schedulable`() async throws {
    let plan = try plan("schedulable", files: 30, duration: .seconds(60))
    let log = try await realRun(until: { $0.itemsDelivered > 30 && $0.publishing > .zero }) {
      try RealEngine().run(plan, watch: $0)
    }
    // Items that have not been delivered by the end are not posted.
    #expect((30...log.items.reduce(0) { $0 + $1.arrivals.count }).contains(log.totals.hops))
    #expect(log.totals.threads.map(\.name) == ["main", "background"])
    #expect(log.totals.publishing > .zero)
  }

  @Test func `admits only a batch under throttled`() async throws {
    let log = try await run("throttled", [("batch", "10"), ("interval", "10 s")], files: 30)
    #expect(log.items[0].doneCount <= 10)
    #expect(log.items[0].pendingCount >= 20)
  }

  @Test func `burns the processor time of the steps`() async throws {
    let log = try await realRuns(
      of: plan("schedulable", files: 30, steps: .milliseconds(2)), until: Self.hasDone)
    let background = try #require(log.totals.threads.first { $0.name == "background" })
    let done = log.items[0].doneCount
    #expect(done > 0)
    // Two steps of 2 ms each, the one under way at the end, taps; copying snapshots comes on top.
    #expect(background.cpu >= .milliseconds(4) * done - .milliseconds(1))
    #expect(background.cpu < .milliseconds(4) * (done + 1) + .milliseconds(500))
  }

  /// More threads than processors, each with work for longer than the run, at the main thread's nice value.
  @Test func `distinguishes frames delayed by own threads from those delayed by the machine`()
    async throws
  {
    let log = try await crowded(lanes: HostFacts.usableCores + 1) {
      $0.frames.totals[.preempted] > .zero
    }
    #expect(log.frames.totals[.preempted] > .zero)
    #expect(log.totals.hostLoad != nil)
    #expect(RunMetrics(log)["disturbed"] != nil)
  }

  @Test func `fewer threads than processors never crowd out the main thread`() async throws {
    let log = try await crowded(lanes: HostFacts.usableCores - 1)
    #expect(log.frames.totals[.preempted] == .zero)
    #expect(RunMetrics(log)["drops_preempted"] == 0)
  }

  private func crowded(
    lanes count: Int, until shows: (RunLog) -> Bool = { _ in true }
  ) async throws -> RunLog {
    var scenario = TestScenario.make(files: 2000)
    let file = scenario.workloads[0]
    scenario.workloads = []
    for number in 0..<count {
      var workload = file
      workload.name = "files-\(number)"
      let load = Step.Load.cpu(.constant(.milliseconds(2)))
      workload.steps = [Step(name: "hash", service: ServiceIndex(number), load: load)]
      scenario.workloads.append(workload)
    }
    scenario.services = PerService((0..<max(1, count)).map { Service(name: "service-\($0)") })
    scenario.reads = []
    scenario.display = Display(
      refresh: RefreshRate(60), render: .constant(.milliseconds(10)))
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += (0..<count).map { Lane(name: "lane-\($0)", carrier: .thread) }
    arrangement.placement = PerService(
      (0..<max(1, count)).map { .home(LaneIndex(min($0 + 1, count))) })
    let plan = RunPlan(scenario, under: Strategy(name: "crowded", arrangement: arrangement))
    let log = try await realRuns(of: plan, until: shows)
    #expect(log.violations == [])
    return log
  }

  @Test func `runs an arrangement with two lanes and posts between them`() async throws {
    let scenario = TestScenario.make(files: 20, duration: .seconds(60))
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += [
      Lane(name: "files", carrier: .scheduler), Lane(name: "network", carrier: .thread),
    ]
    arrangement.placement = [.home(1), .home(2)]
    arrangement.reading = .snapshot(.perFrame)
    arrangement.returning = .drained(budget: .milliseconds(2))
    let plan = RunPlan(scenario, under: Strategy(name: "two-lanes", arrangement: arrangement))
    let log = try await realRun(until: { $0.itemsDone > 20 }) {
      try RealEngine().run(plan, watch: $0)
    }
    #expect(log.violations == [])
    let done = log.items.map(\.doneCount)
    #expect(done[0] > 0)
    #expect(log.totals.hops >= 2 * done[0] + done[1])
    #expect(log.totals.hops <= 2 * 20 + log.items[1].arrivals.count)
  }

  /// Its next lane may want the very lock that the item was under.
  @Test(arguments: [Lock.Hold.item, .nested], [LaneIndex.main, 1])
  func `releases an item's locks before it posts the item to the next lane`(
    _ hold: Lock.Hold, from lane: LaneIndex
  ) async throws {
    let scenario = TestScenario.make(
      files: 20, step: .microseconds(200), duration: .seconds(60))
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += ["one", "two"].map { Lane(name: $0, carrier: .thread) }
    arrangement.locks = [Lock(name: "gallery", kind: .fair, hold: hold)]
    arrangement.placement = [.guarded(0), .home(2)]
    (arrangement.entry, arrangement.reading) = ([lane, lane], .locked)
    var options = RealEngine.Options()
    options.detail = .trace
    let plan = RunPlan(scenario, under: Strategy(name: "onward", arrangement: arrangement))
    let log = try await realRun(until: { $0.itemsDone > 20 }) { [options] in
      try RealEngine(options).run(plan, watch: $0)
    }
    #expect(log.violations == [])
    let onward = try #require(log.trace).threads.flatMap(\.posts)
    #expect(onward.contains { $0.item.step == 1 })
    #expect(onward.allSatisfy { !$0.isUnderLock })
  }

  @Test func `continues an item that returns to the main thread`() async throws {
    let scenario = TestScenario.make(files: 10)
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "files", carrier: .scheduler))
    arrangement.placement = [.home(1), .home(.main)]
    arrangement.reading = .snapshot(.perFrame)
    let plan = RunPlan(scenario, under: Strategy(name: "partial", arrangement: arrangement))
    let log = try await realRuns(of: plan, until: Self.hasDone)
    #expect(log.violations == [])
    #expect(log.items[0].doneCount > 0)
    #expect(log.frames.totals[.logic] > .zero)
  }

  @Test func `counts what is left as pending when its time is up`() async throws {
    for name in ["main-thread", "schedulable", "threads-and-locks"] {
      let log = try await run(name, files: 5000)
      #expect(log.violations == [])
      #expect(log.items[0].pendingCount > 0)
      #expect(log.items[0].doneCount + log.items[0].pendingCount == 5000)
    }
  }

  @Test func `adds the age of the state on the screen when a hang lasts to the end`() async throws {
    // 5000 files are 13 s on the main thread: nothing is read any more.
    let log = try await realRuns(of: plan("main-thread", files: 5000)) {
      $0.totals.stateAges.stale.count > 0
    }
    let ages = log.totals.stateAges
    #expect(ages.stale.count == 1)
    #expect(ages.stale.allSatisfy { $0 < TimeSpan.seconds(1).nanoseconds })
  }

  @Test func `answers a tap within the frame that ran its result`() async throws {
    let log = try await run("main-thread", files: 1)
    let tap = log.items[1]
    for (arrival, shown) in zip(tap.arrivals, tap.responses) where shown >= 0 {
      #expect(shown > arrival)
      #expect(
        log.frames.refresh.vsync(
          log.frames.refresh.firstVsync(atOrAfter: Instant(nanoseconds: shown))
        ).nanoseconds == shown)
    }
  }

  private static func hasDone(_ log: RunLog) -> Bool { log.items[0].doneCount > 0 }

  private func plan(
    _ name: String, _ options: [(key: String, value: String)] = [], files: Int,
    steps: TimeSpan = .microseconds(1300), duration: TimeSpan = .seconds(1)
  ) throws -> RunPlan {
    let scenario = TestScenario.make(files: files, step: steps, duration: duration)
    let strategy = try StrategyCatalog.strategy(name, options: options, for: scenario)
    return RunPlan(scenario, under: strategy)
  }

  private func run(
    _ name: String, _ options: [(key: String, value: String)] = [], files: Int
  ) async throws -> RunLog {
    let plan = try plan(name, options, files: files)
    return try await realRun { try RealEngine(carriers: .ofThisBuild).run(plan) }
  }
}

enum TestScenario {
  /// 60 Hz: files of two steps at 100 ms, a tap every 300 ms, a UI that reads the first service.
  static func make(
    files: Int, step: TimeSpan = .microseconds(1300), duration: TimeSpan = .seconds(1)
  ) -> Scenario {
    func load(_ span: TimeSpan) -> Step.Load { .cpu(.constant(span)) }
    let steps = [
      Step(name: "stat", service: 0, load: load(step)),
      Step(name: "send", service: 1, load: load(step)),
    ]
    let tap = Step(name: "tap", service: 0, load: load(.microseconds(100)))
    return Scenario(
      name: "test", display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(2))),
      duration: duration, warmup: .milliseconds(50), seed: 7,
      services: [Service(name: "gallery", records: 2000), Service(name: "uploader")],
      workloads: [
        Workload(name: "add", arrival: .once(files, start: .milliseconds(100)), steps: steps),
        Workload(
          name: "tap",
          arrival: .batch(1, every: .milliseconds(300), start: .milliseconds(50)), steps: [tap],
          priority: .user, respondWithin: .milliseconds(100)),
      ],
      reads: [UIRead(service: 0, cpu: .constant(.microseconds(20)))])
  }
}

extension ThreadTrace {
  /// The posts of the thread, and whether it held a lock.
  fileprivate var posts: [(item: TraceStep, isUnderLock: Bool)] {
    let holds = spans.filter { if case .lockHold = $0.activity { true } else { false } }
    return spans.compactMap { span in
      guard case .post(let place) = span.activity else { return nil }
      return (place, holds.contains { $0.begin < span.begin && span.begin < $0.end })
    }
  }
}
