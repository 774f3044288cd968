import Foundation
import Testing

@testable import Operations

@Suite struct `Mutual exclusion` {
  @Test func `lets one of a category run at a time, on several queues, in the order of adding`()
    async
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
    await withCheckedContinuation { continuation in
      for (number, operation) in operations.enumerated() {
        exclusion.add(operation, to: queues[number % 4], categories: ["alert"])
      }
      let last = BlockOperation { continuation.resume() }
      for operation in operations { last.addDependency(operation) }
      queues[0].addOperation(last)
    }
    #expect(events.all == (0..<40).flatMap { _ in ["in", "out"] })
  }

  @Test func `leaves other categories alone`() async {
    let exclusion = Exclusion()
    let queue = OperationQueue()
    let held = Held("held")
    let other = Work<Int>("other", returning: { 1 })
    exclusion.add(held.work, to: queue, categories: ["alert"])
    await withCheckedContinuation { continuation in
      other.completionBlock = { continuation.resume() }
      exclusion.add(other, to: queue, categories: ["location"])
    }
    #expect(other.output == 1 && !held.work.isFinished)
    held.succeed()
  }
}
