internal import Concurrency
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What a loop asks of the system beside threads.
extension Platform {
  /// Nanoseconds on a clock that only goes forward; its zero means nothing.
  static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Runs `body` so that what Objective-C autoreleases in it is gone afterwards.
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
