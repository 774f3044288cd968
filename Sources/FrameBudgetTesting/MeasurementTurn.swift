internal import Concurrency

/// Lets one measurement at a time go on in this process, in the order in which they came.
enum MeasurementTurn {
  private static let line = Locked(Line())

  private struct Line {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  static func take() async {
    await withCheckedContinuation { continuation in
      let isFree = line.withLock { line in
        if !line.isTaken {
          line.isTaken = true
          return true
        }
        line.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  static func give() {
    let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
      guard !line.waiting.isEmpty else {
        line.isTaken = false
        return nil
      }
      return line.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// The turn of one measurement: given back by the loop when it ends, or at once where the loop never began.
final class TurnTicket: Sendable {
  private enum State { case waiting, begun, abandoned }
  private let state = Locked(State.waiting)

  /// The loop begins; false if nobody waits for it any more, and others may have the turn.
  func begin() -> Bool {
    state.withLock { state in
      guard state == .waiting else { return false }
      state = .begun
      return true
    }
  }

  /// Nobody serves the main actor: the loop is not to begin later.
  func abandon() {
    let isFree = state.withLock { state in
      guard state == .waiting else { return false }
      state = .abandoned
      return true
    }
    if isFree { MeasurementTurn.give() }
  }
}
