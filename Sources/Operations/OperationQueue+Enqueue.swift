public import Foundation

extension OperationQueue {
  /// As `addOperation`, and safe where what `operation` waits for may end at the same moment.
  ///
  /// On Linux a queue asks whether the operation is ready and notes the answer later. Where the last dependency ends in
  /// between, its news is overwritten, and the operation would be ready and never begin. Once it is in the queue nobody
  /// overwrites any more, so to say it again is enough.
  public func enqueue(_ operation: Operation) {
    addOperation(operation)
    if operation.isReady { operation.didChangeValue(forKey: "isReady") }
  }
}
