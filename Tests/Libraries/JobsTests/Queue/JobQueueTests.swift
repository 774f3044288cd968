import SchedulableThreads
import Foundation
import TestSupport
import Testing

@testable import SchedulableJobs

/// The queue around the schedule: threads, registered code, the store, listeners.
@Suite struct JobQueueTests {
  private let log = Log()
  private let box = MemoryPersister.Box()

  private struct Photo: Codable { var name: String }
  private struct Refused: Error {}

  /// Types whose code records its actions.
  private var types: JobTypes {
    var types = JobTypes()
    let log = log
    types.register(JobType("photo", formerly: ["OldPhoto"])) { (photo: Photo, _) in
      log.append("ran \(photo.name)")
    }
    types.register("failing") { (photo: Photo, run) in
      log.append("tried \(run.record.failures)")
      throw Refused()
    }
    types.register("hopeless") { (_: Photo, _) in throw FinalJobFailure("gone") }
    return types
  }

  private func options(
    _ change: (inout JobQueueOptions) -> Void = { _ in }
  ) -> JobQueueOptions {
    var options = JobQueueOptions()
    options.restoring = .onCreatingThread
    let log = log
    options.listeners = [{ log.listener($0) }]
    change(&options)
    return options
  }

  private func photo(_ name: String, type: String = "photo") throws -> Job {
    try Job(JobType(type), Photo(name: name), id: name)
  }

