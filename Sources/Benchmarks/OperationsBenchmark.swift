internal import Dispatch
internal import FrameBudget
internal import Foundation
internal import Operations

/// What an operation costs, alone and where many wait, beside an event on a serial dispatch queue.
enum OperationsBenchmark {
  private static let repetitions = 9

  static func run() {
    report("serial DispatchQueue", per: 2000) { dispatched(2000) }
    report("alone, one after another", per: 250) { alone(250) }
    for count in [250, 2000] {
      let name = "in a chain of \(count)"
      report("\(name), Foundation's block operations", per: count) {
        chained((0..<count).map { _ in BlockOperation {} })
      }
      report("\(name), Work", per: count) { chained(works(count)) }
      report("\(name), what --> adds", per: count) { linked(works(count)) }
    }
  }

  private static func works(_ count: Int) -> [Operation] {
    (0..<count).map { Work<Int>("\($0)", returning: { 1 }) }
  }

  private static func dispatched(_ count: Int) -> Int64 {
    let queue = DispatchQueue(label: "events")
    return elapsed {
      for _ in 0..<count { queue.async {} }
      queue.sync {}
    }
  }

  /// Each is added when the one before is over, so that none ever waits.
  private static func alone(_ count: Int) -> Int64 {
    let queue = OperationQueue()
    let works = works(count)
    return elapsed {
      for work in works { queue.addOperations([work], waitUntilFinished: true) }
    }
  }

  /// From the first dependency to the end of the last operation.
  private static func chained(_ operations: [Operation]) -> Int64 {
    let queue = OperationQueue()
    return elapsed {
      for (first, next) in zip(operations, operations.dropFirst()) { next.addDependency(first) }
      for operation in operations { queue.addOperation(operation) }
      queue.waitUntilAllOperationsAreFinished()
    }
  }

  /// The links alone, each with its search for a cycle; what they join is cancelled and run afterwards.
  private static func linked(_ operations: [Operation]) -> Int64 {
    let spent = elapsed {
      for (first, next) in zip(operations, operations.dropFirst()) {
        guard (try? first --> next) != nil else { preconditionFailure("a chain is no cycle") }
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
    let spans = (0..<repetitions).map { _ in measure() / Int64(count) }
    let figures = [0, 0.5, 1].map {
      Decimal.text((Percentiles(spans).quantile($0) ?? 0) / 1000, places: 2)
    }
    print("\(name): min \(figures[0]), median \(figures[1]), max \(figures[2]) µs each")
  }
}
