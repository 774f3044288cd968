import Foundation

@testable import Operations

/// Runs operations on a queue of their own and returns once all are over, without keeping a thread.
func run(_ operations: [Operation], width: Int = 4) async {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  await withCheckedContinuation { continuation in
    let last = BlockOperation { continuation.resume() }
    for operation in operations { last.addDependency(operation) }
    queue.addOperations(operations + [last], waitUntilFinished: false)
  }
}

/// What happened, in its order.
final class Events: @unchecked Sendable {
  // Sendable: `names` is used under `lock` only.
  private let lock = NSLock()
  private var names: [String] = []

  func note(_ name: String) { lock.withLock { names.append(name) } }
  var all: [String] { lock.withLock { names } }
}

struct Trouble: Error, Equatable { var text = "" }
struct OtherTrouble: Error {}

/// Work that ends when somebody says so.
final class Held: Sendable {
  let work: Work<Int>
  private let completion: @Sendable () -> Completion<Int>

  init(_ name: String) {
    work = Work<Int>(name) { _ in }
    completion = { [work] in Completion(work: work) }
  }

  func succeed() { completion().succeed(1) }
}

/// Whether the caller is on the main queue, which need not be on the process's first thread.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: MainQueue.key) != nil }

private enum MainQueue {
  static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
