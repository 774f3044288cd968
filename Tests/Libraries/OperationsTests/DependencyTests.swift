import Dispatch
import Foundation
import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableOperations

@Suite struct DependencyTests {
  @Test func `a chain runs from left to right, as it reads`() async throws {
    let tally = Recorder<String>()
    let steps = ["stat", "read", "hash"].map { name in
      Work<Int>(
        name,
        returning: {
          tally.add(name); return 1
        })
    }
    try steps[0] --> steps[1] --> steps[2]
    queue().add(steps.reversed())
    #expect(await finished(steps[2]))
    #expect(tally.all == ["stat", "read", "hash"])
  }

  @Test func `a dependency holds across queues`() async throws {
    let (first, started) = pending("first")
    let tally = Recorder<String>()
    let second = Work<Int>(
      "second",
      returning: {
        tally.add("second"); return 2
      })
    try first --> second
    let (one, other) = (queue(), queue())
    other.addOperation(second)
    one.addOperation(first)
    #expect(await started.arrives())
    #expect(tally.all.isEmpty)
    first.end(with: .success(1))
    #expect(await finished(second))
    #expect(tally.all == ["second"])
  }

  @Test func `a UI update waits for a background operation, and delays only the updates after it`()
    async throws
  {
    let (load, started) = pending("load")
    let tally = Recorder<String>()
    let update = BlockOperation {
      tally.add("update on main: \(OperationQueue.current === OperationQueue.main)")
    }
    let behind = BlockOperation { tally.add("behind") }
    let other = BlockOperation { tally.add("other") }
    try load --> update --> behind
    OperationQueue.main.add([update, behind, other])
    queue().addOperation(load)
    #expect(await started.arrives())
    #expect(await finished(other))
    #expect(tally.all == ["other"])
    load.end(with: .success(1))
    #expect(await finished(update, behind))
    #expect(tally.all == ["other", "update on main: true", "behind"])
  }

  @Test func `a cycle is refused at once and named`() throws {
    let works = ["a", "b", "c"].map { Work<Int>($0, returning: { 1 }) }
    try works[0] --> works[1] --> works[2]
    let cycle = #expect(throws: DependencyCycle.self) { try works[2] --> works[0] }
    #expect(cycle?.names.first == "a" && cycle?.names.last == "a")
    #expect(cycle?.names.sorted() == ["a", "a", "b", "c"])
    #expect(works[0].dependencies.isEmpty)
  }

  @Test func `an operation that would wait for itself is refused`() {
    let work = Work<Int>("self", returning: { 1 })
    #expect(throws: DependencyCycle.self) { try work --> work }
  }

  @Test func `two threads cannot create a cycle together`() async {
    for _ in 0..<200 {
      let (a, b) = (Work<Int>("a", returning: { 1 }), Work<Int>("b", returning: { 1 }))
      let refused = Recorder<String>()
      let group = DispatchGroup()
      for (first, next) in [(a, b), (b, a)] {
        DispatchQueue.global().async(group: group) {
          do { try first --> next } catch { refused.add("refused") }
        }
      }
      #expect(await onOwnThread { group.wait(timeout: .now() + patience) == .success })
      #expect(refused.all == ["refused"])
    }
  }

  @Test func `a long chain is searched without exhausting a thread's stack`() async {
    let isRefused = await onOwnThread { () -> Bool in
      let works = (0..<20_000).map { Work<Int>("\($0)", returning: { 1 }) }
      for (first, next) in zip(works, works.dropFirst()) { next.addDependency(first) }
      defer { for work in works.reversed() { work.end() } }
      do { try works[19_999] --> works[0] } catch {
        return (error as? DependencyCycle)?.names.count == 20_001
      }
      return false
    }
    #expect(isRefused)
  }

  @Test func `a failure stops all dependants in turn`() async throws {
    let tally = Recorder<String>()
    let first = Work<Int>("first", returning: { throw Broken(number: 1) })
    let second = Work<Int>(
      "second",
      returning: {
        tally.add("second"); return 2
      })
    let third = Work<Int>(
      "third",
      returning: {
        tally.add("third"); return 3
      })
    try first --> second --> third
    queue().add([first, second, third])
    #expect(await finished(third))
    #expect(tally.all.isEmpty)
    #expect(second.error as? WorkError == .dependencyFailed("first"))
    #expect(third.error as? WorkError == .dependencyFailed("second"))
  }

  @Test func `a dependant that tolerates failures runs after one`() async throws {
    let first = Work<Int>("first", returning: { throw Broken(number: 1) })
    let second = Work<Int>("second", stopsOnFailure: false, returning: { 2 })
    try first --> second
    queue().add([first, second])
    #expect(await finished(second))
    #expect(second.output == 2)
  }

