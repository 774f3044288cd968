internal import CLinux
internal import FrameBudget
internal import Synchronization

/// The machine's monotonic clock, read relative to time 0 of a run.
final class RunClock: Sendable {
  private let zero = Atomic<Int64>(0)

  /// Makes `instant`, as this clock now counts, the new time 0.
  func restart(at instant: Instant) {
    zero.add(instant.nanoseconds, ordering: .sequentiallyConsistent)
  }

  var now: Instant {
    Instant(nanoseconds: clinux_monotonic() - zero.load(ordering: .relaxed))
  }

  /// Sleeps until an absolute time: a relative sleep loses vsyncs to the kernel's timer slack.
  ///
  /// Returns before that if the run was interrupted.
  func sleep(until instant: Instant) {
    let deadline = instant.nanoseconds + zero.load(ordering: .relaxed)
    while clinux_sleep_until(deadline) != 0 {
      if Interruption.signal != nil { return }
    }
  }

  func sleep(for span: TimeSpan) { sleep(until: now + span) }
}
