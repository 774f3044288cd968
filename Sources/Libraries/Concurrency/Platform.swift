#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
#if canImport(CFrameBudgetLinux)
  internal import CFrameBudgetLinux
#endif

/// Thread functions that differ between Linux and Apple's systems, or are plain C.
package enum Platform {
  /// The native thread id, which `setpriority` and tracing tools use.
  package static func threadID() -> Int32 {
    #if os(Linux)
      return clinux_thread_id()
    #else
      return Int32(truncatingIfNeeded: unsafe pthread_mach_thread_np(pthread_self()))
    #endif
  }

  /// Whether the caller runs on the process's first thread.
  package static var isMainThread: Bool {
    #if os(Linux)
      return clinux_thread_id() == getpid()
    #else
      return pthread_main_np() == 1
    #endif
  }

  package static func nameThread(_ name: String) {
    #if os(Linux)
      unsafe clinux_set_thread_name(name)
    #else
      unsafe pthread_setname_np(name)
    #endif
  }

  /// The nice values that Linux knows.
  package static let niceRange = -20...19

  /// Sets a thread's nice value. Returns 0, or the system's error number: `EINVAL` for a value that the system would clamp
  /// silently.
  ///
  /// Linux has one per thread. Apple's systems have one per process; there the calling thread gets the quality of service
  /// that comes closest, and another thread `ENOTSUP`.
  package static func setNice(_ nice: Int, thread: Int32) -> Int32 {
    guard niceRange.contains(nice) else { return EINVAL }
    #if os(Linux)
      let outcome = setpriority(
        processPriority, id_t(bitPattern: thread), Int32(clamping: nice))
      return outcome == 0 ? 0 : errno
    #else
      guard thread == threadID() else { return ENOTSUP }
      return pthread_set_qos_class_self_np(qualityOfService(nice: nice), 0)
    #endif
  }

  #if os(Linux)
    private static let processPriority = __priority_which_t(PRIO_PROCESS.rawValue)
  #else
    private static func qualityOfService(nice: Int) -> qos_class_t {
      switch nice {
      case ..<0: QOS_CLASS_USER_INITIATED
      case 0: QOS_CLASS_DEFAULT
      case 15...: QOS_CLASS_BACKGROUND
      default: QOS_CLASS_UTILITY
      }
    }
  #endif

  package static func nice(thread: Int32) -> Int {
    #if os(Linux)
      return Int(getpriority(processPriority, id_t(bitPattern: thread)))
    #else
      return 0
    #endif
  }

  /// Confines a thread to some processors. Returns 0, or the system's error number.
  package static func pin(thread: Int32, to processors: [Int]) -> Int32 {
    #if os(Linux)
      let numbers = processors.map { Int32(clamping: $0) }
      return unsafe numbers.withUnsafeBufferPointer {
        unsafe clinux_pin_thread(thread, $0.baseAddress, Int32(clamping: $0.count))
      }
    #else
      return ENOTSUP
    #endif
  }

  /// Opens or creates a file to lock, which programs that this process starts do not inherit. Returns -1 on failure.
  package static func openForLocking(_ path: String) -> Int32 {
    unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
  }

  /// Locks an open file until it is closed, also against this process. Returns 0, or the system's error number: `EWOULDBLOCK`
  /// if it is locked.
  package static func lock(file: Int32) -> Int32 {
    #if os(Linux)
      return clinux_lock(file)
    #else
      return flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
    #endif
  }

  package static func describe(error: Int32) -> String {
    guard let text = unsafe strerror(error) else { return "error \(error)" }
    return unsafe String(cString: text)
  }
}

/// Stops the process because of an error in the program, and prints the error and its place on standard error.
///
/// Release builds keep the message, unlike that of `precondition`.
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
