internal import Synchronization

/// An event that can be withdrawn until it begins.
///
/// ```swift
/// let reminder = scheduler.schedule(after: .seconds(5)) { print("still waiting") }
/// reminder.cancel()
/// ```
public final class ScheduledEvent: Sendable {
  /// When it may run, in nanoseconds on its loop's clock; nil for as soon as possible.
  let due: Int64?
  /// The loop in which it waits until it is due, and which sweeps it out if it is withdrawn.
  private let loop: SchedulerLoop?
  private let hasEnded = Atomic(false)
  // Proof: only the one call that sets `hasEnded` to true accesses these two, and it empties them.
  private nonisolated(unsafe) var body: (() -> Void)?
  private nonisolated(unsafe) var answer: ((Refusal.Reason) -> Void)?

  init(
    due: Int64? = nil, in loop: SchedulerLoop? = nil, body: sending @escaping () -> Void,
    onRefusal answer: (@Sendable (Refusal.Reason) -> Void)? = nil
  ) {
    self.due = due
    self.loop = loop
    unsafe self.body = body
    unsafe self.answer = answer
  }

  /// Withdraws the event and releases its closure at once.
  ///
  /// - Returns: false if it has begun, has run, or was refused or cancelled before.
  @discardableResult
  public func cancel() -> Bool {
    guard finish(.cancelled) != nil else { return false }
    loop?.delayedEventCancelled()
    return true
  }

  /// Whether it has begun, or will never run.
  var isOver: Bool { hasEnded.load(ordering: .relaxed) }

  /// Runs the event, unless it is over. Only on its scheduler.
  func run() -> Bool {
    guard begin() else { return false }
    unsafe answer = nil
    let body = unsafe body.take()
    body?()
    return true
  }

  /// Ends the event without running it.
  ///
  /// - Returns: whether a caller was informed; nil if the event was over before.
  func finish(_ reason: Refusal.Reason) -> Bool? {
    guard begin() else { return nil }
    unsafe body = nil
    let answer = unsafe answer.take()
    answer?(reason)
    return answer != nil
  }

  private func begin() -> Bool {
    hasEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
  }
}