  @Test func `among ready operations, the highest priority runs first`() async {
    let (tally, queue) = (Recorder<String>(), queue(width: 1))
    queue.isSuspended = true
    let works: [(String, Operation.QueuePriority)] = [
      ("low", .low), ("high", .high), ("lowest", .veryLow), ("highest", .veryHigh),
      ("normal", .normal),
    ]
    let operations = works.map { name, priority in
      let work = Work<Int>(
        name,
        returning: {
          tally.add(name); return 1
        })
      work.queuePriority = priority
      return work
    }
    queue.add(operations)
    queue.isSuspended = false
    #expect(await eventually { tally.all.count == 5 })
    #expect(tally.all == ["highest", "high", "normal", "low", "lowest"])
  }

  @Test(arguments: [1, 2, 5]) func `no more operations run at once than the width`(width: Int) async
  {
    let (queue, running) = (queue(width: width), Running())
    let works = (0..<40).map { number in
      Work<Int>("\(number)") { completion in
        running.enter()
        running.leave(afterMost: width) { completion.succeed(1) }
      }
    }
    queue.add(works)
    #expect(await eventually { works.allSatisfy(\.isFinished) })
    #expect(running.most == width)
  }

  @Test func `dependencies that fan out and in are not a cycle`() async throws {
    let works = (0..<6).map { number in Work<Int>("\(number)", returning: { number }) }
    for middle in works[1...4] {
      try works[0] --> middle
      try middle --> works[5]
    }
    queue().add(works)
    #expect(await finished(works[5]))
    #expect(works.map(\.output) == [0, 1, 2, 3, 4, 5])
  }

  @Test func `work of the main queue starts on the main thread`() async {
    let tally = Recorder<String>()
    let work = Work<Int>("on main") { completion in
      tally.add(OperationQueue.current === OperationQueue.main ? "main" : "elsewhere")
      completion.succeed(1)
    }
    OperationQueue.main.addOperation(work)
    #expect(await finished(work))
    #expect(tally.all == ["main"])
  }

  @Test func `work that is released without having been enqueued is not touched by its dependency`()
    async throws
  {
    for _ in 0..<200 {
      let (first, ends) = (Work<Int>("first", returning: { 1 }), Recorder<Int>())
      do {
        try first
          --> Work<Int>(
            "never",
            returning: {
              ends.add(1); return 2
            })
        _ = first.then("never either") { (_: Int, completion: Completion<Int>) in
          completion.succeed(3)
        }
        try first --> WorkGroup("nor this", [])
      }
      let last = try first --> Work<Int>("last", returning: { 4 })
      queue().add([first, last])
      #expect(await finished(first, last))
      #expect(ends.all.isEmpty && last.output == 4)
    }
  }

  @Test func `a dependant may be released while its dependency ends`() {
    for _ in 0..<500 {
      let first = Work<Int>("first", returning: { 1 })
      let next = Locked<Work<Int>?>(
        first.then("next") { (output: Int, completion: Completion<Int>) in
          completion.succeed(output)
        })
      DispatchQueue.concurrentPerform(iterations: 2) { place in
        if place == 0 { first.end(with: .success(1)) } else { next.withLock { $0 = nil } }
      }
      #expect(first.isFinished)
    }
  }

  @Test func `a chain that never begins is released`() {
    weak var first: Work<Int>?
    weak var next: Work<Int>?
    do {
      let work = Work<Int>("first", returning: { 1 })
      let dependant = work.then("next") { (_: Int, completion: Completion<Int>) in
        completion.succeed(2)
      }
      (first, next) = (work, dependant)
      #expect(next != nil)
    }
    #expect(first == nil && next == nil)
  }

  @Test func `what a released dependant captured may end its dependency`() {
    let first = Work<Int>("first", returning: { 1 })
    do {
      let next = Work<Int>(
        "next",
        returning: { [ending = EndsOnRelease(first)] in
          withExtendedLifetime(ending) { 2 }
        })
      next.addDependency(first)
    }
    #expect(first.isFinished)
  }

  private final class EndsOnRelease: Sendable {
    let work: Work<Int>

    init(_ work: Work<Int>) { self.work = work }

    deinit { work.end(with: .success(1)) }
  }

  @Test func `an operation starts even if its dependency ends while the queue checks it`() async {
    let dependency = Work<Int>("dependency", returning: { 1 })
    let asked = SlowAnswer()
    asked.addDependency(dependency)
    asked.meanwhile = Once { dependency.end(with: .success(1)) }
    queue().enqueue(asked)
    #expect(await finished(asked))
  }
}
