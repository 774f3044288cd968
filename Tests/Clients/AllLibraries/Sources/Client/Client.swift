import CSQLite
import Dispatch
import Foundation
import Jobs
import OrderedDelivery
import Parsing
import Reports
import SQLite
import SchedulableJobs
import SchedulableObjects
import SchedulableOperations
import Statistics
import Synchronization
import Terminal
import Tool

/// Uses one declaration of each library.
@main
struct Client {
  static func main() async throws {
    print("SchedulableObjects:", try await scheduled())
    print("OrderedDelivery:", delivered())
    print("Operations:", operated() ?? 0)
    print("Jobs:", try done())
    // Modules of other packages and of the client itself, with names that are common.
    print(nameOfSQLite, nameOfCSQLite, nameOfParsing, nameOfJobs)
    print(nameOfReports, nameOfStatistics, nameOfTerminal, nameOfTool)
  }

  private final class Counter {
    var count = 0
  }

  private static func scheduled() async throws -> Int {
    let scheduler = try ThreadScheduler(name: "counter")
    let counter = try await scheduler.assemble { here in here.bind(Counter()) }
    counter.schedule { $0.count += 1 }
    let count = try await counter.call { $0.count }
    await scheduler.shutdown()
    return count
  }

  /// The digits in the order of their arrival.
  private static func delivered() -> Int {
    let digits = Atomic(0)
    let pool = ConcurrentScheduler(name: "pool", width: 2)
    let stage = OrderedStage<Int>(on: pool) { digit in
      // One at a time, as a stage promises.
      digits.store(digits.load(ordering: .acquiring) * 10 + digit, ordering: .releasing)
    }
    for digit in 1...3 { stage.send(digit) }
    pool.waitUntilIdle()
    return digits.load(ordering: .acquiring)
  }

  private static func operated() -> Int? {
    let work = Work<Int>("one", returning: { 1 })
    let queue = OperationQueue()
    queue.enqueue(work)
    queue.waitUntilAllOperationsAreFinished()
    return work.output
  }

  private static func done() throws -> Int {
    let sum = Atomic(0)
    let ran = DispatchSemaphore(value: 0)
    var types = JobTypes()
    types.register("add") { (number: Int, _) in
      sum.add(number, ordering: .relaxed)
      ran.signal()
    }
    let queue = try JobQueue("sums", types: types)
    try queue.add(try Job("add", 1))
    ran.wait()
    queue.shutdownBlocking()
    return sum.load(ordering: .relaxed)
  }
}
