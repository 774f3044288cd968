import Foundation
import Testing

@testable import Operations

/// What the library leaves to Foundation's queue, and relies on.
@Suite struct `A queue` {
  @Test func `runs no more than its width at once`() async {
    let events = Events()
    let operations = (0..<30).map { number in
      Work<Int>("\(number)") { completion in
        events.note("+")
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) {
          events.note("-")
          completion.succeed(0)
        }
      }
    }
    await run(operations, width: 3)
    let most = events.all.reduce(into: (now: 0, most: 0)) { count, event in
      count.now += event == "+" ? 1 : -1
      count.most = max(count.most, count.now)
    }.most
    #expect(most <= 3 && most > 0)
  }

  @Test func `lets a higher priority go first among those that are ready`() async {
    let events = Events()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    await withCheckedContinuation { continuation in
      let priorities: [(String, Operation.QueuePriority)] = [
        ("low", .low), ("high", .veryHigh), ("normal", .normal),
      ]
      let operations = priorities.map { name, priority in
        let operation = Work<Int>(name) { completion in
          events.note(name)
          completion.succeed(0)
        }
        operation.queuePriority = priority
        return operation
      }
      let last = BlockOperation { continuation.resume() }
      for operation in operations { last.addDependency(operation) }
      queue.addOperations(operations + [last], waitUntilFinished: false)
      queue.isSuspended = false
    }
    #expect(events.all == ["high", "normal", "low"])
  }

  @Test func `of the main thread runs its operations there`() async {
    let events = Events()
    let work = Work<Int>("on main") { completion in
      events.note(isOnMainQueue ? "main" : "another")
      completion.succeed(0)
    }
    await withCheckedContinuation { continuation in
      work.completionBlock = { continuation.resume() }
      OperationQueue.main.addOperation(work)
    }
    #expect(events.all == ["main"])
  }
}
