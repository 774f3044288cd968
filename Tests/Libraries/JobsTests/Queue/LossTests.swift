import SchedulableThreads
import Foundation
import SchedulableJobs
import TestSupport
import Testing

/// Accepted jobs are neither lost nor run more often than their policy says.
@Suite struct LossTests {
  private let log = Log()
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  enum Kind: String, CaseIterable {
    case file, sqlite

    func open(_ path: String) -> any JobPersister {
      switch self {
      case .file: FilePersister(path: path)
      case .sqlite: SQLitePersister(path: path)
      }
    }
  }

  private struct Photo: Codable { var name: String }
  private struct SizedPhoto: Codable { var name: String, size: Int }

  private var types: JobTypes {
    var types = JobTypes()
    types.register("photo") { [log] (photo: Photo, _) in log.append("ran \(photo.name)") }
    return types
  }

  private func queue(
    _ kind: Kind, _ types: JobTypes, _ change: (inout JobQueueOptions) -> Void = { _ in }
  ) throws -> JobQueue {
    var options = JobQueueOptions()
    options.restoring = .onCreatingThread
    options.listeners = [{ [log] in log.listener($0) }]
    change(&options)
    return try JobQueue(
      "test", types: types, keptBy: kind.open(scratch.path("store")), options: options)
  }

  private func photo(_ name: String, held: Bool = true) throws -> Job {
    var job = try Job("photo", Photo(name: name), id: name)
    if held { job.constraints = [.charging] }
    return job
  }

  private func ran() -> [String] { log.all.filter { $0.hasPrefix("ran") }.sorted() }

  @Test(arguments: Kind.allCases)
  func `of two queues on one store only the first accepts jobs, and none is lost`(
    kind: Kind
  ) async throws {
    let queues = [try queue(kind, types), try queue(kind, types)]
    var accepted: [String] = []
    var refusals: [String] = []
    for number in 0..<6 {
      do {
        try queues[number % 2].add(photo("\(number)"))
        accepted.append("ran \(number)")
      } catch {
        refusals.append("\(error)")
      }
    }
    for queue in queues { await queue.shutdown() }
    let next = try queue(kind, types) { $0.machine.isCharging = true }
    #expect(await eventually { next.unfinishedCount == 0 })
    await next.shutdown()
    #expect(ran() == accepted)
    #expect(accepted.count >= 3)
    let own = "process \(ProcessInfo.processInfo.processIdentifier)"
    #expect(refusals.allSatisfy { $0.contains(own) })
  }

  @Test(arguments: Kind.allCases)
  func `kept jobs survive a change of their parameters' type`(kind: Kind) async throws {
    let first = try queue(kind, types)
    try first.add(photo("a"))
    await first.shutdown()
    var changed = JobTypes()
    changed.register("photo") { [log] (photo: SizedPhoto, _) in log.append("ran \(photo.name)") }
    let second = try queue(kind, changed) { $0.machine.isCharging = true }
    #expect(await eventually { second.unfinishedCount == 0 })
    await second.shutdown()
    let third = try queue(kind, types) { $0.machine.isCharging = true }
    #expect(await eventually { third.unfinishedCount == 0 })
    await third.shutdown()
    #expect(ran() == ["ran a"])
    #expect(log.all.contains("unreadable a"))
  }

  @Test(arguments: Kind.allCases)
  func `a stop waits for jobs whose completions are called later, and they do not run again`(
    kind: Kind
  ) async throws {
    let completions = Locked<[JobCompletion]>([])
    var types = JobTypes()
    types.register("later") { [log] (photo: Photo, _, completion) in
      completions.withLock { $0.append(completion) }
      log.append("ran \(photo.name)")
    }
    let first = try queue(kind, types)
    try first.add(Job("later", Photo(name: "a"), id: "a"))
    #expect(await onOwnThread { log.wait(for: "ran a") })
    first.beginShutdown()
    let stopped = Locked(false)
    async let end: Void = {
      await first.shutdown()
      stopped.withLock { $0 = true }
    }()
    try await Task.sleep(for: .milliseconds(50))
    #expect(!stopped.withLock { $0 })
    completions.takeAll().first?(.success)
    await end
    let second = try queue(kind, types)
    #expect(log.all.suffix(2) == ["completed a", "restoredAll 0"])
    await second.shutdown()
    #expect(ran() == ["ran a"])
  }

  @Test func `a completion that is released without a call fails its job`() async throws {
    var types = types
    types.register("forgetful") { (_: Photo, _, _) in }
    let queue = try queue(.file, types)
    try queue.add(Job("forgetful", Photo(name: "a"), id: "a"))
    try queue.add(photo("b", held: false))
    #expect(await onOwnThread { log.wait(for: "completed b") })
    await queue.shutdown()
    #expect(log.all.contains("failed a"))
  }

  @Test func `a delay ends when the queue's own clock reaches its end`() async throws {
    let hours = Locked<Int64>(0)
    let queue = try queue(.file, types) {
      $0.clock = { JobTime(milliseconds: hours.withLock { $0 } * 3_600_000) }
    }
    var job = try photo("a", held: false)
    job.delay = .seconds(2 * 3600)
    try queue.add(job)
    hours.withLock { $0 = 1 }
    #expect(queue.unfinishedCount == 1)
    hours.withLock { $0 = 2 }
    #expect(await onOwnThread { log.wait(for: "completed a") })
    await queue.shutdown()
  }

  @Test(arguments: Kind.allCases)
  func `unreadable jobs leave their ids free, are listed, and can be removed`(
    kind: Kind
  ) async throws {
    do {
      let store = kind.open(scratch.path("store"))
      _ = try store.load()
      try store.change(keeping: [KeptJob(sequence: 7, id: "a", text: "{")], removing: [])
    }
    let first = try queue(kind, types)
    try first.add(photo("a", held: false))
    #expect(await onOwnThread { log.wait(for: "completed a") })
    let jobs = first.unreadableJobs
    #expect(jobs.map(\.id) == ["a"])
    #expect(jobs.map(\.text) == ["{"])
    for job in jobs { try first.remove(job) }
    #expect(first.unreadableJobs.isEmpty)
    await first.shutdown()
    let second = try queue(kind, types)
    #expect(second.unreadableJobs.isEmpty)
    await second.shutdown()
  }

  @Test(arguments: Kind.allCases)
  func `a job that is readable again runs beside a newer one with its id`(
    kind: Kind
  ) async throws {
    let first = try queue(kind, types)
    try first.add(photo("a"))
    await first.shutdown()
    var others = JobTypes()
    others.register("other") { (_: Photo, _) in }
    let second = try queue(kind, others)
    var other = try Job("other", Photo(name: "a"), id: "a")
    other.constraints = [.charging]
    try second.add(other)
    await second.shutdown()
    others.register("photo") { [log] (photo: Photo, _) in log.append("ran \(photo.name)") }
    let third = try queue(kind, others) { $0.machine.isCharging = true }
    #expect(await eventually { third.unfinishedCount == 0 })
    await third.shutdown()
    #expect(ran() == ["ran a"])
    #expect(log.all.count { $0 == "completed a" } == 2)
  }
}
