import TestSupport
import Testing

@testable import SchedulableObjects

/// Objects that send events to themselves.
@Suite struct SelfSchedulingTests {
  /// Not `Sendable`, and without a handle to itself.
  private final class Clock {
    private let here: SchedulerContext
    private let heard: Recorder<String>
    private var ticking: RepeatedEvent?

    init(_ here: SchedulerContext, _ heard: Recorder<String>) {
      (self.here, self.heard) = (here, heard)
    }

    deinit {
      ticking?.cancel()
      heard.add("gone")
    }

    func start() {
      ticking = here.schedule(every: .milliseconds(10)) { [unowned self] in hear("tick") }
      here.schedule(after: .milliseconds(15)) { [unowned self] in hear("once") }
      here.schedule(after: .milliseconds(16)) { [unowned self] in hear("never") }.cancel()
      here.schedule(replacing: "shown") { [unowned self] in hear("replaced") }
      here.schedule(replacing: "shown") { [unowned self] in hear("shown") }
      here.schedule(priority: .user) { [unowned self] in hear("soon") }
      hear("started")
    }

    private func hear(_ word: String) { heard.add(word) }
  }

  @Test func `an object keeps the context of its scheduler, and schedules itself`() async throws {
    let heard = Recorder<String>()
    let scheduler = ManualScheduler()
    do {
      let clock = try await scheduler.assemble { here in here.bind(Clock(here, heard)) }
      clock.schedule { $0.start() }
      scheduler.advance(by: .milliseconds(25))
    }
    scheduler.run()
    #expect(heard.all == ["started", "soon", "shown", "tick", "once", "tick", "gone"])
    scheduler.advance(by: .seconds(1))
    #expect(heard.count == 7)
  }

  @Test func `an object that keeps the context does not keep its thread`() async throws {
    let heard = Recorder<String>()
    let thread: Weak
    do {
      let scheduler = try ThreadScheduler(name: "clock")
      thread = Weak(scheduler.loop)
      let clock = try await scheduler.assemble { here in here.bind(Clock(here, heard)) }
      clock.schedule { $0.start() }
      // What is not cancelled has run before the object goes: it refers to the object without keeping it.
      #expect(await eventually { heard.all.contains("tick") && heard.all.contains("once") })
    }
    #expect(await eventually { heard.all.last == "gone" && thread.isGone })
  }

  @Test func `an actor schedules itself, too`() async throws {
    let heard = Recorder<String>()
    let scheduler = ManualScheduler()
    let clock = ActorClock(scheduler, heard)
    let ticking = clock.schedule(every: .milliseconds(10)) { $0.hear("tick") }
    clock.schedule(after: .milliseconds(15)) { $0.hear("once") }
    scheduler.advance(by: .milliseconds(25))
    ticking.cancel()
    scheduler.advance(by: .seconds(1))
    #expect(heard.all == ["tick", "once", "tick"])
  }
}

private final class Weak: Sendable {
  // Proof: written once, by the initialiser; reading a weak reference is atomic.
  nonisolated(unsafe) private weak var loop: SchedulerLoop?

  init(_ loop: SchedulerLoop) { unsafe self.loop = loop }

  var isGone: Bool { unsafe loop == nil }
}

private actor ActorClock: Schedulable {
  nonisolated let scheduler: any Scheduler
  private let heard: Recorder<String>

  init(_ scheduler: any Scheduler, _ heard: Recorder<String>) {
    (self.scheduler, self.heard) = (scheduler, heard)
  }

  func hear(_ word: String) { heard.add(word) }
}
