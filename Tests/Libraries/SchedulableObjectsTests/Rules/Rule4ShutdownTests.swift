import SchedulableThreads
import Foundation
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 4: shutting down is total") struct Rule4ShutdownTests {
  static let modes: [ShutdownMode] = [.drain, .drop, .deadline(.milliseconds(2))]

  @Test(arguments: QueueVariant.allCases, modes)
  func `rule 4, every call is answered exactly once while the scheduler shuts down`(
    queue: QueueVariant, mode: ShutdownMode
  ) async throws {
    for round in 0..<5 {
      let scheduler = try ThreadScheduler(name: "calls", options: queue.options)
      let object = SchedulableObject(Tracked(), on: scheduler)
      let ran = Tally()
      let answers = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<200 { group.addTask { await call(object, ran) } }
        try? await Task.sleep(for: .microseconds(100 * round))
        await scheduler.shutdown(mode)
        return await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      #expect(answers.count == 200)
      #expect(answers.count { $0 } == ran.count)
      #expect(scheduler.counters.refused == answers.count { !$0 })
    }
  }

  @Test(arguments: QueueVariant.allCases, modes)
  func `rule 4, an event that is sent during a shutdown runs or is reported`(
    queue: QueueVariant, mode: ShutdownMode
  ) throws {
    for _ in 0..<10 {
      let (ran, refused) = (Tally(), Tally())
      let scheduler = try ThreadScheduler(
        name: "race", options: queue.options.with { $0.report = { _ in refused.add() } })
      let senders = try (0..<4).map { _ in
        try PlatformThread(name: "sender") {
          for _ in 0..<1_000 { scheduler.schedule { ran.add() } }
        }
      }
      scheduler.shutdownBlocking(mode)
      for sender in senders { sender.join() }
      #expect(ran.count + refused.count == 4_000)
      #expect(scheduler.counters.events == ran.count)
      #expect(scheduler.counters.refused == refused.count)
    }
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 4, drain runs waiting events, and refuses later ones and those not due`(
    queue: QueueVariant
  ) throws {
    let (scheduler, reports) = try reporting(queue)
    let seen = Recorder<Int>()
    let gate = scheduler.holdAtGate()
    for number in 0..<100 { scheduler.schedule { seen.add(number) } }
    scheduler.schedule(after: .seconds(3600)) { seen.add(-1) }
    scheduler.beginShutdown(.drain)
    scheduler.schedule { seen.add(-2) }
    gate.open()
    scheduler.shutdownBlocking()
    #expect(seen.all == Array(0..<100))
    let refusal = Report.refused(Refusal(scheduler: "reporting", reason: .shutDown))
    #expect(reports.all == [refusal, refusal])
  }

  @Test(arguments: QueueVariant.allCases, [ShutdownMode.drop, .deadline(.zero)])
  func `rule 4, dropped events are reported one by one`(
    queue: QueueVariant, mode: ShutdownMode
  ) throws {
    let (scheduler, reports) = try reporting(queue)
    let gate = scheduler.holdAtGate()
    for _ in 0..<100 { scheduler.schedule { Issue.record("ran") } }
    scheduler.beginShutdown(mode)
    gate.open()
    scheduler.shutdownBlocking()
    #expect(reports.count == 100)
    #expect(scheduler.counters.refused == 100)
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 4, a second shutdown can make it quicker, in the middle of a batch`(
    queue: QueueVariant
  ) throws {
    let (scheduler, reports) = try reporting(queue)
    let seen = Recorder<Int>()
    let gate = scheduler.holdAtGate()
    for number in 0..<100 {
      scheduler.schedule {
        seen.add(number)
        if number == 9 { scheduler.beginShutdown(.drop) }
      }
    }
    scheduler.beginShutdown(.drain)
    gate.open()
    scheduler.shutdownBlocking(.drain)
    #expect(seen.all == Array(0..<10))
    #expect(reports.count == 90)
  }

  @Test func `rule 4, the thread is gone after a shutdown`() async throws {
    let scheduler = try ThreadScheduler(name: "gone")
    let path = "/proc/self/task/\(scheduler.threadID)"
    #expect(FileManager.default.fileExists(atPath: path))
    await scheduler.shutdown()
    await scheduler.shutdown()  // again, without effect
    // The kernel wakes who joins a thread before it removes the thread's folder.
    #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
  }

  @Test func `rule 4, an event can begin the shutdown of its own scheduler`() throws {
    let scheduler = try ThreadScheduler(name: "inside")
    let seen = Recorder<Int>()
    let gate = scheduler.holdAtGate()
    scheduler.schedule { scheduler.beginShutdown() }
    scheduler.schedule { seen.add(1) }
    gate.open()
    scheduler.shutdownBlocking()
    #expect(seen.all == [1])
  }

  @Test func `rule 4, an actor can shut down the scheduler that it lives on`() async throws {
    let reports = Recorder<Report>()
    let scheduler = try ThreadScheduler(
      name: "actor's", options: .init().with { $0.report = { reports.add($0) } })
    let actor = Lodger(on: scheduler)
    #expect(await actor.shutDownHome() == 1)
    #expect(await actor.visit() == 2)
    #expect(reports.all.contains(.lateTask(scheduler: "actor's")))
  }

  @Test func `rule 4, a passive scheduler answers undrained calls when it is released`()
    async throws
  {
    let reports = Recorder<Report>()
    let options = SchedulerOptions().with { $0.report = { reports.add($0) } }
    do {
      let main = MainScheduler(options: options)
      main.schedule {}
      ManualScheduler(options: options).schedule {}
    }
    let refused = Report.refused(Refusal(scheduler: "main", reason: .shutDown))
    #expect(reports.all.count { $0 == refused } == 1)
    #expect(reports.all.contains(.forgotten(scheduler: "main", waiting: 1)))
    #expect(reports.all.contains(.forgotten(scheduler: "manual", waiting: 1)))
  }

  @Test func `rule 4, a call of a cancelled task is withdrawn and answered`() async throws {
    let scheduler = ManualScheduler()
    let object = SchedulableObject(Tracked(), on: scheduler)
    let ran = Tally()
    for round in 0..<20 {
      let task = Task { await call(object, ran) }
      for _ in 0..<round { await Task.yield() }
      task.cancel()
      #expect(await task.value == false)  // although no thread runs the scheduler
    }
    scheduler.run()
    #expect(ran.count == 0)
  }

  private func reporting(
    _ queue: QueueVariant
  ) throws -> (ThreadScheduler, Recorder<Report>) {
    let reports = Recorder<Report>()
    let options = queue.options.with { $0.report = { reports.add($0) } }
    return (try ThreadScheduler(name: "reporting", options: options), reports)
  }

  /// Whether the call ran; otherwise it was refused for the shutdown, or cancelled.
  private func call(_ object: SchedulableObject<Tracked>, _ ran: Tally) async -> Bool {
    do {
      try await object.call { _ in ran.add() }
      return true
    } catch {
      return false
    }
  }
}

private actor Lodger: Schedulable {
  nonisolated let scheduler: any Scheduler
  private let home: ThreadScheduler
  private var visits = 0

  init(on home: ThreadScheduler) {
    self.home = home
    scheduler = home
  }

  func shutDownHome() async -> Int {
    await home.shutdown()
    return visit()
  }

  func visit() -> Int {
    visits += 1
    return visits
  }
}
