public import Foundation

extension OperationQueue {
  /// Like `addOperation`, but safe if a dependency of `operation` ends at the same moment.
  ///
  /// On Linux a queue asks whether the operation is ready and stores the answer later. If the last dependency ends in
  /// between, the stored answer overwrites its notification, and the operation never begins although it is ready. Nothing
  /// overwrites a notification once the operation is in the queue, so this method sends it again.
  public func enqueue(_ operation: Operation) {
    addOperation(operation)
    if operation.isReady { operation.didChangeValue(forKey: "isReady") }
  }
}
