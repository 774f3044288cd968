/// The end of an object whose last handle is gone: after the events that were sent to it.
///
/// Those do not hold the object, so its end waits for them in the queue. Of one priority the queue keeps the order sent,
/// so it takes a turn behind them at each priority that they had, the highest first.
final class Burial {
  private let residence: Residence
  private let end: () -> Void
  private var turns: [EventPriority]

  // The residence is kept until the end, and with it the thread that the events need; the priorities are those of all
  // events that were sent to the object.
  init(in residence: Residence, after priorities: UInt8, end: @escaping () -> Void) {
    self.residence = residence
    self.end = end
    let sent = priorities == 0 ? EventPriority.normal.bit : priorities
    turns = EventPriority.allCases.sorted().filter { $0.bit & sent != 0 }
  }

  /// Queues for the next turn, or comes to the end.
  ///
  /// - Returns: whether this was the end.
  @discardableResult
  func proceed(on loop: SchedulerLoop) -> Bool {
    guard let next = turns.popLast() else {
      finish()
      return true
    }
    loop.post(EventNode(.bury(self), priority: next, traits: .mustRun))
    return false
  }

  /// Ends the object now: nobody else can touch it any more.
  func finish() {
    end()
    residence.moveOut()
  }
}
