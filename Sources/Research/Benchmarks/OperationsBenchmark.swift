internal import Dispatch
internal import FrameBudget
internal import Foundation
internal import SchedulableOperations

/// The cost of an operation, alone and among many waiting ones, compared with an event on a serial dispatch queue.
enum OperationsBenchmark {
  private static let repetitions = 9

  static func run() {
    report("serial DispatchQueue", per: 2000) { dispatched(2000) }
    report("alone, one after another", per: 250) { alone(250) }
    compare("10 000 at once", 10_000, together)
    compare("10 000 that are cancelled", 10_000, cancelled)
    compare("1000, each after the previous one", 1000, chained)
    for count in [250, 2000] {
      let name = "\(count) in a chain that is held until all are added"
      compare(name, count, held)
      report("\(name), the cost of -->", per: count) { linked(works(count)) }
    }
  }

  /// Foundation's operations and ours, interleaved, so that both meet the same machine.
  private static func compare(
    _ name: String, _ count: Int, _ measure: ([Operation]) -> Int64
  ) {
    var (theirs, ours): ([Int64], [Int64]) = ([], [])
    for _ in 0..<repetitions {
      theirs.append(measure(blocks(count)) / Int64(count))
      ours.append(measure(works(count)) / Int64(count))
    }
    print("\(name), Foundation's block operations: \(figures(theirs))")
    print("\(name), Work: \(figures(ours))")
  }

  private static func blocks(_ count: Int) -> [Operation] {
    (0..<count).map { _ in BlockOperation {} }
  }

  private static func works(_ count: Int) -> [Operation] {
    (0..<count).map { Work<Int>("\($0)", stopsOnFailure: false, returning: { 1 }) }
  }

  private static func dispatched(_ count: Int) -> Int64 {
    let queue = DispatchQueue(label: "events")
    return elapsed {
      for _ in 0..<count { queue.async {} }
      queue.sync {}
    }
  }

  /// Each is added after the one before has ended, so none ever waits.
  private static func alone(_ count: Int) -> Int64 {
    let queue = OperationQueue()
    let works = works(count)
    return elapsed {
      for work in works { queue.addOperations([work], waitUntilFinished: true) }
    }
  }

  private static func together(_ operations: [Operation]) -> Int64 {
    let queue = OperationQueue()
    return elapsed { queue.addOperations(operations, waitUntilFinished: true) }
  }

  /// None begins before all are cancelled.
  private static func cancelled(_ operations: [Operation]) -> Int64 {
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperations(operations, waitUntilFinished: false)
    return elapsed {
      queue.cancelAllOperations()
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// The first ones end before the last are added.
  private static func chained(_ operations: [Operation]) -> Int64 {
    let queue = OperationQueue()
    return elapsed {
      for (first, next) in zip(operations, operations.dropFirst()) { next.addDependency(first) }
      for operation in operations { queue.addOperation(operation) }
      queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// From the first dependency to the end of the last operation. None begins before all are added, so that all wait.
  private static func held(_ operations: [Operation]) -> Int64 {
    let queue = OperationQueue()
    let (held, hold) = (Work<Void>("held") { (_: Completion<Void>) in }, OperationQueue())
    hold.addOperation(held)
    return elapsed {
      for (first, next) in zip([held] + operations, operations) { next.addDependency(first) }
      for operation in operations { queue.addOperation(operation) }
      held.cancel()
      queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// The links alone, each with its search for a cycle. The linked operations are cancelled and run afterwards.
  private static func linked(_ operations: [Operation]) -> Int64 {
    let spent = elapsed {
      for (first, next) in zip(operations, operations.dropFirst()) {
        guard (try? first --> next) != nil else { preconditionFailure("a chain is not a cycle") }
      }
    }
    let queue = OperationQueue()
    for operation in operations {
      operation.cancel()
      queue.addOperation(operation)
    }
    queue.waitUntilAllOperationsAreFinished()
    return spent
  }

  private static func elapsed(_ body: () -> Void) -> Int64 {
    let start = DispatchTime.now().uptimeNanoseconds
    body()
    return Int64(DispatchTime.now().uptimeNanoseconds - start)
  }

  private static func report(_ name: String, per count: Int, _ measure: () -> Int64) {
    print("\(name): \(figures((0..<repetitions).map { _ in measure() / Int64(count) }))")
  }

  private static func figures(_ spans: [Int64]) -> String {
    let percentiles = Percentiles(spans)
    let figures = [0, 0.5, 1].map {
      Decimal.text((percentiles.quantile($0) ?? 0) / 1000, places: 2)
    }
    return "min \(figures[0]), median \(figures[1]), max \(figures[2]) µs each"
  }
}
