import SchedulableThreads
import FrameBudget

@testable import FrameBudgetRealTime

/// Runs each event at once, on the thread that posts, and records it.
final class RecordingCarrier: Carrier {
  private let seen = Locked<[Int]>([])
  /// An event that it runs again instead of the next one, as a broken carrier would.
  private let repeated: Int?

  init(repeats number: Int? = nil) { repeated = number }

  init(_ lane: Lane) { repeated = nil }

  var numbers: [Int] { seen.withLock(\.self) }

  func post(_ event: sending @escaping () -> Void, hasPriority: Bool) { event() }

  func send(_ number: Int, to tally: EventTally) {
    seen.withLock { seen in
      seen.append(number)
      tally.ran(number - 1 == repeated ? number - 1 : number)
    }
  }

  func stop() {}
}
