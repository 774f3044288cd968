import SchedulableThreads
import FrameBudget
import Synchronization
import Testing

@testable import FrameBudgetRealTime

/// Real runs that another thread observes. No time limits: the machine may be busy.
@Suite struct `A watched real run` {
  @Test(arguments: ["main-thread", "schedulable", "threads-and-locks"])
  func `shows each of its frames once, and the state of its items`(_ name: String) async throws {
    let watch = RunWatch()
    let seen = Seen()
    let log = try await run(name, watch) { seen.take(watch.observe()) }
    seen.take(watch.observe())
    let frames = seen.frames
    // The run's end cuts off the last one, or decides when it is shown.
    #expect(Array(frames.dropLast()) == Array(log.frames.records.prefix(max(0, frames.count - 1))))
    #expect(log.frames.records.count - frames.count <= 1)
    #expect(seen.last.isOver)
    #expect(seen.last.now == Instant.zero + log.duration)
    #expect(seen.last.itemsDone >= log.items.reduce(0) { $0 + $1.doneCount })
    #expect(seen.last.lanes.count == log.totals.threads.count)
    let expected = log.items[1].responses.count { $0 >= 0 }
    #expect(seen.responses == expected)
  }

  /// The last step goes on for a second and a half, as in a run that nobody watches.
  @Test func `ends when it is planned to, also while its last step goes on`() async throws {
    var scenario = TestScenario.make(files: 1)
    scenario.duration = .milliseconds(500)
    scenario.workloads[0].steps[0].load = .cpu(.constant(.seconds(2)))
    var (log, seen) = try await observed(scenario)
    // The machine may stand still from the arrival to the end; then the step never begins.
    for _ in 1..<5 where log.totals.mainCPU ?? .zero < .seconds(1) {
      (log, seen) = try await observed(scenario)
    }
    let end = Instant.zero + scenario.duration
    #expect(log.duration == scenario.duration && log.items[0].doneCount == 0)
    #expect(seen.all.allSatisfy { ($0.now ?? .zero) <= end })
    #expect(seen.all.filter { $0.now == end }.count > 1)
    #expect(seen.last.isOver && seen.last.now == end)
    #expect(seen.all.allSatisfy { $0.itemsDone <= log.items.reduce(0) { $0 + $1.doneCount } })
    // The frame that the end cuts off is as long as in the log.
    let cut = try #require(log.frames.records.last)
    let open = try #require(seen.last.openFrame)
    #expect(open.beginVsync == cut.beginVsync && open.workEnd == cut.workEnd)
    #expect(open.dropped == cut.dropped)
  }

  @Test func `reports the time of the other threads`() async throws {
    let watch = RunWatch()
    let log = try await run("schedulable", watch) {}
    let lanes = watch.observe().lanes
    #expect(lanes[0] == LaneUse())
    // Thirty items of two steps of 1.3 ms.
    #expect(lanes[1].busy >= .milliseconds(2) * log.items[0].doneCount)
  }

  @Test func `ends between two steps when it is stopped, also within a hang`() async throws {
    let watch = RunWatch()
    let log = try await run("main-thread", of: Self.longHang, watch) {
      if watch.observe().openFrame.map({ $0.beginVsync >= 6 }) ?? false { watch.stop() }
    }
    #expect(log.status == .interrupted)
    #expect(log.violations == [])
    #expect(log.items[0].pendingCount > 0)
  }

