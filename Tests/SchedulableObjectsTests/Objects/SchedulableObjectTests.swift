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

  @Test func `an error of a call keeps its type`() async throws {
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "throws"))
    await #expect(throws: CallError<OutOfPaper>.failed(OutOfPaper())) {
      try await object.call { _ throws(OutOfPaper) in throw OutOfPaper() }
    }
  }

  @Test func `a call returns a mutable object without other references`() async throws {
    let object = SchedulableObject(Options(), on: try ThreadScheduler(name: "gives"))
    let fresh = try await object.call { _ in Options() }
    fresh.isRich = true
    #expect(fresh.isRich)
  }

  @Test func `the thread sanitizer sees that an answer comes before its use`() async throws {
    let scheduler = try ThreadScheduler(name: "answers")
    let object = SchedulableObject(Options(), on: scheduler)
    // Often enough that some answers come before the task has begun to wait.
    for _ in 0..<20_000 {
      let fresh = try await object.call { _ in
        let options = Options()
        options.isRich = true
        return options
      }
      #expect(fresh.isRich)
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
}
