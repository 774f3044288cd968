/// Releases an object whose last handle is gone, after the events that were sent to it.
///
/// Events do not retain the object, so its release queues behind them. The queue keeps the order within a priority, so the
/// release takes one turn at each priority that the events had, the highest first.
final class Burial {
  private let residence: Residence
  private let end: () -> Void
  private var turns: [EventPriority]

  // Keeps the residence, and with it the thread that the events need, until the release. `priorities` has the bits of all
  // events that were sent to the object.
  init(in residence: Residence, after priorities: UInt8, end: @escaping () -> Void) {
    self.residence = residence
    self.end = end
    let sent = priorities == 0 ? EventPriority.normal.bit : priorities
    turns = EventPriority.allCases.sorted().filter { $0.bit & sent != 0 }
  }

  /// Queues for the next turn, or releases the object after the last one.
  ///
  /// - Returns: whether it released the object.
  @discardableResult
  func proceed(on loop: SchedulerLoop) -> Bool {
    guard let next = turns.popLast() else {
      finish()
      return true
    }
    loop.post(EventNode(.bury(self), priority: next, traits: .mustRun))
    return false
  }

  /// Releases the object now. Only when no other code can access it.
  func finish() {
    end()
    residence.moveOut()
  }
}
