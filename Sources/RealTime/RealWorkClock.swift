internal import CLinux
internal import FrameBudget

/// Tells for how long a step that does real work slept, say until a disk had answered.
struct RealWorkClock {
  private let began = clinux_monotonic()
  private let used = clinux_thread_cpu()
  private let delay = clinux_run_delay()

  /// The time since the beginning in which the thread neither ran nor could have run, nor was `blocked` by a lock.
  ///
  /// Where the kernel does not say for how long it could have run, it is taken to have slept.
  func slept(blocked: TimeSpan) -> TimeSpan {
    let ran = clinux_thread_cpu() - used
    let waited = delay < 0 ? 0 : clinux_run_delay() - delay
    return max(.zero, TimeSpan(nanoseconds: clinux_monotonic() - began - ran - waited) - blocked)
  }
}
