import Foundation

/// An operation that lets something happen between finding out whether it is ready and saying so.
final class SlowAnswer: Operation, @unchecked Sendable {
  // Sendable: set before it is given to a queue, not afterwards.
  var meanwhile: Once?

  override var isReady: Bool {
    let answer = super.isReady
    meanwhile?.run()
    return answer
  }
}
