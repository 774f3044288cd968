import SchedulableThreads
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// Real runs whose threads wait endlessly for each other. No time limits: the machine may be busy.
@Suite struct `A real run in a deadlock` {
  /// More than one thread does in a run, however late the other begins.
  private static let files = 400

  /// Files take the gallery, sleep, and take the uploader; others do it the other way round. Those that miss each
  /// other at first meet later: each sleeps for longer than all its other work takes.
  private static let scenario = {
    var scenario = TestScenario.make(files: files, step: .microseconds(100))
    for step in [0, 1] { scenario.workloads[0].steps[step].wait = .constant(.milliseconds(8)) }
    var others = scenario.workloads[0]
    others.name = "others"
    others.steps.reverse()
    scenario.workloads[1] = others
    return scenario
  }()

  private static func plan(
    _ kind: Lock.Kind, hold: Lock.Hold = .nested, entry: PerWorkload<LaneIndex> = [1, 2],
    seconds: Int64 = 3
  ) -> RunPlan {
    var scenario = scenario
    scenario.duration = .seconds(seconds)
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += ["one", "two"].map { Lane(name: $0, carrier: .thread) }
    arrangement.locks = PerLock(
      scenario.services.map { Lock(name: $0.name, kind: kind, hold: hold) })
    arrangement.placement = [.guarded(0), .guarded(1)]
    arrangement.entry = entry
    arrangement.reading = .locked
    return RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
  }

  private func expectDeadlock(_ log: RunLog, of threads: Set<String>) throws {
    #expect(log.violations == [])
    #expect(log.totals.deadlocks.count == 1)
    let deadlock = try #require(log.totals.deadlocks.first)
    #expect(Set(deadlock.threads) == threads)
    #expect(Set(deadlock.locks) == ["gallery", "uploader"])
    #expect(deadlock.since >= .zero && deadlock.since <= .zero + log.duration)
    for items in log.items {
      #expect(items.pendingCount > 0)
      #expect(items.doneCount + items.pendingCount == Self.files)
    }
    #expect(log.frames.presented < log.frames.expected)
  }

  @Test(arguments: Lock.Kind.allCases)
  func `ends at its duration, accounts for every item, and names the locks`(
    _ kind: Lock.Kind
  ) async throws {
    let log = try await realRun { try RealEngine().run(Self.plan(kind)) }
    #expect(log.status == .complete)
    try expectDeadlock(log, of: ["one", "two"])
  }

  @Test(arguments: Lock.Kind.allCases)
  func `ends so if the main thread is one of the waiting threads`(_ kind: Lock.Kind) async throws {
    let plan = Self.plan(kind, entry: [1, .main])
    let log = try await realRun { try RealEngine().run(plan) }
    #expect(log.status == .complete)
    try expectDeadlock(log, of: ["one", "main"])
  }

  @Test func `ends when it is stopped, long before its duration`() async throws {
    let log = try await realRun(until: Self.isHang) {
      try RealEngine().run(Self.plan(.barging, seconds: 600), watch: $0)
    }
    #expect(log.status == .interrupted)
    try expectDeadlock(log, of: ["one", "two"])
  }

  /// Whether main waits for a lock in a deadlock, for longer than the machine or other work has delayed its frame.
  private static func isHang(_ observation: RunObservation) -> Bool {
    !observation.deadlocks.isEmpty && observation.openFrame?.cause == .lock
  }

  @Test func `is reported while it lasts, with its cost so far`() async throws {
    let seen = Locked(RunObservation())
    let log = try await realRun(until: { observation in
      if Self.isHang(observation) { seen.withLock { $0 = observation } }
      return Self.isHang(observation)
    }) {
      try RealEngine().run(Self.plan(.barging, entry: [1, .main], seconds: 600), watch: $0)
    }
    let observation = seen.withLock { $0 }
    #expect(observation.deadlocks == log.totals.deadlocks)
    let open = try #require(observation.openFrame)
    #expect(open.cause == .lock && open.lateVsyncs > 0)
    #expect(open.spans[.lockWait] > .zero)
    #expect(observation.lanes[1].waiting > .zero)
  }

  @Test(arguments: [Lock.Hold.step, .item])
  func `does not occur if one lock is held at a time`(_ hold: Lock.Hold) async throws {
    let log = try await realRun { try RealEngine().run(Self.plan(.barging, hold: hold)) }
    #expect(log.violations == [])
    #expect(log.totals.deadlocks == [])
    for items in log.items { #expect(items.doneCount > 0) }
  }
}
