#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

extension JobTime {
  /// The current time of the system's calendar clock.
  public static var now: JobTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return JobTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
