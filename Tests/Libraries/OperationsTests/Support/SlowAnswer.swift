import Foundation

/// An operation that runs other code between the calculation of its readiness and the answer.
final class SlowAnswer: Operation, @unchecked Sendable {
  // Sendable: set before it is given to a queue, not afterwards.
  var meanwhile: Once?

  override var isReady: Bool {
    let answer = super.isReady
    meanwhile?.run()
    return answer
  }
}
