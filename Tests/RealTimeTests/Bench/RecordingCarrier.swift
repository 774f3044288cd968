import Concurrency
import FrameBudget

@testable import RealTime

/// Runs what it is given at once, on the thread that posts, and remembers it.
final class RecordingCarrier: Carrier {
  private let seen = Locked<[Int]>([])
  /// An event that it runs again instead of the one after it: what a broken carrier would do.
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
