#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The system's reference to a thread, to be joined or detached exactly once.
///
/// Stored as a number: on Linux it is one, and on Apple's systems a pointer.
struct ThreadHandle {
  private let bits: UInt

  #if os(Linux)
    init(_ thread: pthread_t) { bits = thread }

    func join() { _ = pthread_join(bits, nil) }

    func detach() { _ = pthread_detach(bits) }
  #else
    init(_ thread: pthread_t) { bits = UInt(bitPattern: thread) }

    func join() {
      if let thread = unsafe pthread_t(bitPattern: bits) { _ = unsafe pthread_join(thread, nil) }
    }

    func detach() {
      if let thread = unsafe pthread_t(bitPattern: bits) { _ = unsafe pthread_detach(thread) }
    }
  #endif
}
