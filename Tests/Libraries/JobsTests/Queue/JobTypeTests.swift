import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableJobs

private struct Photo: Codable { var name: String }

private struct ServerIsBusy: Error { var retryAfter: Duration }

extension JobType<Photo> {
  fileprivate static var upload: Self { JobType("upload", formerly: ["UploadPhoto"]) }
  fileprivate static var formerUpload: Self { "UploadPhoto" }
}

extension JobType<NoParameters> {
  fileprivate static var cleanUp: Self { "clean-up" }
}

/// Types of jobs, and their async code.
@Suite struct JobTypeTests {
  private let log = Log()

  private func queue(
    width: Int = 1, _ register: (inout JobTypes) -> Void
  ) throws -> JobQueue {
    var types = JobTypes()
    register(&types)
    var options = JobQueueOptions()
    options.width = width
    options.listeners = [{ [log] in log.listener($0) }]
    return try JobQueue("test", types: types, options: options)
  }

  @Test func `a type joins jobs and their code, under its former names too`() async throws {
    let queue = try queue { [log] types in
      types.register(.upload) { photo, _ in log.append("ran \(photo.name)") }
      types.register(.cleanUp) { _, _ in log.append("cleaned up") }
    }
    try queue.add(Job(.upload, Photo(name: "a"), id: "a"))
    try queue.add(Job(.formerUpload, Photo(name: "b"), id: "b"))
    try queue.add(Job(.cleanUp, id: "c"))
    #expect(await onOwnThread { log.wait(for: "completed c") })
    await queue.shutdown()
    #expect(
      log.all.filter { $0.hasPrefix("ran") || $0 == "cleaned up" }
        == ["ran a", "ran b", "cleaned up"])
  }

  @Test func `async code runs at most as often at once as the queue is wide`() async throws {
    let inside = Locked((now: 0, most: 0))
    let queue = try queue(width: 3) { types in
      types.register(.upload) { _, _ in
        inside.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        // As many as may be inside come, and then one too many could.
        _ = await eventually { inside.withLock { $0.most } >= 3 }
        try await Task.sleep(for: .milliseconds(10))
        inside.withLock { $0.now -= 1 }
      }
    }
    for number in 0..<12 { try queue.add(Job(.upload, Photo(name: "\(number)"), id: "\(number)")) }
    #expect(await eventually { log.all.count { $0.hasPrefix("completed") } == 12 })
    await queue.shutdown()
    #expect(inside.withLock { $0.most } == 3)
  }

  @Test func `async code that throws has failed, and a stop waits for its end`() async throws {
    let queue = try queue { [log] types in
      types.register(.upload) { photo, run in
        log.append("tried \(run.record.failures)")
        try await Task.sleep(for: .milliseconds(20))
        if run.record.failures < 2 { throw ServerIsBusy(retryAfter: .zero) }
        log.append("ran \(photo.name)")
      }
    }
    var job = try Job(.upload, Photo(name: "a"), id: "a")
    job.retry = Retry(limit: 5, first: .milliseconds(1))
    try queue.add(job)
    #expect(await onOwnThread { log.wait(for: "tried 2") })
    await queue.shutdown()
    #expect(log.all.last == "completed a")
  }

  @Test func `cancelling a job cancels its task`() async throws {
    let queue = try queue { [log] types in
      types.register(.upload) { _, _ in
        log.append("began")
        try await Task.sleep(for: .seconds(3600))
      }
    }
    try queue.add(Job(.upload, Photo(name: "a"), id: "a"))
    #expect(await onOwnThread { log.wait(for: "began") })
    #expect(queue.jobs.map(\.job.id) == ["a"])
    queue.cancel(.id("a"))
    #expect(await onOwnThread { log.wait(for: "cancelled a") })
    await queue.shutdown()
    #expect(queue.jobs.isEmpty)
  }

  @Test func `the error decides when and whether a job is retried`() async throws {
    let retries = Locked<[String: Duration]>([:])
    let begin = JobTime.now
    let queue = try queue(width: 2) { types in
      types.register(.upload) { error in
        guard let busy = error as? ServerIsBusy else { return JobOutcome(error) }
        if busy.retryAfter < .zero { return .failure(reason: "gone", isFinal: true) }
        return .retry(after: busy.retryAfter, reason: "busy")
      } _: { photo, run in
        let wait = photo.name == "gone" ? Duration.seconds(-1) : .seconds(7200)
        throw ServerIsBusy(retryAfter: wait)
      }
    }
    for name in ["busy", "gone", "once"] {
      var job = try Job(.upload, Photo(name: name), id: name)
      if name != "once" { job.retry = Retry(limit: 2, first: .milliseconds(1)) }
      try queue.add(job)
    }
    #expect(
      await onOwnThread {
        log.wait(for: "retrying busy") && log.wait(for: "failed gone")
          && log.wait(for: "failed once")
      })
    for record in queue.jobs { retries.withLock { $0[record.job.id] = record.due - begin } }
    await queue.shutdown()
    #expect(retries.withLock { Array($0.keys) } == ["busy"])
    #expect(try #require(retries.withLock { $0["busy"] }) >= .seconds(7200))
  }
}
