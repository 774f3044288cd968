import Dispatch
import Foundation
import TestSupport
import Testing

@testable import SchedulableOperations

@Suite struct ExclusionTests {
  @Test func `operations of a category never run at once, even on different queues`() async throws {
    let (exclusion, running) = (Exclusion(), Running())
    let queues = [queue(), queue(), queue()]
    let works = (0..<60).map { number in
      Work<Int>("\(number)") { completion in
        running.enter()
        DispatchQueue.global().async {
          running.leave()
          completion.succeed(number)
        }
      }
    }
    for (number, work) in works.enumerated() {
      try exclusion.add(work, to: queues[number % 3], categories: ["database"])
    }
    #expect(await eventually { works.allSatisfy(\.isFinished) })
    #expect(running.most == 1)
  }

  @Test func `different categories do not wait for one another`() async throws {
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

  @Test func `a failure does not stop the next operation of its category`() async throws {
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
  func `cancelling a waiting operation lets no other one overtake the running one`(
    addedBefore: Bool
  )
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

  @Test func `an exclusion that would deadlock is refused`() throws {
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

  @Test func `a refused operation has no trace of the exclusion, and runs without it`() async throws
  {
    for number in 0..<50 {
      let (exclusion, suspended) = (Exclusion(), queue())
      suspended.isSuspended = true
      let second = Work<Int>("second", returning: { 2 })
      let first = try second --> Work<Int>("first", returning: { 1 })
      let others = (0..<8).map { Work<Int>("\($0)", returning: { 0 }) }
      for (place, other) in others.enumerated() {
        try exclusion.add(other, to: suspended, categories: ["\(place)"])
      }
      try exclusion.add(first, to: suspended, categories: ["a"])
      #expect(throws: DependencyCycle.self) {
        try exclusion.add(
          second, to: suspended, categories: Set(["a"] + others.indices.map(String.init)))
      }
      #expect(second.dependencies.isEmpty)
      // What the refused turn may have left behind is used at these ends.
      let free = queue()
      free.enqueue(second)
      #expect(await finished(second), "\(number)")
      suspended.isSuspended = false
      #expect(await finished(first) && second.output == 2)
      #expect(await eventually { others.allSatisfy(\.isFinished) })
    }
  }
}
