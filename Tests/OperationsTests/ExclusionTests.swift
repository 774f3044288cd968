import Foundation
import Testing

@testable import Operations

@Suite struct `Mutual exclusion` {
  @Test func `lets one of a category run at a time, on several queues, in the order of adding`()
    async throws
  {
    let exclusion = Exclusion()
    let events = Events()
    let queues = (0..<4).map { _ in OperationQueue() }
    let operations = (0..<40).map { number in
      Work<Int>("\(number)") { completion in
        events.note("in")
        DispatchQueue.global().async {
          events.note("out")
          completion.succeed(number)
        }
      }
    }
    for (number, operation) in operations.enumerated() {
      try exclusion.add(operation, to: queues[number % 4], categories: ["alert"])
    }
    await withCheckedContinuation { continuation in
      let last = BlockOperation { continuation.resume() }
      for operation in operations { last.addDependency(operation) }
      queues[0].addOperation(last)
    }
    #expect(events.all == (0..<40).flatMap { _ in ["in", "out"] })
  }

  @Test func `leaves other categories alone`() async throws {
    let exclusion = Exclusion()
    let queue = OperationQueue()
    let held = Held("held")
    let other = Work<Int>("other", returning: { 1 })
    try exclusion.add(held.work, to: queue, categories: ["alert"])
    try exclusion.add(other, to: queue, categories: ["location"])
    #expect(await finished(other))
    #expect(other.output == 1 && !held.work.isFinished)
    held.succeed()
  }

  @Test func `of several categories waits for each of them`() async throws {
    let exclusion = Exclusion()
    let (alert, alertStarted) = pending("alert")
    let (file, fileStarted) = pending("file")
    let both = Work<Int>("both", returning: { 1 })
    try exclusion.add(alert, to: queue(), categories: ["alert"])
    try exclusion.add(file, to: queue(), categories: ["file"])
    try exclusion.add(both, to: queue(), categories: ["alert", "file"])
    #expect(await alertStarted.arrives())
    #expect(await fileStarted.arrives())
    alert.end(with: .success(1))
    #expect(!both.isFinished)
    file.end(with: .success(1))
    #expect(await finished(both))
  }

  @Test func `goes on after a failure`() async throws {
    let exclusion = Exclusion()
    let (bad, started) = pending("bad")
    let next = Work<Int>("next", returning: { 5 })
    try exclusion.add(bad, to: queue(), categories: ["a"])
    try exclusion.add(next, to: queue(), categories: ["a"])
    #expect(await started.arrives())
    bad.end(with: .failure(Broken(number: 1)))
    #expect(await finished(next))
    #expect(next.output == 5)
  }

  @Test(arguments: [true, false])
  func `lets nobody past the one that runs where one is cancelled in the line`(addedBefore: Bool)
    async throws
  {
    let exclusion = Exclusion()
    let (running, started) = pending("running")
    let (cancelled, _) = pending("cancelled")
    let last = Work<Int>("last", returning: { 1 })
    try exclusion.add(running, to: queue(), categories: ["a"])
    try exclusion.add(cancelled, to: queue(), categories: ["a"])
    if addedBefore { try exclusion.add(last, to: queue(), categories: ["a"]) }
    #expect(await started.arrives())
    cancelled.cancel()
    #expect(await finished(cancelled))
    if !addedBefore { try exclusion.add(last, to: queue(), categories: ["a"]) }
    // Long enough for a free worker to begin it, if it could.
    #expect(
      await onOwnThread {
        Thread.sleep(forTimeInterval: 0.05); return true
      })
    #expect(!last.isFinished)
    running.end(with: .success(1))
    #expect(await finished(last))
  }

  @Test func `that would wait for ever is refused`() throws {
    let exclusion = Exclusion()
    let suspended = queue()
    suspended.isSuspended = true
    let (first, second) = (
      Work<Int>("first", returning: { 1 }), Work<Int>("second", returning: { 2 })
    )
    try second --> first
    try exclusion.add(first, to: suspended, categories: ["a"])
    #expect(throws: DependencyCycle.self) {
      try exclusion.add(second, to: suspended, categories: ["a"])
    }
  }
}
