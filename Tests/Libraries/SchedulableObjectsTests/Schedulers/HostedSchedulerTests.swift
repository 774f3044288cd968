import Dispatch
import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

/// Schedulers on the queues of another library, and as executors of tasks.
@Suite struct HostedSchedulerTests {
  enum Host: CaseIterable {
    case serial, concurrent

    func scheduler(_ name: String, share: Duration = .milliseconds(2)) -> HostedScheduler {
      let queue = DispatchQueue(
        label: name, attributes: self == .serial ? [] : .concurrent)
      return HostedScheduler(name: name, share: share) { queue.async(execute: $0) }
    }
  }

  @Test(arguments: Host.allCases)
  func `events from several threads run one at a time, in the order of each`(host: Host) async {
    let scheduler = host.scheduler("files", share: .zero)
    let inside = Locked((now: 0, most: 0))
    let ran = Recorder<(sender: Int, number: Int)>()
    await withTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            scheduler.schedule {
              inside.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
              }
              ran.add((sender, number))
              inside.withLock { $0.now -= 1 }
            }
          }
        }
      }
    }
    await scheduler.shutdown()
    #expect(inside.withLock { $0.most } == 1)
    for sender in 0..<4 {
      #expect(ran.all.filter { $0.sender == sender }.map(\.number) == Array(0..<500))
    }
  }

  @Test(arguments: Host.allCases)
  func `delayed events, calls and objects work as on a thread`(host: Host) async throws {
    let scheduler = host.scheduler("files")
    let numbers = try await scheduler.assemble { $0.bind(Recorder<Int>()) }
    #expect(numbers.scheduler as? HostedScheduler === scheduler)
    let done = Gate()
    numbers.schedule(after: .milliseconds(5)) {
      $0.add(1)
      done.open()
    }
    numbers.schedule(after: .seconds(3600)) { $0.add(2) }.cancel()
    await onOwnThread { done.wait() }
    #expect(try await numbers.call { $0.all } == [1])
    await scheduler.shutdown()
    await #expect(throws: Refusal.self) { try await numbers.call { $0.all } }
  }

  @Test func `a scheduler that is released refuses what waits`() async {
    let reports = Recorder<Report>()
    let turns = Recorder<@Sendable () -> Void>()
    do {
      let options = SchedulerOptions().with { $0.report = { reports.add($0) } }
      let scheduler = HostedScheduler(name: "gone", options: options) { turns.add($0) }
      scheduler.schedule {}
    }
    #expect(turns.count == 1)
    #expect(reports.count == 2)
    turns.all[0]()
  }

  @Test func `a scheduler of one's own is the scheduler of its objects' events`() async throws {
    let scheduler = OwnScheduler()
    let numbers = SchedulableObject(Recorder<Int>(), on: scheduler)
    let isThere = try await numbers.call { _ in scheduler.isCurrent }
    #expect(isThere)
    await scheduler.host.shutdown()
  }

  @Test func `tasks that prefer a scheduler run there`() async throws {
    let scheduler = try ThreadScheduler(name: "preferred")
    let plain = PlainActor()
    let task = Task(executorPreference: scheduler) {
      var places = [scheduler.isCurrent]
      await Task.yield()
      places.append(scheduler.isCurrent)
      places.append(await plain.isOn(scheduler))
      async let child = Self.isOn(scheduler)
      return places + [await child]
    }
    #expect(await task.value == [true, true, true, true])
    let isThere = await withTaskExecutorPreference(scheduler) { await Self.isOn(scheduler) }
    #expect(isThere)
    #expect(await !Self.isOn(scheduler))
    await scheduler.shutdown()
  }

  @concurrent private static func isOn(_ scheduler: any Scheduler) async -> Bool {
    scheduler.isCurrent
  }
}

private final class OwnScheduler: Scheduler {
  let host = HostedScheduler(name: "own") { DispatchQueue.global().async(execute: $0) }
  var loop: SchedulerLoop { host.loop }
}

private actor PlainActor {
  func isOn(_ scheduler: any Scheduler) -> Bool { scheduler.isCurrent }
}
