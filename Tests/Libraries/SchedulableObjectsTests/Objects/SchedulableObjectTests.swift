import TestSupport
import Testing

@testable import SchedulableObjects

@Suite struct SchedulableObjectTests {
  private struct OutOfPaper: Error, Equatable {}

  @Test func `objects that know each other are built and bound together`() async throws {
    let scheduler = try ThreadScheduler(name: "cluster")
    let (options, printer) = try await scheduler.assemble { here in
      let options = Options()
      return (here.bind(options), here.bind(Printer(options)))
    }
    options.schedule { $0.isRich = true }
    #expect(try await printer.call { $0.render("hello") } == "*hello*")
    await scheduler.shutdown()
  }

  @Test func `a call throws the error of its closure`() async throws {
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "throws"))
    await #expect(throws: OutOfPaper()) { try await object.call { _ in throw OutOfPaper() } }
  }

  private enum Request { @TaskLocal static var number = 0 }

  @Test func `a call sees the task-local values of its caller`() async throws {
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "locals"))
    let seen = try await Request.$number.withValue(7) {
      try await object.call { _ in Request.number }
    }
    #expect(seen == 7)
  }

  @Test func `a call has the priority of its task, unless it names one`() async throws {
    let scheduler = try ThreadScheduler(name: "urgent")
    let object = SchedulableObject(Options(), on: scheduler)
    let ran = Recorder<Int>()
    let gate = scheduler.holdAtGate()
    for number in 0..<50 { object.schedule { _ in ran.add(number) } }
    // Immediate, so that both calls are sent before the gate opens.
    let urgent = Task.immediate(priority: .high) {
      try await object.call { _ in
        ran.add(100)
        return Task.currentPriority
      }
    }
    let late = Task.immediate(priority: .high) {
      try await object.call(priority: .background) { _ in ran.add(200) }
    }
    gate.open()
    #expect(try await urgent.value == .high)
    try await late.value
    #expect(ran.all.first == 100)
    #expect(ran.all.last == 200)
    await scheduler.shutdown()
  }

  @Test func `a call from an actor goes to the object's thread and back, by no third thread`()
    async throws
  {
    let pool = try ThreadScheduler(name: "pool")
    let guest = Guest(on: try ThreadScheduler(name: "home"))
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "away"))
    try await Task(executorPreference: pool.loop) {
      try await guest.call(object, times: 20)
    }.value
    // The begin and the end of the task.
    #expect(pool.counters.events <= 2)
    await pool.shutdown()
  }

  @Test func `a call that was withdrawn throws a CancellationError`() async throws {
    let scheduler = try ThreadScheduler(name: "withdrawn")
    let object = SchedulableObject(Options(), on: scheduler)
    let gate = scheduler.holdAtGate()
    let ran = Tally()
    let call = Task { try await object.call { _ in ran.add() } }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    gate.open()
    await scheduler.shutdown()
    #expect(ran.count == 0)
  }

  @Test func `the scheduler of a handle is the one that it was bound to`() throws {
    let scheduler = try ThreadScheduler(name: "same")
    #expect(SchedulableObject(Options(), on: scheduler).scheduler === scheduler)
    let manual = ManualScheduler()
    #expect(SchedulableObject(Options(), on: manual).scheduler === manual)
    let main = MainScheduler()
    #expect(SchedulableObject(Options(), on: main).scheduler === main)
  }

  @Test func `equal keys of several objects and of their scheduler replace nothing`() {
    let scheduler = ManualScheduler()
    let seen = Recorder<Int>()
    let objects = (0..<2).map { _ in SchedulableObject(Options(), on: scheduler) }
    for (number, object) in objects.enumerated() {
      object.schedule(replacing: "key") { _ in seen.add(-1) }
      object.schedule(replacing: "key") { _ in seen.add(number) }
    }
    scheduler.schedule(replacing: "key") { seen.add(2) }
    scheduler.run()
    #expect(seen.all == [0, 1, 2])
  }

  @Test func `the thread sanitizer sees that an answer comes before its use`() async throws {
    let scheduler = try ThreadScheduler(name: "answers")
    let object = SchedulableObject(Options(), on: scheduler)
    // Often enough that some answers come before the task has begun to wait.
    for _ in 0..<20_000 {
      let fresh = try await object.call { _ in
        let options = Options()
        options.isRich = true
        return Answer(options)
      }
      #expect(fresh.options.isRich)
    }
    await scheduler.shutdown()
  }

  @Test func `a running call is cancelled with the task that waits for it`() async throws {
    let scheduler = try ThreadScheduler(name: "cancelled")
    let object = SchedulableObject(Options(), on: scheduler)
    let running = Gate()
    let task = Task {
      try await object.call { _ in
        let before = Task.isCancelled
        running.open()
        return (before, becomesTrue { Task.isCancelled })
      }
    }
    // The task needs one of the threads that tests run on: to wait on such a one could keep it from beginning.
    await onOwnThread { running.wait() }
    task.cancel()
    #expect(try await task.value == (false, true))
    // The next event is independent of it.
    #expect(try await object.call { _ in Task.isCancelled } == false)
    #expect(try await scheduler.assemble { _ in Task.isCancelled } == false)
    await scheduler.shutdown()
  }

  @Test func `a call runs where its object lives, also for what the runtime checks`() async throws {
    let scheduler = try ThreadScheduler(name: "home")
    let guest = Guest(on: scheduler)
    let object = SchedulableObject(Options(), on: scheduler)
    let isHome = try await object.call { _ in
      guest.assumeIsolated { $0.visit() }
      return scheduler.isCurrent
    }
    #expect(isHome)
    #expect(await guest.visits == 1)
    await scheduler.shutdown()
  }

  @Test @MainActor func `a drain within a task does not change the task`() async throws {
    let scheduler = ManualScheduler()
    let object = SchedulableObject(Options(), on: scheduler)
    let answer = Task { try await object.call { _ in Task.isCancelled } }
    let seen = Task { @MainActor in
      while !scheduler.runNext() {
        // In a task of its own, because in this one, cancelled, no sleep lasts.
        await Task { try? await Task.sleep(for: .milliseconds(1)) }.value
      }
      return Task.isCancelled
    }
    seen.cancel()
    #expect(await seen.value)
    #expect(try await answer.value == false)
  }

  @Test func `a direct call happens at once, also back into the caller`() throws {
    let scheduler = ManualScheduler()
    let seen = Recorder<String>()
    let first = SchedulableObject(Options(), on: scheduler)
    let second = SchedulableObject(Options(), on: scheduler)
    first.schedule { options in
      scheduler.assumeIsolated { here in
        second.withDirect(here) { other in
          first.withDirect(here) { $0.isRich = true }
          other.isRich = true
          seen.add("direct")
        }
      }
      seen.add("after")
      #expect(options.isRich)
    }
    scheduler.run()
    #expect(seen.all == ["direct", "after"])
  }

  @Test func `objects take delayed, withdrawn and keyed events`() {
    let scheduler = ManualScheduler()
    let seen = Recorder<Int>()
    let object = SchedulableObject(Options(), on: scheduler)
    object.schedule(after: .seconds(1)) { _ in seen.add(1) }
    object.schedule(after: .seconds(1)) { _ in seen.add(2) }.cancel()
    object.schedule(replacing: "key") { _ in seen.add(3) }
    object.schedule(replacing: "key", priority: .user) { _ in seen.add(4) }
    scheduler.advance(by: .seconds(1))
    #expect(seen.all == [4, 1])
  }
}

private final class Options {
  var isRich = false
}

// Sendable: the event that made it keeps no reference.
private struct Answer: @unchecked Sendable {
  let options: Options

  init(_ options: Options) { self.options = options }
}

private final class Printer {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func render(_ line: String) -> String { options.isRich ? "*\(line)*" : line }
}

private actor Guest: Schedulable {
  nonisolated let scheduler: any Scheduler
  private(set) var visits = 0

  init(on scheduler: any Scheduler) { self.scheduler = scheduler }

  func visit() { visits += 1 }

  func call(_ object: SchedulableObject<Options>, times: Int) async throws {
    for _ in 0..<times { try await object.call { $0.isRich.toggle() } }
  }
}
