internal import Concurrency
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// System functions that a loop needs besides threads.
extension Platform {
  /// Nanoseconds on a monotonic clock with an arbitrary zero.
  static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Runs `body` in an autorelease pool, where Objective-C exists.
  static func drainingAutoreleased<R>(_ body: () -> R) -> R {
    #if canImport(ObjectiveC)
      return autoreleasepool(invoking: body)
    #else
      return body()
    #endif
  }

  static func writeToStandardError(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { unsafe _ = write(2, $0.baseAddress, $0.count) }
  }
}