  @Test func `a job runs with its parameters, and its events are reported in order`() async throws {
    let queue = try JobQueue("test", types: types, options: options())
    try queue.add(photo("a"))
    #expect(await onOwnThread { log.wait(for: "completed a") })
    await onOwnThread { queue.shutdownBlocking() }
    #expect(
      log.all.filter { !$0.hasPrefix("ran") }
        == ["restoredAll 0", "added a", "started a", "completed a"])
    #expect(log.all.contains("ran a"))
  }

  @Test func `several tasks can wait for the end of running jobs`() async throws {
    var types = types
    types.register("slow") { [log] (_: [String: String], _) in
      Thread.sleep(forTimeInterval: 0.05)
      log.append("slow is over")
    }
    let queue = try JobQueue("test", types: types, options: options())
    try queue.add(Job("slow", id: "slow"))
    #expect(await onOwnThread { log.wait(for: "started slow") })
    async let other: Void = queue.shutdown()
    await queue.shutdown()
    #expect(log.all.contains("slow is over"))
    await other
    await queue.shutdown()
    await onOwnThread { queue.shutdownBlocking() }
    #expect(log.all.last == "completed slow")
    #expect(throws: JobError.stopped) { try queue.add(photo("late")) }
  }

  @Test func `a job may begin the shutdown of its queue`() async throws {
    let held = Locked<JobQueue?>(nil)
    var types = types
    types.register("stop") { (_: [String: String], _) in held.withLock { $0 }?.beginShutdown() }
    let queue = try JobQueue("test", types: types, options: options())
    held.withLock { $0 = queue }
    try queue.add(Job("stop", id: "stop"))
    #expect(await onOwnThread { log.wait(for: "completed stop") })
    await queue.shutdown()
    held.withLock { $0 = nil }
  }

  @Test func `events of a queue can be awaited until its end`() async throws {
    let queue = try JobQueue("test", types: types, options: options())
    let (events, few) = (queue.events(), queue.events(keepingNewest: 1))
    try queue.add(photo("a"))
    #expect(await onOwnThread { log.wait(for: "ran a") })
    await queue.shutdown()
    var told: [String] = []
    for await event in events { told.append(event.short ?? "") }
    #expect(told == ["added a", "started a", "completed a"])
    var newest: [String] = []
    for await event in few { newest.append(event.short ?? "") }
    #expect(newest == ["completed a"])
    for await event in queue.events() { Issue.record("\(event) behind the end") }
  }

  @Test func `a cancelled listener gets no more events`() async throws {
    let queue = try JobQueue("test", types: types)
    do { _ = queue.events() }
    #expect(queue.state.withLock { $0.streams.isEmpty })
    await queue.shutdown()
  }

  @Test func `a job that waits for the end of its own queue traps with the reason`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let held = Locked<JobQueue?>(nil)
      var types = JobTypes()
      types.register("stop") { (_: [String: String], _) in held.withLock { $0 }?.shutdownBlocking()
      }
      let queue = try JobQueue("test", types: types)
      held.withLock { $0 = queue }
      try queue.add(Job("stop"))
      waitToBeStopped()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("JobQueueTests.swift:"))
    #expect(message.contains("a job cannot wait for the end of its queue"))
  }

  @Test func `jobs are stored when added and removed when over`() async throws {
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    var held = try photo("held")
    held.constraints = [.charging]
    try queue.add(held)
    #expect(box.ids == ["held"])
    try queue.add(photo("a"))
    #expect(await onOwnThread { log.wait(for: "completed a") })
    #expect(box.ids == ["held"])
    queue.change(MachineState(isCharging: true))
    #expect(await onOwnThread { log.wait(for: "completed held") })
    await onOwnThread { queue.shutdownBlocking() }
    #expect(box.ids.isEmpty)
  }

  @Test(arguments: JobQueueOptions.Restoring.allCases)
  func `kept jobs run in the next queue, before new ones`(
    restoring: JobQueueOptions.Restoring
  ) async throws {
    let first = try JobQueue("test", types: types, keptBy: MemoryPersister(box))
    for number in 0..<50 {
      var job = try photo("kept \(number)")
      job.constraints = [.network, .charging]
      try first.add(job)
    }
    await onOwnThread { first.shutdownBlocking() }
    #expect(box.ids.count == 50)
    let second = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box),
      options: options {
        $0.restoring = restoring
        $0.machine.isCharging = true
      })
    try second.add(photo("new"))
    #expect(await onOwnThread { log.wait(for: "completed new") })
    await onOwnThread { second.shutdownBlocking() }
    #expect(
      log.all.filter { $0.hasPrefix("ran") } == (0..<50).map { "ran kept \($0)" } + ["ran new"])
    #expect(log.all.contains("restoredAll 50"))
    #expect(box.ids.isEmpty)
  }

  @Test func `a kept job whose type was renamed is still done`() async throws {
    var old = JobTypes()
    old.register("OldPhoto") { (_: Photo, _) in }
    let first = try JobQueue("test", types: old, keptBy: MemoryPersister(box))
    var job = try photo("a", type: "OldPhoto")
    job.constraints = [.charging]
    try first.add(job)
    await onOwnThread { first.shutdownBlocking() }
    let second = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box),
      options: options { $0.machine.isCharging = true })
    #expect(await onOwnThread { log.wait(for: "completed a") })
    await onOwnThread { second.shutdownBlocking() }
    #expect(log.all.contains("ran a"))
  }

  @Test func `a kept job that cannot be decoded stays in the store and is reported`() async throws {
    box.kept.withLock {
      $0[1] = KeptJob(sequence: 1, id: "garbled", text: "{")
      let unknown = JobRecord(Job("removed", id: "unknown"), sequence: 2, addedAt: .now)
      $0[2] = KeptJob(
        sequence: 2, id: "unknown", text: (try? JobSerializer.json.encode(unknown)) ?? "")
    }
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    await onOwnThread { queue.shutdownBlocking() }
    #expect(log.all == ["unreadable garbled", "unreadable unknown", "restoredAll 2"])
    #expect(box.ids == ["garbled", "unknown"])
  }

  @Test func `failed jobs run again, with their history in the store`() async throws {
    let begin = JobTime.now
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    var job = try photo("a", type: "failing")
    job.retry = Retry(limit: 2, first: .milliseconds(1))
    try queue.add(job)
    var waiting = try photo("b", type: "failing")
    waiting.retry = Retry(limit: 1, first: .seconds(3600))
    try queue.add(waiting)
    try queue.add(photo("c", type: "hopeless"))
    #expect(
      await onOwnThread {
        log.wait(for: "failed a") && log.wait(for: "retrying b") && log.wait(for: "failed c")
      })
    await onOwnThread { queue.shutdownBlocking() }
    #expect(
      log.all.filter { $0.hasPrefix("tried") }.sorted() == [
        "tried 0", "tried 0", "tried 1", "tried 2",
      ])
    #expect(box.ids == ["b"])
    let kept = try JobSerializer.json.decode(box.text(of: "b") ?? "")
    #expect(kept.failures == 1)
    #expect(kept.due >= begin + .seconds(3600))
  }

  @Test func `an invalid job is refused with the reason`() async throws {
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box),
      options: options { $0.parameterLimit = 100 })
    let unknown = #expect(throws: JobError.self) { try queue.add(Job("foto")) }
    #expect(
      unknown?.description == "'foto' is not a registered type of job; "
        + "registered: OldPhoto, failing, hopeless, photo")
    let large = #expect(throws: JobError.self) {
      try queue.add(photo(String(repeating: "x", count: 100)))
    }
    #expect(large == .parametersTooLarge(type: "photo", bytes: 111, limit: 100))
    box.fail(true)
    let lost = #expect(throws: JobError.self) { try queue.add(photo("lost")) }
    #expect(lost?.description.hasPrefix("the job 'lost' could not be stored") == true)
    box.fail(false)
    await onOwnThread { queue.shutdownBlocking() }
    #expect(throws: JobError.stopped) { try queue.add(photo("late")) }
    #expect(log.all == ["restoredAll 0"])
    #expect(box.ids.isEmpty)
  }

  @Test func `a job whose parameters cannot be decoded is reported and kept`() async throws {
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    let job = try Job("photo", ["title": 3], id: "a")
    try queue.add(job)
    #expect(await onOwnThread { log.wait(for: "unreadable a") })
    #expect(queue.unfinishedCount == 0)
    #expect(try JobSerializer.json.decode(box.text(of: "a") ?? "").job == job)
    await onOwnThread { queue.shutdownBlocking() }
  }

  @Test func `a store that cannot be opened accepts nothing, and says so`() async throws {
    box.fail(true)
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    #expect(log.all.first == "unusable")
    #expect(throws: JobError.self) { try queue.add(photo("a")) }
    await onOwnThread { queue.shutdownBlocking() }
  }

  @Test func `a job that ran although the store fails is reported`() async throws {
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    var job = try photo("a")
    job.constraints = [.charging]
    try queue.add(job)
    box.fail(true)
    queue.change(MachineState(isCharging: true))
    #expect(await onOwnThread { log.wait(for: "completed a") })
    await onOwnThread { queue.shutdownBlocking() }
    #expect(log.all.contains("notStored"))
    #expect(box.ids == ["a"], "it runs again next time")
  }

  @Test func `asynchronous work occupies its slot until its first completion`() async throws {
    let completions = Locked<[JobCompletion]>([])
    var types = JobTypes()
    let log = log
    types.register("async") { (photo: Photo, run, completion) in
      completions.withLock { $0.append(completion) }
      log.append("began \(photo.name)")
    }
    let queue = try JobQueue("test", types: types, options: options())
    try queue.add(photo("a", type: "async"))
    try queue.add(photo("b", type: "async"))
    #expect(await onOwnThread { log.wait(for: "began a") })
    #expect(queue.waitingCount == 1)
    let first = completions.withLock { $0[0] }
    first(.success)
    first(.success)
    #expect(await onOwnThread { log.wait(for: "began b") })
    first(.failure(reason: "too late"))
    #expect(queue.waitingCount == 0)
    completions.withLock { $0[1] }(.success)
    #expect(await onOwnThread { log.wait(for: "completed b") })
    await onOwnThread { queue.shutdownBlocking() }
    #expect(log.all.count { $0 == "completed a" } == 1)
  }

  @Test func `a running job learns that it was cancelled, and leaves the store at once`()
    async throws
  {
    var types = JobTypes()
    let log = log
    types.register("long") { (_: Photo, run) in
      log.append("began")
      while !run.isCancelled { usleep(1000) }
      throw Refused()
    }
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options())
    var job = try photo("a", type: "long")
    job.retry = Retry(limit: 5)
    job.tags = ["long"]
    try queue.add(job)
    #expect(await onOwnThread { log.wait(for: "began") })
    #expect(box.ids == ["a"])
    queue.cancel(.tag("long"))
    #expect(box.ids.isEmpty)
    #expect(await onOwnThread { log.wait(for: "cancelled a") })
    await onOwnThread { queue.shutdownBlocking() }
  }

  @Test func `delays end by themselves, on several threads too`() async throws {
    let queue = try JobQueue("test", types: types, options: options { $0.width = 3 })
    for number in 0..<9 {
      var job = try photo("\(number)")
      job.delay = .milliseconds(3 * (9 - number))
      try queue.add(job)
    }
    #expect(await onOwnThread { (0..<9).allSatisfy { log.wait(for: "completed \($0)") } })
    await onOwnThread { queue.shutdownBlocking() }
  }

  @Test(arguments: [1, 4])
  func `jobs from several threads each run once, never more at a time than the width`(
    width: Int
  ) async throws {
    let inside = Locked((now: 0, most: 0, ran: 0))
    var types = JobTypes()
    types.register("count") { (_: [Int], _) in
      inside.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      usleep(20)
      inside.withLock {
        $0.now -= 1
        $0.ran += 1
      }
    }
    let log = log
    let queue = try JobQueue(
      "test", types: types, keptBy: MemoryPersister(box), options: options { $0.width = width })
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          try await onOwnThread { for _ in 0..<100 { try queue.add(Job("count", [1])) } }
        }
      }
      try await group.waitForAll()
    }
    #expect(await eventually { log.all.count { $0.hasPrefix("completed") } == 400 })
    await onOwnThread { queue.shutdownBlocking() }
    #expect(inside.withLock { $0.ran } == 400)
    #expect(inside.withLock { $0.most } <= width)
    #expect(box.ids.isEmpty)
  }

  @Test func `a listener that adds a job does not wait for itself`() async throws {
    let holder = Locked<JobQueue?>(nil)
    let log = log
    let follow: @Sendable (JobEvent) -> Void = { event in
      log.listener(event)
      if event.short == "completed a" {
        try? holder.withLock { $0 }?.add(Job("photo", Photo(name: "b"), id: "b"))
      }
    }
    let queue = try JobQueue("test", types: types, options: options { $0.listeners = [follow] })
    holder.withLock { $0 = queue }
    try queue.add(photo("a"))
    #expect(await onOwnThread { log.wait(for: "completed b") })
    await onOwnThread { queue.shutdownBlocking() }
    holder.withLock { $0 = nil }
  }
}
