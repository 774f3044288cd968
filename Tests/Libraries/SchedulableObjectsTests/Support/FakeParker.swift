import SchedulableThreads
import Synchronization

/// Parks like the real one and counts the wake-ups.
final class FakeParker: Parker {
  private let real = SemaphoreParker()
  private let count = Atomic(0)
  private let sleeps = Atomic(0)

  var wakeUps: Int { count.load(ordering: .acquiring) }
  var parks: Int { sleeps.load(ordering: .acquiring) }

  func park(forNanoseconds nanoseconds: Int64?) {
    sleeps.add(1, ordering: .acquiringAndReleasing)
    real.park(forNanoseconds: nanoseconds)
  }

  func unpark() {
    count.add(1, ordering: .acquiringAndReleasing)
    real.unpark()
  }
}