  /// Taps come every 300 ms from 50 ms on and may take 100.
  @Test func `reports the cause of a hang under way, and the overdue responses`() async throws {
    let watch = RunWatch()
    let seen = Seen()
    _ = try await run("main-thread", of: Self.longHang, watch) {
      let observation = watch.observe()
      seen.take(observation)
      guard let now = observation.now, now > .zero + .milliseconds(800) else { return }
      if Self.isHang(observation) { watch.stop() }
    }
    let hang = seen.all.filter(Self.isHang)
    let last = try #require(hang.last)
    let (open, now) = (try #require(last.openFrame), try #require(last.now))
    // Two vsyncs late, this is the machine's fault only if it took the processor from main for most of them.
    let away = open.spans[.wakeup] + open.spans[.preempted] + open.spans[.machine]
    #expect(open.cause == .logic || away > .milliseconds(16), "\(String(describing: open))")
    // A response that was given before the hang is not overdue.
    func isDue(_ arrival: Instant) -> Bool { now - arrival > .milliseconds(100) }
    let due = (0..<200).count { isDue(.zero + .milliseconds(50 + 300 * $0)) }
    let answered = seen.all.flatMap(\.responses).count { isDue($0.arrival) }
    #expect(last.responsesOverdue.count == due - answered)
    #expect(due > answered)
    #expect(hang.allSatisfy { $0.openFrame?.cause != nil })
  }

  /// A hang of thirteen seconds, unless the run is ended, which every observer sees. With more files, dispatching them would
  /// take most of the time of a sanitizer build.
  private static let longHang = TestScenario.make(files: 5000, duration: .seconds(60))

  /// Whether main is late because of its work, and not only because of other load of the machine.
  private static func isHang(_ observation: RunObservation) -> Bool {
    observation.openFrame.map { $0.lateVsyncs > 2 && $0.spans[.logic] > .milliseconds(20) } ?? false
  }

  @Test func `runs items that are added during the run`() async throws {
    let watch = RunWatch()
    let hasAdded = Atomic<Bool>(false)
    // Much longer than until the next frame.
    let scenario = TestScenario.make(files: 30, duration: .seconds(3))
    let log = try await run("schedulable", of: scenario, watch) {
      guard watch.observe().now != nil, !hasAdded.exchange(true, ordering: .relaxed) else { return }
      watch.add(7, of: 0)
      watch.add(2, of: 1)
    }
    #expect(log.violations == [])
    #expect(log.items[0].arrivals.count == 30 + 7)
    #expect(log.items[1].arrivals.count == 10 + 2)
    #expect(Array(log.items[0].arrivals) == log.items[0].arrivals.sorted())
  }

  @Test func `keeps no more frames than it has room for if they are not read`() throws {
    let watch = RunWatch()
    let record = FrameRecord(
      beginVsync: 0, presentVsync: 1, begin: .zero, workEnd: .zero, cause: nil, items: 0,
      queueDepth: 0, spans: PhaseSpans())
    for _ in 0..<5000 { watch.frameReady(record) }
    #expect(watch.observe().frames.count == 2048)
    #expect(watch.observe().frames.isEmpty)
  }

  /// Runs `scenario` with `look` called again and again on another thread.
  private func run(
    _ name: String, of scenario: Scenario = TestScenario.make(files: 30), _ watch: RunWatch,
    look: @escaping @Sendable () -> Void
  ) async throws -> RunLog {
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    return try await realRun(watchedBy: look) { try RealEngine().run(plan, watch: watch) }
  }

  /// Runs `scenario` on the main thread, and returns what another thread has seen of it from the start to the end.
  private func observed(_ scenario: Scenario) async throws -> (log: RunLog, seen: Seen) {
    let (watch, seen) = (RunWatch(), Seen())
    let log = try await run("main-thread", of: scenario, watch) { seen.take(watch.observe()) }
    seen.take(watch.observe())
    return (log, seen)
  }

  private final class Seen: Sendable {
    private let observations = Locked<[RunObservation]>([])

    func take(_ observation: RunObservation) { observations.withLock { $0.append(observation) } }
    var frames: [FrameRecord] { observations.withLock { $0.flatMap(\.frames) } }
    var responses: Int { observations.withLock { $0.reduce(0) { $0 + $1.responses.count } } }
    var all: [RunObservation] { observations.withLock { $0 } }
    var last: RunObservation { observations.withLock { $0.last } ?? RunObservation() }
  }
}
