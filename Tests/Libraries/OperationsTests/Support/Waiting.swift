import Foundation
import TestSupport

@testable import SchedulableOperations

struct Broken: Error, Equatable { let number: Int }

func finished(_ operations: Operation...) async -> Bool {
  await eventually { operations.allSatisfy(\.isFinished) }
}

/// Waits until `started` is signalled, so that the work is certainly running afterwards.
extension DispatchSemaphore {
  func arrives() async -> Bool {
    await onOwnThread { self.wait(timeout: .now() + patience) == .success }
  }
}

/// Work that ends only on request.
func pending(_ name: String) -> (work: Work<Int>, started: DispatchSemaphore) {
  let started = DispatchSemaphore(value: 0)
  let work = Work(name) { (completion: Completion<Int>) in
    // Keeps the completion until the end.
    completion.onCancel { _ = completion.isCancelled }
    started.signal()
  }
  return (work, started)
}

func queue(width: Int = OperationQueue.defaultMaxConcurrentOperationCount) -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  return queue
}

extension OperationQueue {
  /// As `addOperations`, which asynchronous functions may not call since it can wait.
  func add(_ operations: [Operation]) {
    for operation in operations { enqueue(operation) }
  }
}
